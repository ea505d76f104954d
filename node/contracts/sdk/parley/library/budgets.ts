// Limits over time: at most so much within any period of a length, wherever the period begins. Spendings are counted in 24 parts of the
// period, so an amount becomes free again up to one part later than it could.

// @ts-nocheck — AssemblyScript, compiled by `parley contract build`.

import { blockTime, checkedAdd, demand, StorageMap } from "parley";

const PARTS: u64 = 24;
/** Parts that a period can touch: it may begin in the middle of one. */
const COUNTED: i32 = 25;
/** Number of the newest part, seconds of a part, and µT in each of them, the newest first. */
const HEAD_BYTES: i32 = 16;
const RECORD_BYTES: i32 = HEAD_BYTES + 8 * COUNTED;
export const MIN_PERIOD_S: u64 = 60;
export const MAX_PERIOD_S: u64 = 31_536_000;

@lazy const spendings = new StorageMap<string, ArrayBuffer>("budgets.spent");

/** Ends the call for a length that no period has. */
export function demandPeriod(periodS: u64): void {
  demand(periodS >= MIN_PERIOD_S && periodS <= MAX_PERIOD_S, "a period has 60 seconds to 365 days");
}

/** What was spent under a key in the parts that the period before now touches. */
export function spent(key: string, periodS: u64): u64 {
  const record = current(key, periodS);
  let sum: u64 = 0;
  for (let at = 0; at < COUNTED; at += 1) sum = checkedAdd<u64>(sum, load<u64>(changetype<usize>(record) + HEAD_BYTES + 8 * at));
  return sum;
}

/** Notes a spending; one that would go beyond the limit ends the call. */
export function spend(key: string, amount: u64, limit: u64, periodS: u64): void {
  demand(checkedAdd<u64>(spent(key, periodS), amount) <= limit, "the budget of the period does not suffice");
  const record = current(key, periodS);
  const newest = changetype<usize>(record) + HEAD_BYTES;
  store<u64>(newest, load<u64>(newest) + amount);
  spendings.set(key, record);
}

/** Forgets what was spent under a key. */
export function forget(key: string): void {
  spendings.remove(key);
}

/** The record of now: what lies more than a period back has fallen out of it, and so has all that was counted for another period. */
function current(key: string, periodS: u64): ArrayBuffer {
  demandPeriod(periodS);
  // Rounded up, so that 24 parts are never shorter than the period.
  const partS = (periodS + PARTS - 1) / PARTS;
  const part = blockTime() / partS;
  const record = new ArrayBuffer(RECORD_BYTES);
  const to = changetype<usize>(record);
  store<u64>(to, part);
  store<u64>(to, partS, 8);
  if (!spendings.has(key)) return record;
  const stored = spendings.get(key);
  demand(stored.byteLength == RECORD_BYTES, "a stored value has another type");
  const from = changetype<usize>(stored);
  const newest = load<u64>(from);
  if (load<u64>(from, 8) != partS || newest > part || part - newest >= <u64>COUNTED) return record;
  const passed = <i32>(part - newest);
  memory.copy(to + HEAD_BYTES + 8 * passed, from + HEAD_BYTES, 8 * (COUNTED - passed));
  return record;
}
