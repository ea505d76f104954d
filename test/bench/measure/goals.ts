// The project's goals as ratios and bounds, judged from what was measured.
import { round, table } from "./statistics.ts";

/** A figure beside what it should reach. */
export interface Goal {
  readonly what: string;
  readonly value: number;
  /** Behind the value, such as "× anvil" or "ms". */
  readonly unit: string;
  readonly bound: { readonly atLeast: number } | { readonly atMost: number };
  readonly isNoisy?: boolean;
}

/** True when the value is within its bound. */
export function isMet({ value, bound }: Goal): boolean {
  return "atLeast" in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** Table of all goals. */
export function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => {
    const { what, value, unit, bound, isNoisy = false } = goal;
    const target = "atLeast" in bound ? `≥ ${bound.atLeast}` : `≤ ${bound.atMost}`;
    return [what, `${round(value)} ${unit}`, target, `${isMet(goal) ? "met" : "missed"}${isNoisy ? " (noisy)" : ""}`];
  });
  return table("Goals", ["what", "measured", "goal", ""], rows);
}
