import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "#shared/codec/codec.ts";
import { type LightBlock, lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { lightBlockOn, lightGenesis, untrusted } from "#test/support/worlds/light-world.ts";

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
