// What was spent in a period that rolls on, in parts of it. A part counts until it lies a whole period back, so no stretch of time as long
// as the period ever holds more than the total.
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { PERIOD_PARTS } from "../app-limits.ts";
import { PERIODS_MS, type Period, type PeriodTotal } from "../scopes/scopes.ts";

/** Something that was spent, by the time of budgets. */
export interface Spending {
  readonly budgetMs: number;
  readonly amountUt: AmountUt;
}

/** What counts at a time. */
export function spentUt(spendings: Iterable<Spending>, period: Period, nowMs: number): AmountUt {
  const now = partOf(period, nowMs);
  let sum = 0;
  for (const { budgetMs, amountUt } of spendings) if (now - partOf(period, budgetMs) <= PERIOD_PARTS) sum += amountUt;
  return sum;
}

/** What is left of a total; nothing where more was approved than it holds. */
export function leftUt(spendings: Iterable<Spending>, { amountUt, period }: PeriodTotal, nowMs: number): AmountUt {
  return Math.max(0, amountUt - spentUt(spendings, period, nowMs));
}

function partOf(period: Period, timeMs: number): number {
  return Math.floor(timeMs / (PERIODS_MS[period] / PERIOD_PARTS));
}
