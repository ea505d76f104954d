// What /api/status says of synchronisation. It never says "live" of a node that is proven to be behind or whose network is stuck. What peers
// merely claim counts when the own chain agrees: when its next block is overdue. Otherwise anyone could make a node look as if it were behind.
import { missingVersionWords } from "#node/engine/missing-version.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { SyncStatus } from "./block-sync.ts";

/** Rounds of one height after which its validators count as stuck. A dead proposer costs a round; three in a row are more than that. */
const STUCK_ROUNDS = 3;

/** A block may be late by this before its network counts as stuck, ms: clocks differ, and a dead proposer costs a round. */
export const LATE_BLOCK_MS = 20_000;

/** What the description follows from. */
export interface SyncInput {
  readonly tip: { readonly height: Height; readonly timeMs: number };
  /** Null for a node without a network. */
  readonly sync: SyncStatus | null;
  /** Connected peers. */
  readonly peers: number;
  /** True when the own vote alone decides. */
  readonly isSoleVoter: boolean;
  /** Round of the height after the tip. */
  readonly round: number;
  /** Time by which the next block is due, be it an empty one. */
  readonly nextBlockMs: number;
  readonly nowMs: number;
  /** Version of the rules of the next height, when this program lacks it. */
  readonly missingVersion?: number | undefined;
}

/** The `sync` field of the response. */
export function describeSync(input: SyncInput): NodeStatus["sync"] {
  const { tip } = input;
  const sync = weighed(input);
  const base = {
    height: tip.height,
    target_height: Math.max(tip.height, sync?.targetHeight ?? 0),
    tip_time: new Date(tip.timeMs).toISOString(),
  };
  if (input.missingVersion !== undefined)
    return { state: "stalled", ...base, reason: missingVersionWords(input.missingVersion, tip.height + 1) };
  if (sync !== null && sync.state === "syncing")
    return {
      state: "syncing",
      ...base,
      ...(sync.blocksPerSecond === null ? {} : { blocks_per_second: Math.round(sync.blocksPerSecond * 10) / 10 }),
      ...(sync.etaSeconds === null ? {} : { eta_seconds: sync.etaSeconds }),
    };
  const reason = sync?.reason ?? stallReason(input);
  return reason === undefined ? { state: "live", ...base } : { state: "stalled", ...base, reason };
}

function weighed({ sync, ...chain }: SyncInput): SyncStatus | null {
  if (sync?.state !== "claimed") return sync;
  if (isLate(chain)) return { ...sync, state: sync.reason === null ? "syncing" : "stalled" };
  return { state: "live", targetHeight: chain.tip.height, reason: null, blocksPerSecond: null, etaSeconds: null };
}

function isLate({ nowMs, nextBlockMs }: Pick<SyncInput, "nowMs" | "nextBlockMs">): boolean {
  return nowMs > nextBlockMs + LATE_BLOCK_MS;
}

function stallReason({ tip, peers, isSoleVoter, round, nextBlockMs, nowMs }: SyncInput): string | undefined {
  if (isSoleVoter) return undefined;
  if (peers === 0) return "No other node is connected, and this one cannot make blocks alone";
  if (round >= STUCK_ROUNDS) return `The validators have not agreed on block ${tip.height + 1} in ${round} rounds`;
  // Without more than two thirds of the votes not even a round ends.
  return isLate({ nowMs, nextBlockMs })
    ? `Block ${tip.height + 1} was due at ${new Date(nextBlockMs).toISOString()}: too few validators may be running`
    : undefined;
}
