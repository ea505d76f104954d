// Holds what is to be signed to the rules. Pure: the time and all that was spent are arguments.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type AmountUt, formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { Intent, IntentSummary } from "../intents.ts";
import { areSameRules, NO_RULES } from "./spending-rules.ts";
import { SHORT_BYTES, type SpendingState } from "./spending-state.ts";

/** Something that takes from the account. */
export interface Spend {
  /**
   * - a key: who gets the amount
   * - `unknown`: someone whom the keyring cannot know, as behind a contract
   * - `none`: only fee and gas leave
   */
  readonly payee: { readonly key: string } | "unknown" | "none";
  /** Amount, fee and most gas. */
  readonly totalUt: AmountUt;
  /** A call of a contract, which may move tokens without any amount. */
  readonly isCall?: boolean;
  /** Takes power from a device that may be lost. */
  readonly isUnlinking?: boolean;
  /** A channel of which this is the deposit, or so much of it is promised. */
  readonly channel?: { readonly id: string; readonly coveredUt: AmountUt };
}

/**
 * - `forbidden`: only chosen keys may be paid, and this goes elsewhere, or no one can say where
 * - `overLimit`: fits in `fitsInMs`, or never where that is null
 * - `waits`: can be held, and signed after `delayMs`
 */
export type SpendingVerdict =
  | { readonly kind: "allowed" }
  | { readonly kind: "forbidden" }
  | { readonly kind: "overLimit"; readonly dailyUt: AmountUt; readonly leftUt: AmountUt; readonly fitsInMs: number | null }
  | { readonly kind: "waits"; readonly delayMs: number; readonly because: "large" | "firstTime" };

export const HOUR_MS = 3_600_000;
/** An hour counts until it lies a whole day back, so no 24 hours ever hold more than the limit. */
export const COUNTED_HOURS = 24;
/** Unlinking a lost device may go so far over the limit, µT: a thief must not be able to prevent it by spending what is left. */
const UNLINKING_RESERVE_UT = 1_000_000;

/** What an intent takes from the account, and for whom. */
export function spendOf(intent: Intent, { totalUt, from }: Pick<IntentSummary, "totalUt" | "from">, state: SpendingState): Spend {
  switch (intent.kind) {
    case "pay":
    case "requestContact":
      return { payee: payeeOf(intent.to, from), totalUt };
    case "openChannel":
      return {
        payee: payeeOf(intent.to, from),
        totalUt,
        channel: { id: intent.channelId.toLowerCase(), coveredUt: intent.amountUt },
      };
    case "closeChannel": {
      // With a voucher it is the payee who closes, and the money comes.
      if (intent.voucher !== undefined) return { payee: "none", totalUt };
      const promise = spendOfVoucher(state, intent.channelId, intent.paidUt);
      return { ...promise, payee: promise.totalUt > 0 ? payeeOf(intent.to, from) : "none", totalUt: totalUt + promise.totalUt };
    }
    case "callContract":
      return { payee: intent.amountUt > 0 ? "unknown" : "none", totalUt, isCall: true };
    case "unlinkDevice":
      return { payee: "none", totalUt, isUnlinking: true };
    default:
      return { payee: "none", totalUt };
  }
}

/** What a voucher promises beyond what was counted for its channel. Whose channel it is the keyring cannot know. */
export function spendOfVoucher(state: SpendingState, channelId: string, paidUt: AmountUt): Spend {
  const id = channelId.toLowerCase();
  const covered = state.channels.find((channel) => channel.id === id)?.coveredUt ?? 0;
  const totalUt = Math.max(0, paidUt - covered);
  return { payee: totalUt > 0 ? "unknown" : "none", totalUt, channel: { id, coveredUt: Math.max(covered, paidUt) } };
}

/** What the rules say at a time, ms since the first rule. */
export function judgeSpend(stored: SpendingState, spend: Spend, nowMs: number): SpendingVerdict {
  const state = settledState(stored, nowMs);
  const { dailyUt } = state.rules;
  const { totalUt, isUnlinking = false } = spend;
  if (isForbidden(state, spend)) return { kind: "forbidden" };
  if (dailyUt !== null && totalUt > leftUt(state, nowMs, isUnlinking ? UNLINKING_RESERVE_UT : 0))
    return { kind: "overLimit", dailyUt, leftUt: leftUt(state, nowMs), fitsInMs: fitsInMs(state, totalUt, nowMs) };
  return isUnlinking ? { kind: "allowed" } : judgeDelay(state, spend);
}

