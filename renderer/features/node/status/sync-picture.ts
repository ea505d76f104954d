// What the section about syncing shows: how many stages are done, the bar, and which words. Pure.
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";

/** The way of a node that executes blocks, and of one that begins with the state of a block. */
const BLOCK_STAGES = ["connect", "fetch", "live"] as const;
const JOIN_STAGES = ["connect", "find", "state", "around", "live"] as const;
/** Which of those a node is at that joins. */
const JOIN_REACHED: Readonly<Record<NonNullable<NodeStatus["sync"]["snapshot"]>["stage"], number>> = { headers: 1, state: 2, history: 3 };

export interface SyncPicture {
  readonly stages: typeof BLOCK_STAGES | typeof JOIN_STAGES;
  /** Stages that are done; all of them count as done at the last one. */
  readonly reached: number;
  /** Part of the way; undefined where nothing is known of it. */
  readonly share: number | undefined;
  /** `lost`: not connected, and what is known is old; `join`: on the way to a state to begin with. */
  readonly words: "progress" | "done" | "halted" | "lost" | "join";
}

/** The picture of a status that was read at some time, and of the connection now. */
export function syncPicture(status: Pick<NodeStatus, "sync" | "light">, live: LiveState): SyncPicture {
  const { state, height, target_height: target, snapshot } = status.sync;
  const stages = snapshot === undefined ? BLOCK_STAGES : JOIN_STAGES;
  if (live !== "open") return { stages, reached: 0, share: undefined, words: "lost" };
  if (snapshot !== undefined && state === "syncing")
    return { stages, reached: JOIN_REACHED[snapshot.stage], share: joinShare(snapshot), words: "join" };
  const share = target === 0 ? 1 : Math.min(1, height / target);
  if (status.light !== undefined && state === "stalled") return { stages, reached: 0, share, words: "halted" };
  if (state === "syncing" && target > height) return { stages, reached: 1, share, words: "progress" };
  return { stages, reached: stages.length - 1, share, words: "done" };
}

/** Of the step: what is known of the steps behind it says nothing of how long they take. */
function joinShare({ stage, share, step }: NonNullable<NodeStatus["sync"]["snapshot"]>): number | undefined {
  if (stage === "headers") return undefined;
  // Records that are sorted are here already.
  if (step === undefined || stage === "state") return share;
  const { done, total } = step;
  return done === undefined || total === undefined || total === 0 ? undefined : Math.min(1, done / total);
}
