// An entry of the activity, seen from one's own account: what came, what went, to whom, and where it is.

import type { PendingState, PendingTransaction } from "#renderer/lib/transactions/pending-store.ts";
import { kindOfIntent, kindOfType, type TransactionKind } from "#renderer/lib/transactions/transaction-kind.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** `self`: from the account to itself, or something that has no other side. */
export type ActivityDirection = "in" | "out" | "self";

/** One entry. */
export interface ActivityItem {
  readonly id: string;
  readonly kind: TransactionKind;
  readonly direction: ActivityDirection;
  /** The other party. */
  readonly peer: PublicKeyHex | undefined;
  /** What moved; nothing when it failed. */
  readonly amountUt: AmountUt;
  /** What this account paid as fee. */
  readonly feeUt: AmountUt;
  readonly timeMs: number;
  readonly state: PendingState;
}

/** Direction and size of the change of the balance: the amount, or the fee where nothing else moved. */
export interface BalanceChange {
  readonly direction: "in" | "out";
  readonly amountUt: AmountUt;
}

/** An entry of the history. */
export function itemOfEntry(entry: TransactionEntry, account: PublicKeyHex): ActivityItem {
  const { id, type, from, to, amount_ut: amountUt, fee_ut: feeUt, time, block_index: blockIndex, status } = entry;
  const hasFailed = status === "failed";
  const isPayer = from === account;
  const other = isPayer ? to : from;
  return {
    id,
    kind: kindOfType(type),
    direction: !isPayer ? "in" : other === "" || other === account ? "self" : "out",
    peer: other === "" || other === account ? undefined : other,
    amountUt: hasFailed ? 0 : amountUt,
    feeUt: isPayer ? feeUt : 0,
    timeMs: Date.parse(time),
    state: hasFailed ? { kind: "failed", blockIndex, reason: "" } : { kind: "inBlock", blockIndex },
  };
}

/** A submitted transaction. */
export function itemOfPending(pending: PendingTransaction): ActivityItem {
  const { id, summary, submittedAtMs, state } = pending;
  const peer = summary.to === null || summary.to === summary.from ? undefined : summary.to;
  const movesNothing = state.kind === "failed" || state.kind === "expired";
  return {
    id,
    kind: kindOfIntent(summary.kind),
    direction: peer === undefined ? "self" : "out",
    peer,
    amountUt: movesNothing ? 0 : summary.amountUt,
    feeUt: state.kind === "expired" ? 0 : summary.feeUt,
    timeMs: submittedAtMs,
    state,
  };
}

/** Everything, newest first: what is submitted is on top until the history shows it. */
export function mergeActivity(
  pending: readonly PendingTransaction[],
  history: readonly TransactionEntry[],
  account: PublicKeyHex,
): readonly ActivityItem[] {
  const inHistory = new Set(history.map(({ id }) => id));
  return [...pending.filter(({ id }) => !inHistory.has(id)).map(itemOfPending), ...history.map((entry) => itemOfEntry(entry, account))];
}

/** What an entry did to the balance; undefined when it did nothing. */
export function balanceChange(item: ActivityItem): BalanceChange | undefined {
  const { direction, amountUt, feeUt } = item;
  if (direction === "in") return amountUt > 0 ? { direction, amountUt } : undefined;
  const paidUt = direction === "out" && amountUt > 0 ? amountUt : feeUt;
  return paidUt > 0 ? { direction: "out", amountUt: paidUt } : undefined;
}
