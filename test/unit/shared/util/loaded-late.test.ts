// Parts that are loaded with their first call, at a node that comes and goes.
import { expect, it } from "vitest";
import { loadedLate } from "#shared/util/loaded-late.ts";

it("loads once for all who ask, and again only after a failure", async () => {
  let loads = 0;
  let isAway = true;
  const part = loadedLate(async () => {
    loads += 1;
    await Promise.resolve();
    if (isAway) throw new TypeError("Failed to fetch dynamically imported module");
    return { loads };
  });
  expect(loads).toBe(0);
  const failed = await Promise.allSettled([part(), part()]);
  expect([failed.map(({ status }) => status), loads]).toEqual([["rejected", "rejected"], 1]);
  isAway = false;
  const [one, other] = await Promise.all([part(), part()]);
  expect(one).toEqual({ loads: 2 });
  expect(other).toBe(one);
  expect(await part()).toBe(one);
});
