// Which emoji are offered first.
import { FIRST_RECENT } from "../emoji/first-recent.ts";

/** As many as fit above a short message on a telephone. */
const QUICK = 6;

/** Those that one used last, then common ones. */
export function quickChoices(recent: readonly string[]): readonly string[] {
  return [...new Set([...recent, ...FIRST_RECENT])].slice(0, QUICK);
}