function isForbidden({ rules: { only } }: SpendingState, { payee, isCall = false }: Spend): boolean {
  if (only === null || (payee === "none" && !isCall)) return false;
  return isCall || typeof payee !== "object" || !only.includes(payee.key);
}

function judgeDelay({ rules: { delay }, paid }: SpendingState, { payee, totalUt }: Spend): SpendingVerdict {
  if (delay === null) return { kind: "allowed" };
  const { delayMs, aboveUt, firstTime } = delay;
  if (aboveUt !== null && totalUt > aboveUt) return { kind: "waits", delayMs, because: "large" };
  const isKnown = payee === "none" || (typeof payee === "object" && paid.includes(shortKey(payee.key)));
  return firstTime && !isKnown ? { kind: "waits", delayMs, because: "firstTime" } : { kind: "allowed" };
}

/** The state with looser rules in force once they have waited. */
export function settledState(state: SpendingState, nowMs: number): SpendingState {
  const { loosened, ...rest } = state;
  return loosened === undefined || nowMs < loosened.fromMs ? state : { ...rest, rules: loosened.rules };
}

/** What counts at a time, µT. */
export function spentUt({ spent }: SpendingState, nowMs: number): AmountUt {
  return spent.filter(({ hour }) => hourOf(nowMs) - hour <= COUNTED_HOURS).reduce((sum, { amountUt }) => sum + amountUt, 0);
}

/** What is left of the limit, µT; nothing where more was spent. */
export function leftUt(state: SpendingState, nowMs: number, reserveUt: AmountUt = 0): AmountUt {
  return Math.max(0, (state.rules.dailyUt ?? Number.MAX_SAFE_INTEGER) + reserveUt - spentUt(state, nowMs));
}

/** The hour of a time. */
export function hourOf(nowMs: number): number {
  return Math.floor(nowMs / HOUR_MS);
}

/** By what a key, or an id, is remembered. */
export function shortKey(hex: string): string {
  return hex.slice(0, 2 * SHORT_BYTES);
}

/** True when nothing is left to hold anything to. */
export function isIdle({ rules, loosened, waiting }: SpendingState): boolean {
  return areSameRules(rules, NO_RULES) && loosened === undefined && waiting.length === 0;
}

/** @throws CodedError SPENDING_RECIPIENT, SPENDING_LIMIT, SPENDING_DELAY for anything but `allowed`. */
export function requireAllowed(verdict: SpendingVerdict): void {
  switch (verdict.kind) {
    case "forbidden":
      throw new CodedError("SPENDING_RECIPIENT", "The spending rules allow payments to chosen contacts alone");
    case "overLimit": {
      const { dailyUt, leftUt: left, fitsInMs: inMs } = verdict;
      const words = `Over the daily limit of ${formatAmount(dailyUt)}: ${formatAmount(left)} left`;
      throw new CodedError("SPENDING_LIMIT", words, { details: { leftUt: left, ...(inMs !== null && { fitsInMs: inMs }) } });
    }
    case "waits":
      throw new CodedError("SPENDING_DELAY", "The spending rules make this wait before it is signed", {
        details: { delayMs: verdict.delayMs, because: verdict.because },
      });
    default:
  }
}

function payeeOf(to: string, from: string): Spend["payee"] {
  const key = to.toLowerCase();
  return key === from ? "none" : { key };
}

/** When enough hours no longer count; null where the limit itself is smaller. */
function fitsInMs(state: SpendingState, totalUt: AmountUt, nowMs: number): number | null {
  if (totalUt > (state.rules.dailyUt ?? 0)) return null;
  const hours = state.spent.map(({ hour }) => (hour + COUNTED_HOURS + 1) * HOUR_MS).sort((a, b) => a - b);
  const atMs = hours.find((ms) => ms > nowMs && leftUt(state, ms) >= totalUt);
  return atMs === undefined ? null : atMs - nowMs;
}
