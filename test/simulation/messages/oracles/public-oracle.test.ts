import { expect, it } from "vitest";
import { PublicOracle } from "./public-oracle.ts";

it("leaves a secret for ten counted days, no longer and no shorter", () => {
  const oracle = new PublicOracle();
  oracle.note("first", 3);
  oracle.note("first", 5);
  oracle.note("second", 4);
  expect(oracle.difference(["first", "second"], 12)).toBeUndefined();
  expect(oracle.difference(["second"], 12), "gone too early").toBe("first");
  expect(oracle.difference(["first", "second"], 13), "there too long").toBe("first");
  expect(oracle.difference(["second"], 13)).toBeUndefined();
  expect(oracle.difference([], 14)).toBeUndefined();
});

it("knows what was drawn before an image alone, and takes nothing that was never drawn", () => {
  const oracle = new PublicOracle();
  oracle.note("first", 0);
  const image = oracle.copy();
  oracle.note("second", 1);
  expect(image.difference(["first"], 9)).toBeUndefined();
  expect(image.difference(["first", "second"], 9)).toBe("second");
  expect(oracle.difference(["first"], 9)).toBe("second");
});
