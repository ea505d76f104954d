// When a node that ended by itself is started again, and when that is given up.
import { UNSAFE_VOTING_EXIT, WRONG_SETTINGS_EXIT } from "#shared/desktop/channels.ts";

/** What to do after an unexpected end. */
export type RestartDecision = { readonly kind: "restart"; readonly delayMs: number } | { readonly kind: "giveUp" };

const FIRST_DELAY_MS = 500;
const LAST_DELAY_MS = 30_000;
/** Ends without ever having served, in a row: the cause will not go away by itself. */
const MAX_FAILED_STARTS = 5;

export interface UnexpectedEnd {
  /** How many in a row, from 1. */
  readonly failures: number;
  /** The node had been ready since its last start. */
  readonly hasServed: boolean;
  readonly exitCode: number | null;
}

/** What to do about it. Wrong settings stay wrong, and a data folder that must not vote stays one: only the person can decide. */
export function decideRestart({ failures, hasServed, exitCode }: UnexpectedEnd): RestartDecision {
  if (exitCode === UNSAFE_VOTING_EXIT || exitCode === WRONG_SETTINGS_EXIT) return { kind: "giveUp" };
  if (!hasServed && failures >= MAX_FAILED_STARTS) return { kind: "giveUp" };
  return { kind: "restart", delayMs: Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - 1)) };
}
