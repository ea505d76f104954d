// What a person may set against spending, and which of two sets of rules is the stricter: tightening is free, loosening is not.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** Payments that wait before they are signed, and can be cancelled meanwhile. */
export interface SpendingDelay {
  /** {@link MIN_DELAY_MS} to {@link MAX_DELAY_MS}. */
  readonly delayMs: number;
  /** What costs more than this waits, µT; null: no amount does. */
  readonly aboveUt: AmountUt | null;
  /** What goes to a key that this keyring has not paid under the rule waits. */
  readonly firstTime: boolean;
}

/** Rules of one profile. */
export interface SpendingRules {
  /** The most that may leave in 24 hours, µT; null: no limit. */
  readonly dailyUt: AmountUt | null;
  readonly delay: SpendingDelay | null;
  /** Keys that may be paid; null: any. */
  readonly only: readonly PublicKeyHex[] | null;
}

/** No rule at all. */
export const NO_RULES: SpendingRules = { dailyUt: null, delay: null, only: null };
/** Keys that "contacts only" may name. */
export const MAX_ALLOWED_KEYS = 128;
/** Shortest delay. */
export const MIN_DELAY_MS = 60_000;
/** Longest delay: a week. */
export const MAX_DELAY_MS = 604_800_000;
/** How long a looser rule waits before it holds. */
export const LOOSENING_MS = 86_400_000;

/** The same rules in their only form: a delay that delays nothing is none, keys are in order and once. */
export function canonicalRules({ dailyUt, delay, only }: SpendingRules): SpendingRules {
  const delays = delay !== null && (delay.aboveUt !== null || delay.firstTime);
  return { dailyUt, delay: delays ? delay : null, only: only && [...new Set(only.map((key) => key.toLowerCase()))].sort() };
}

/** Rules that forbid what either of two canonical ones forbids. */
export function strictestRules(a: SpendingRules, b: SpendingRules): SpendingRules {
  return {
    dailyUt: smaller(a.dailyUt, b.dailyUt),
    delay: a.delay === null || b.delay === null ? (a.delay ?? b.delay) : longerDelay(a.delay, b.delay),
    only: a.only === null || b.only === null ? (a.only ?? b.only) : both(a.only, b.only),
  };
}

/** True when `after` allows something that `before` does not. Both are canonical. */
export function isLooser(before: SpendingRules, after: SpendingRules): boolean {
  return !areSameRules(strictestRules(before, after), after);
}

/** True for the same canonical rules. */
export function areSameRules(a: SpendingRules, b: SpendingRules): boolean {
  const isSameDelay =
    a.delay?.delayMs === b.delay?.delayMs && a.delay?.aboveUt === b.delay?.aboveUt && a.delay?.firstTime === b.delay?.firstTime;
  return a.dailyUt === b.dailyUt && isSameDelay && (a.only === null) === (b.only === null) && String(a.only) === String(b.only);
}

function longerDelay(a: SpendingDelay, b: SpendingDelay): SpendingDelay {
  return {
    delayMs: Math.max(a.delayMs, b.delayMs),
    aboveUt: smaller(a.aboveUt, b.aboveUt),
    firstTime: a.firstTime || b.firstTime,
  };
}

function both(a: readonly PublicKeyHex[], b: readonly PublicKeyHex[]): readonly PublicKeyHex[] {
  const other = new Set(b);
  return a.filter((key) => other.has(key));
}

/** Null is no limit. */
function smaller(a: AmountUt | null, b: AmountUt | null): AmountUt | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
