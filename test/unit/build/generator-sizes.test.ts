// A property that names a length of 600 must see inputs of about 600: fast-check alone would stop at ten.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksArbitrary } from "#test/support/chain/chain-traffic.ts";

const SAMPLES = 200;
/** The part of its maximum that a generator must reach. */
const NEAR = 0.9;

function longest(arbitrary: fc.Arbitrary<{ readonly length: number }>): number {
  return Math.max(...fc.sample(arbitrary, { seed: 1, numRuns: SAMPLES }).map(({ length }) => length));
}

describe("a generator that names a maximum", () => {
  it.each<[string, fc.Arbitrary<{ readonly length: number }>, number]>([
    ["bytes", fc.uint8Array({ maxLength: 600 }), 600],
    ["a text", fc.string({ maxLength: 300 }), 300],
    ["a text of graphemes", fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }).map((text) => [...text]), 300],
    ["a text of a pattern", fc.stringMatching(/^[a-z]{1,128}$/), 128],
    ["a list", fc.array(fc.nat(), { maxLength: 200 }), 200],
    ["a list of a letrec", fc.letrec((tie) => ({ node: fc.nat(), list: fc.array(tie("node"), { maxLength: 200 }) })).list as never, 200],
    ["a list without doubles", fc.uniqueArray(fc.nat(), { maxLength: 50 }), 50],
    ["a dictionary", fc.dictionary(fc.string(), fc.nat(), { maxKeys: 40 }).map((entries) => Object.keys(entries)), 40],
    ["blocks of a chain", blocksArbitrary, 8],
  ])("comes near it: %s", (_, arbitrary, maximum) => {
    expect(longest(arbitrary)).toBeGreaterThanOrEqual(Math.floor(maximum * NEAR));
  });

  it("leaves inputs without one short", () => {
    expect(longest(fc.array(fc.nat()))).toBeLessThanOrEqual(10);
  });
});
