// How much of an amount is released at a time: nothing until the cliff, then evenly, everything at the end.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { mulDiv } from "parley";

/** Rounded down, and never less than at an earlier time; at the end exactly the total, so that nothing is left by rounding. */
export function released(total: u64, start: u64, cliffS: u64, durationS: u64, now: u64): u64 {
  if (now < start || now - start < cliffS) return 0;
  const elapsed = now - start;
  return elapsed >= durationS ? total : mulDiv(total, elapsed, durationS);
}
