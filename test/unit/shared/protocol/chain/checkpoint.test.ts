import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { chooseCheckpoint, formatCheckpoint, parseCheckpoint } from "#shared/protocol/chain/checkpoint.ts";

const HASH = "ab".repeat(32);

describe("the text of a checkpoint", () => {
  it("is height and hash", () => {
    expect(parseCheckpoint(`1200:${HASH}`)).toEqual({ height: 1_200, hash: HASH });
    expect(parseCheckpoint(` 1:${HASH.toUpperCase()}\n`)).toEqual({ height: 1, hash: HASH });
    expect(formatCheckpoint({ height: 1_200, hash: HASH })).toBe(`1200:${HASH}`);
  });

  it.each([
    ["", "no checkpoint"],
    [HASH, "no checkpoint"],
    [`1:${HASH}:2`, "no checkpoint"],
    [`0:${HASH}`, "height"],
    [`-1:${HASH}`, "height"],
    [`1.5:${HASH}`, "height"],
    [`01:${HASH}`, "height"],
    [`9007199254740992:${HASH}`, "height"],
    [`:${HASH}`, "height"],
    ["5:", "hash"],
    [`5:${HASH.slice(1)}`, "hash"],
    [`5:${HASH.slice(1)}g`, "hash"],
  ])("%s is refused by its %s, with words", (text, named) => {
    expect(() => parseCheckpoint(text)).toThrow(named);
    expect(() => parseCheckpoint(text)).toThrow("1200:");
  });

  it("is read back, or refused as a wrong setting, whatever it is", () => {
    const nearly = fc.tuple(fc.integer(), fc.stringMatching(/^[0-9a-fA-F]{60,66}$/)).map(([height, hash]) => `${height}:${hash}`);
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 100 }), nearly), (text) => {
        try {
          const checkpoint = parseCheckpoint(text);
          expect(parseCheckpoint(formatCheckpoint(checkpoint))).toEqual(checkpoint);
        } catch (error) {
          expect(isCodedError(error, "CONFIG_INVALID")).toBe(true);
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe("the checkpoint to begin with", () => {
  const given = { height: 5, hash: HASH };
  const releases = { [HASH]: [given, { height: 9, hash: "cd".repeat(32) }] };

  it("is the given one, else the newest of the release for this network", () => {
    expect(chooseCheckpoint(HASH, given, releases)).toBe(given);
    expect(chooseCheckpoint(HASH, undefined, releases)?.height).toBe(9);
    expect(chooseCheckpoint("cd".repeat(32), undefined, releases)).toBeUndefined();
    expect(chooseCheckpoint("constructor", undefined)).toBeUndefined();
  });
});
