// What the section about syncing shows: how many stages are done, the bar, and which words. Pure.
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { LiveState } from "#shared/api/socket/websocket-client.ts";

export interface SyncPicture {
  /** Stages that are done; all of them count as done at the last one. */
  readonly reached: 0 | 1 | 2;
  /** Part of the way to the newest block; undefined where nothing is known of it. */
  readonly share: number | undefined;
  /** `lost`: not connected, and what is known is old; `headers`, `state`, `history`: on the way to a state to begin with. */
  readonly words: "progress" | "done" | "halted" | "lost" | NonNullable<NodeStatus["sync"]["snapshot"]>["stage"];
}

/** The picture of a status that was read at some time, and of the connection now. */
export function syncPicture(status: Pick<NodeStatus, "sync" | "light">, live: LiveState): SyncPicture {
  const { state, height, target_height: target, snapshot } = status.sync;
  if (live !== "open") return { reached: 0, share: undefined, words: "lost" };
  if (snapshot !== undefined && state === "syncing")
    return { reached: 1, share: snapshot.stage === "headers" ? undefined : snapshot.share, words: snapshot.stage };
  const share = target === 0 ? 1 : Math.min(1, height / target);
  if (status.light !== undefined && state === "stalled") return { reached: 0, share, words: "halted" };
  return state === "syncing" && target > height ? { reached: 1, share, words: "progress" } : { reached: 2, share, words: "done" };
}
