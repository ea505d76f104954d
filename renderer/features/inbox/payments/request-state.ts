// What has become of a request for money: from the messages about it and what the chain says of the payments that they name. Pure, and
// the same for both sides and all their devices once they have the same messages and the same chain, in whatever order these came.
import type { StoredPayment } from "#shared/messenger/model/message.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { PaymentOnChain } from "./payment-on-chain.ts";
import type { WaitingClaim } from "./use-waiting-payment.ts";

/** A payment that is said to answer the request. */
export interface Claim {
  readonly txId: string;
  readonly amountUt: AmountUt;
  /** When it was said, milliseconds since 1970. */
  readonly at: number;
  readonly onChain: PaymentOnChain;
}

/** What is known of a request. */
export interface RequestFacts {
  readonly closed: StoredPayment["closed"];
  readonly due: number | undefined;
  readonly claims: readonly Claim[];
  /** An own payment for it waits by the spending rules. */
  readonly waiting?: WaitingClaim | undefined;
}

/**
 * - `open`, `overdue`: can be paid; `hasFailed`: a payment for it was refused by its block.
 * - `paying`: a payment is said to be on its way, and nothing speaks against it.
 * - `waits`: the spending rules let an own payment wait, which can be cancelled until it is signed.
 * - `paid`: the chain shows it. `count` payments, of which the first in the chain is named.
 */
export type RequestState =
  | { readonly kind: "open" | "overdue"; readonly hasFailed: boolean }
  | { readonly kind: "paying"; readonly txId: string }
  | { readonly kind: "waits"; readonly payment: WaitingClaim }
  | { readonly kind: "paid"; readonly txId: string; readonly height: number; readonly amountUt: AmountUt; readonly count: number }
  | { readonly kind: "cancelled" | "declined" };

/** The state at a moment. The chain goes before everything that is said. */
export function requestState({ closed, due, claims, waiting }: RequestFacts, nowMs: number): RequestState {
  const paid = claims.flatMap(({ onChain, ...claim }) => (onChain.kind === "inBlock" ? [{ ...claim, height: onChain.height }] : []));
  const [first] = paid.toSorted((a, b) => a.height - b.height || (a.txId < b.txId ? -1 : 1));
  if (first !== undefined) return { kind: "paid", txId: first.txId, height: first.height, amountUt: first.amountUt, count: paid.length };
  const [underWay] = claims.filter((claim) => isUnderWay(claim, nowMs)).toSorted((a, b) => (a.txId < b.txId ? -1 : 1));
  if (underWay !== undefined) return { kind: "paying", txId: underWay.txId };
  // Once it was cancelled or declined, what waits is not paid any more.
  if (waiting !== undefined && closed === null) return { kind: "waits", payment: waiting };
  if (closed !== null) return { kind: closed };
  const hasFailed = claims.some(({ onChain }) => onChain.kind === "failed");
  return { kind: due !== undefined && nowMs > due ? "overdue" : "open", hasFailed };
}

/** It may still enter a block: the windows of its own clock and of the chain's both end at some time. */
export function isUnderWay({ onChain, at }: Pick<Claim, "onChain" | "at">, nowMs: number): boolean {
  return onChain.kind === "checking" || (onChain.kind === "waiting" && nowMs - at < 2 * TX_WINDOW_MS);
}
