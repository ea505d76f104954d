// Where a node is on its way to being a validator and back, as the chain knows it. Pure.
import type { ValidatorProposal } from "#shared/api/schemas/chain.ts";
import type { NodeStats } from "#shared/api/schemas/nodes.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** What a node should have beside the bond, for the fees of applying, leaving, taking the bond back, and heartbeats meanwhile: 1 T. */
export const FEE_RESERVE_UT = 1_000_000;

/** Where the node is. */
export type ValidatorStage =
  | { readonly kind: "fund"; readonly missingUt: AmountUt }
  | { readonly kind: "apply" }
  | { readonly kind: "approvals"; readonly given: number; readonly needed: number; readonly missingUt: AmountUt }
  | { readonly kind: "member"; readonly signed: number; readonly expected: number }
  | { readonly kind: "banned"; readonly untilMs: number };

/** A bond that waits for its owner. */
export interface WaitingBond {
  readonly amountUt: AmountUt;
  readonly availableAtMs: number;
  readonly isFree: boolean;
}

/** What is known of the node; `stats` is null for a key that no block has seen. */
export interface ValidatorFacts {
  readonly stats: Pick<NodeStats, "node_balance_ut" | "validator"> | null;
  readonly bondUt: AmountUt;
  /** Smallest fee of the network. */
  readonly leastFeeUt: AmountUt;
  /** The node's own application, where one is pending. */
  readonly proposal: Pick<ValidatorProposal, "approval_count" | "approvals_required" | "has_consent"> | undefined;
  readonly nowMs: number;
}

/** The stage of a node. */
export function validatorStage({ stats, bondUt, leastFeeUt, proposal, nowMs }: ValidatorFacts): ValidatorStage {
  const validator = stats?.validator;
  if (validator?.in_set === true) return { kind: "member", signed: validator.commits_signed, expected: validator.commits_expected };
  const untilMs = (validator?.banned_until ?? 0) * 1_000;
  if (untilMs > nowMs) return { kind: "banned", untilMs };
  // A bond on its way back counts towards a new one.
  const ownUt = (stats?.node_balance_ut ?? 0) + (validator?.bond_ut ?? 0);
  if (proposal?.has_consent === true) {
    const { approval_count: given, approvals_required: needed } = proposal;
    return { kind: "approvals", given, needed, missingUt: Math.max(0, bondUt - ownUt) };
  }
  if (ownUt < bondUt + leastFeeUt) return { kind: "fund", missingUt: bondUt + FEE_RESERVE_UT - ownUt };
  return { kind: "apply" };
}

/** The bond of a node that has left; undefined when there is none. */
export function waitingBond({ stats, nowMs }: Pick<ValidatorFacts, "stats" | "nowMs">): WaitingBond | undefined {
  const validator = stats?.validator;
  if (validator === undefined || validator.in_set || validator.bond_available_at === undefined || validator.bond_ut === 0) return undefined;
  const availableAtMs = validator.bond_available_at * 1_000;
  return { amountUt: validator.bond_ut, availableAtMs, isFree: availableAtMs <= nowMs };
}
