import { expect, it } from "vitest";
import { DaysOracle, type Reading } from "./days-oracle.ts";

const HOUR_MS = 3_600_000;
const at = (world: number, block: number, skew = 0): Reading => ({
  worldMs: world * HOUR_MS,
  skewMs: skew * HOUR_MS,
  blockMs: block * HOUR_MS,
});

it("finds a day that counts though the chain stood still, and one that does not count", () => {
  const oracle = new DaysOracle();
  oracle.note(0, at(100, 50));
  oracle.note(0, at(130, 60));
  oracle.note(1, at(130, 70));
  oracle.note(1, at(110, 95));
  oracle.note(2, at(131, 95));
  expect(oracle.wrong).toBeUndefined();
  const image = oracle.copy();
  oracle.note(3, at(160, 96));
  expect(oracle.wrong).toContain("counts 3 days");
  image.note(2, at(151, 115));
  expect(image.wrong).toContain("counts 2 days");
});

it("finds a day that counts by a clock that a person moved", () => {
  const oracle = new DaysOracle();
  oracle.note(0, at(100, 100));
  oracle.note(0, at(101, 101, 87_600));
  expect(oracle.wrong).toBeUndefined();
  oracle.note(1, at(119, 119, 87_600));
  expect(oracle.wrong).toContain("counts 1 days, and both clocks 0");
});
