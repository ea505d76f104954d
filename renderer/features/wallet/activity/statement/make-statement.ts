// A statement of a period out of the history of an account: what came and went, and the balance before and after. Pure.
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { type ActivityItem, itemOfEntry } from "../activity-item.ts";
import type { Period } from "./period.ts";

/** All that a node has of an account, of one moment. */
export interface WholeHistory {
  readonly account: PublicKeyHex;
  readonly balanceUt: AmountUt;
  /** In any order. */
  readonly entries: readonly TransactionEntry[];
  /** Entries of blocks below are not on the node; undefined where all are. */
  readonly missingBelow: number | undefined;
}

/** One entry: what it moved, with its fee apart. */
export interface StatementLine {
  readonly item: ActivityItem;
  /** Above 0 came, below 0 went; µT. */
  readonly movedUt: number;
  readonly feeUt: AmountUt;
}

export interface Statement {
  readonly account: PublicKeyHex;
  readonly period: Period;
  readonly openingUt: AmountUt;
  readonly closingUt: AmountUt;
  readonly receivedUt: AmountUt;
  readonly sentUt: AmountUt;
  readonly feesUt: AmountUt;
  /** What else must have moved in the period, without an entry that names it: no balance is below 0. */
  readonly otherUt: number;
  /** Oldest first. */
  readonly lines: readonly StatementLine[];
  /**
   * What moved without an entry that names it (genesis, contracts, channels, bonds), at an unknown time: the balances here take it for older
   * than the period as far as they can. Undefined where older entries are missing.
   */
  readonly unlistedUt: number | undefined;
}

/** The statement, or the height below which entries of the period are missing. */
export function makeStatement(history: WholeHistory, period: Period): Statement | { readonly missingBelow: number } {
  const { account, balanceUt, missingBelow } = history;
  const sorted = history.entries.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time) || a.block_index - b.block_index);
  const oldest = sorted[0];
  if (missingBelow !== undefined && !(oldest !== undefined && Date.parse(oldest.time) < period.fromMs)) return { missingBelow };
  const lines = sorted.map((entry) => lineOf(entry, account));
  const after = lines.filter(({ item }) => item.timeMs >= period.toMs);
  const within = lines.filter(({ item }) => item.timeMs >= period.fromMs && item.timeMs < period.toMs);
  const closingUt = Math.max(0, balanceUt - changeOf(after));
  const openingUt = Math.max(0, balanceUt - changeOf(after) - changeOf(within));
  return {
    account,
    period,
    openingUt,
    closingUt,
    otherUt: closingUt - openingUt - changeOf(within),
    receivedUt: within.reduce((sum, { movedUt }) => sum + Math.max(0, movedUt), 0),
    sentUt: within.reduce((sum, { movedUt }) => sum + Math.max(0, -movedUt), 0),
    feesUt: within.reduce((sum, { feeUt }) => sum + feeUt, 0),
    lines: within,
    unlistedUt: missingBelow === undefined ? balanceUt - changeOf(lines) : undefined,
  };
}

/** What lines did to the balance, µT. */
function changeOf(lines: readonly StatementLine[]): number {
  return lines.reduce((sum, { movedUt, feeUt }) => sum + movedUt - feeUt, 0);
}

/** A payment to oneself moves nothing but its fee; a failed one neither. */
function lineOf(entry: TransactionEntry, account: PublicKeyHex): StatementLine {
  const item = itemOfEntry(entry, account);
  const amountUt = entry.status === "failed" ? 0 : entry.amount_ut;
  const cameUt = entry.to === account ? amountUt : 0;
  const wentUt = entry.from === account ? amountUt : 0;
  return { item, movedUt: cameUt - wentUt, feeUt: item.feeUt };
}
