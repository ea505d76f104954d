// Amounts of a day: no one begins again by coming from many networks.
import { expect, it } from "vitest";
import { DayShares } from "#node/relay/keepers/carry/day-shares.ts";

it("counts so many parties apart, those beyond as one, and forgets none within the day", () => {
  const days = new DayShares(10, 2);
  expect(["a", "b", "c", "d"].map((party) => days.take(party, 0, 6))).toEqual([true, true, true, false]);
  expect(["a", "b", "c", "d"].map((party) => days.take(party, 1_000, 4))).toEqual([true, true, true, false]);
  expect(days.take("a", 86_399_999, 1)).toBe(false);
  expect(["d", "c", "a", "b"].map((party) => days.take(party, 86_400_000, 6))).toEqual([true, true, true, false]);
});

it("counts nothing of what it refuses", () => {
  const days = new DayShares(10, 2);
  expect([days.take("a", 0, 11), days.take("a", 0, 10), days.take("a", 0, 1)]).toEqual([false, true, false]);
});
