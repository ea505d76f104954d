// What arrives on the chain for this account: payments, and requests of people. Pure.
import type { PushFrame } from "#shared/api/socket/frames.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** A payment of someone else to this account. */
export interface ArrivedPayment {
  readonly id: string;
  readonly from: PublicKeyHex;
  readonly amountUt: AmountUt;
}

/** The payment of a push, or undefined for what is none: own ones, refused ones, and what moves no money here. */
export function paymentOf(frame: PushFrame<"tx">, me: PublicKeyHex): ArrivedPayment | undefined {
  const { id, tx_type: type, from, to, amount_ut: amountUt, status } = frame;
  return type === "TRANSFER" && status === "ok" && to === me && from !== me && amountUt > 0 ? { id, from, amountUt } : undefined;
}

/** One sentence about everything that arrived together. */
export type ArrivalNews =
  | { readonly kind: "one"; readonly payment: ArrivedPayment }
  | { readonly kind: "many"; readonly count: number; readonly sumUt: AmountUt };

/** What is said of payments that arrived together: a stranger who sends a thousand small ones gets one sentence. */
export function newsOf(payments: readonly ArrivedPayment[]): ArrivalNews | undefined {
  const [payment] = payments;
  if (payment === undefined) return undefined;
  if (payments.length === 1) return { kind: "one", payment };
  return { kind: "many", count: payments.length, sumUt: payments.reduce((sum, { amountUt }) => sum + amountUt, 0) };
}

/** Requests that were not there before, by their transactions. Nothing is new while the lists are read for the first time. */
export function newRequests<Request extends { readonly id: string }>(
  known: ReadonlySet<string> | undefined,
  open: readonly Request[],
): readonly Request[] {
  return known === undefined ? [] : open.filter(({ id }) => !known.has(id));
}
