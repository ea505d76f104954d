// What /api/status says of a light node. It never says "live" of one that believes nothing new.
import { operationsWhere } from "#shared/api/api.ts";
import type { NodeStatus } from "#shared/api/schemas/discovery.ts";
import type { Checkpoint } from "#shared/protocol/chain/checkpoint.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import type { LightStatus } from "../light-status.ts";

/** How far the node is, in the words that every node has. */
export function describeLightSync({ state, height, targetHeight, reason }: LightStatus, tip: TrustedBlock): NodeStatus["sync"] {
  return {
    state: state === "live" || state === "syncing" ? state : "stalled",
    height,
    target_height: Math.max(height, targetHeight),
    tip_time: new Date(tip.header.timeMs).toISOString(),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The same while the node fetches a state, as far as that is: it is on its way until then. */
export function describeJoining(sync: NodeStatus["sync"], snapshot: NodeStatus["sync"]["snapshot"]): NodeStatus["sync"] {
  if (snapshot === undefined) return sync;
  return { ...sync, state: sync.state === "live" ? "syncing" : sync.state, snapshot };
}

/** What it knows, and what its responses are worth. */
export function describeLight(
  { state, height, witnessedHeight }: LightStatus,
  checkpoint: Checkpoint | undefined,
): NonNullable<NodeStatus["light"]> {
  return {
    state,
    verified_height: height,
    witnessed_height: witnessedHeight,
    ...(checkpoint === undefined ? {} : { checkpoint: { ...checkpoint } }),
    trusting_period_seconds: TRUSTING_PERIOD_MS / 1_000,
    told: [...operationsWhere(({ unverified }) => unverified === "figures")],
    told_lists: [...operationsWhere(({ unverified }) => unverified === "completeness")],
  };
}
