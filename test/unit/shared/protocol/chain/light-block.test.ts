import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "#shared/codec/codec.ts";
import { type LightBlock, lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { commitSigners, leastCommit, verifyCommit } from "#shared/protocol/chain/vote.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { LIGHT_CHAIN_ID, LIGHT_RULES, lightBlockOn, lightGenesis, untrusted } from "#test/support/worlds/light-world.ts";

const SET = [1, 2, 3, 4];
const GENESIS = lightGenesis(SET);
const BLOCK = untrusted(lightBlockOn(GENESIS, SET, SET));

describe("bytes of a block for light nodes", () => {
  it("come back as the block", () => {
    expect(decode(lightBlockCodec, encode(lightBlockCodec, BLOCK))).toEqual(BLOCK);
    expect(decode(lightBlockCodec, encode(lightBlockCodec, GENESIS))).toEqual(untrusted(GENESIS));
  });

  it("of another shape are refused", () => {
    for (const value of [null, [], [1, 2, 3], [[], null, []], "x"]) expect(() => decode(lightBlockCodec, encodeCbor(value))).toThrow();
  });

  it("that are random are an error or the bytes of what was read, never anything else", () => {
    const bytes = encode(lightBlockCodec, BLOCK);
    const changed = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const copy = Uint8Array.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ mask;
      return copy;
    });
    const cut = fc.nat(bytes.length - 1).map((length) => bytes.slice(0, length));
    fc.assert(
      fc.property(fc.oneof(changed, cut, fc.uint8Array({ maxLength: 400 })), (input) => {
        let read: LightBlock;
        try {
          read = decode(lightBlockCodec, input);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          return;
        }
        expect(equalBytes(encode(lightBlockCodec, read), input)).toBe(true);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("the least commit", () => {
  it.each([1, 3, 4, 7, 9, 16, 100])("of a set of %i proves the block with no signature too many", (size) => {
    const set = Array.from({ length: size }, (_, index) => index);
    const genesis = lightGenesis(set);
    const quorum = Math.floor((2 * size) / 3) + 1;
    for (const signing of new Set([set, set.slice(0, quorum), set.slice(size - quorum)])) {
      const { commit, validators } = lightBlockOn(genesis, set, set, { signing });
      if (commit === null) throw new Error("it was signed");
      const least = leastCommit(commit, size);
      expect(least.signatures).toHaveLength(quorum);
      expect(verifyCommit(LIGHT_CHAIN_ID, validators, least, LIGHT_RULES.verify)).toBe(true);
      expect(commitSigners(least, size)).toEqual(commitSigners(commit, size).slice(0, quorum));
    }
  });

  it("of too few signatures is that commit", () => {
    const { commit } = lightBlockOn(GENESIS, SET, SET, { signing: [1, 2] });
    expect(commit && leastCommit(commit, SET.length)).toEqual(commit);
  });
});
