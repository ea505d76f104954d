// When a node that ended by itself is started again, and when that is given up.

/** What to do after an unexpected end. */
export type RestartDecision = { readonly kind: "restart"; readonly delayMs: number } | { readonly kind: "giveUp" };

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 30_000;
/** Ends without ever having served, in a row: the cause will not go away by itself. */
const MAX_FAILED_STARTS = 5;

/** Decision after the `failures`-th end in a row (from 1); `hasServed`: the node had been ready since its last start. */
export function decideRestart(failures: number, hasServed: boolean): RestartDecision {
  if (!hasServed && failures >= MAX_FAILED_STARTS) return { kind: "giveUp" };
  return { kind: "restart", delayMs: Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) };
}
