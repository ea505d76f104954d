// The form of the spending rules: what was typed, and the rules that it means.
import { readAmount, typedAmount } from "#renderer/lib/transactions/amount-input.ts";
import { MAX_ALLOWED_KEYS, type SpendingRules } from "#shared/keyring/intents/spending/spending-rules.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Choices for the delay, minutes. */
export const DELAY_MINUTES = [5, 30, 60, 360, 1_440] as const;

const MINUTE_MS = 60_000;

/** What is in the form. */
export interface SpendingDraft {
  readonly hasLimit: boolean;
  readonly limit: string;
  readonly hasDelay: boolean;
  readonly minutes: number;
  /** Empty: no amount waits. */
  readonly above: string;
  readonly firstTime: boolean;
  readonly only: readonly PublicKeyHex[] | null;
}

/** The form of rules. */
export function draftOfRules({ dailyUt, delay, only }: SpendingRules, locale: string): SpendingDraft {
  const typed = (amountUt: number | null | undefined): string =>
    amountUt === null || amountUt === undefined ? "" : typedAmount(amountUt, locale);
  return {
    hasLimit: dailyUt !== null,
    limit: typed(dailyUt),
    hasDelay: delay !== null,
    minutes: delay === null ? 30 : Math.round(delay.delayMs / MINUTE_MS),
    above: typed(delay?.aboveUt),
    firstTime: delay?.firstTime ?? true,
    only,
  };
}

/** The rules of a form, or which field cannot be read. */
export function rulesOfDraft(draft: SpendingDraft, locale: string): SpendingRules | { readonly wrong: "limit" | "above" | "delay" } {
  const { hasLimit, limit, hasDelay, minutes, above, firstTime, only } = draft;
  const daily = readAmount(limit, locale);
  if (hasLimit && daily.kind !== "ok") return { wrong: "limit" };
  const aboveAmount = readAmount(above, locale);
  if (hasDelay && aboveAmount.kind !== "ok" && aboveAmount.kind !== "empty") return { wrong: "above" };
  if (hasDelay && aboveAmount.kind === "empty" && !firstTime) return { wrong: "delay" };
  return {
    dailyUt: hasLimit && daily.kind === "ok" ? daily.amountUt : null,
    delay: hasDelay ? { delayMs: minutes * MINUTE_MS, aboveUt: aboveAmount.kind === "ok" ? aboveAmount.amountUt : null, firstTime } : null,
    only: only?.slice(0, MAX_ALLOWED_KEYS) ?? null,
  };
}

/** True where saving would change something, or where a field cannot be read: what only looks different does not count. */
export function meansOther(draft: SpendingDraft, before: SpendingDraft, locale: string): boolean {
  return JSON.stringify(rulesOfDraft(draft, locale)) !== JSON.stringify(rulesOfDraft(before, locale));
}
