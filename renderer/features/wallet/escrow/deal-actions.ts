// What a party of a deal can do now.

import type { ContractCall } from "#renderer/lib/transactions/call-intent.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type Deal, ESCROW, isSettled } from "./deals.ts";

export type DealAction = "release" | "refund" | "dispute" | "toSeller" | "toBuyer" | "timeout";

/** Actions that are open to an account, the usual one first. */
export function actionsOf(deal: Deal, account: PublicKeyHex, nowMs: number): readonly DealAction[] {
  if (isSettled(deal)) return [];
  const { state, buyer, seller, arbiter, deadline } = deal;
  const isDue = state === "active" && nowMs >= deadline * 1_000;
  const isParty = account === buyer || account === seller;
  return [
    ...(account === buyer ? (["release"] as const) : []),
    ...(account === seller ? (["refund"] as const) : []),
    ...(account === arbiter && state === "disputed" ? (["toSeller", "toBuyer"] as const) : []),
    ...(isParty && state === "active" && arbiter !== undefined ? (["dispute"] as const) : []),
    ...(isDue ? (["timeout"] as const) : []),
  ];
}

/** The call of an action. */
export function callOf(action: DealAction, { id }: Pick<Deal, "id">): ContractCall {
  if (action === "toSeller" || action === "toBuyer") return { contractId: ESCROW, method: "resolve", args: [id, action === "toSeller"] };
  return { contractId: ESCROW, method: action, args: [id] };
}
