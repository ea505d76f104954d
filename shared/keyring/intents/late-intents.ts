// What makes and signs transactions, loaded late: one reads and writes messages before one signs.
import { loadedLate } from "#shared/util/loaded-late.ts";

export const lateIntents = loadedLate(async () => {
  const [{ summarizeIntent }, { signIntent }] = await Promise.all([import("./intent-transaction.ts"), import("./sign-intent.ts")]);
  return { summarizeIntent, signIntent };
});
