// Reputation of a node, from what it did.
import type { NodeCounters } from "./node-records.ts";

/** Ranks of nodes. */
export type ReputationRank = "Observer" | "Active" | "Trusted" | "Validator";

/** What reputation is made of. */
export type ReputationInput = Pick<NodeCounters, "heartbeats" | "relayProofs" | "slashCount"> & { readonly blocksProduced: number };

const ACTIVE_FROM = 50;
const TRUSTED_FROM = 500;

/** 10 a relay proof, 5 a block, 1 a heartbeat, −500 a punishment. */
export function reputationScore({ heartbeats, relayProofs, slashCount, blocksProduced }: ReputationInput): number {
  return 10 * relayProofs + 5 * blocksProduced + heartbeats - 500 * slashCount;
}

/** Rank of a score; a validator has its own while it is in the set. */
export function reputationRank(score: number, isValidator: boolean): ReputationRank {
  if (isValidator) return "Validator";
  if (score >= TRUSTED_FROM) return "Trusted";
  return score >= ACTIVE_FROM ? "Active" : "Observer";
}
