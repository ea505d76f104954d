import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode } from "#shared/codec/codec.ts";
import { encoded } from "#shared/codec/scalars.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { miniCbor } from "#test/support/codec/mini-cbor.ts";
import { strictlyDecoded } from "#test/support/codec/strict-cbor.ts";

const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.uint8Array({ maxLength: 300 }),
);
const value = fc.letrec<{ node: CborValue }>((tie) => ({
  node: fc.oneof({ depthSize: "xsmall" }, leaf, fc.array(tie("node"), { maxLength: 30 })),
})).node;

describe("CBOR", () => {
  it("agrees with a second encoder, and codecs take what it encoded", () => {
    fc.assert(
      fc.property(value, (item) => {
        const bytes = encodeCbor(item);
        expect(toHex(bytes)).toBe(miniCbor(item).toString("hex"));
        expect(toHex(decode(encoded, bytes))).toBe(toHex(bytes));
      }),
      { seed: 1 },
    );
  });

  it("is read by an independent library, with maps and long texts", () => {
    const bounds = fc.constantFrom(0, 23, 24, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER);
    const number = fc.oneof(
      bounds,
      bounds.map((n) => -1 - Math.min(n, Number.MAX_SAFE_INTEGER - 1)),
    );
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary", minLength: 60, maxLength: 300 }));
    const item = fc.letrec<{ node: CborValue }>((tie) => ({
      node: fc.oneof({ depthSize: "small" }, leaf, number, text, fc.array(tie("node")), fc.dictionary(text, tie("node"))),
    })).node;
    fc.assert(
      fc.property(item, (anything) => {
        expect(strictlyDecoded(encodeCbor(anything))).toEqual(anything);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it("is taken by codecs in no other form", () => {
    const byte = fc.oneof(
      fc.constantFrom(0x00, 0x18, 0x19, 0x38, 0x41, 0x58, 0x61, 0x80, 0x81, 0x82, 0x9f, 0xa1, 0xf4, 0xf6, 0xff),
      fc.nat(255),
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(byte, { minLength: 1, maxLength: 12 }), (raw) => {
        const bytes = Uint8Array.from(raw);
        try {
          decode(encoded, bytes);
        } catch {
          expect(() => strictlyDecoded(bytes)).toThrow();
          return;
        }
        accepted += 1;
        expect(toHex(encodeCbor(strictlyDecoded(bytes)))).toBe(toHex(bytes));
      }),
      { seed: 3, numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it("orders keys of maps by their encoded bytes", () => {
    expect(toHex(encodeCbor({ aa: 1, b: 2, a: 3 }))).toBe("a3616103616202626161" + "01");
  });

  it.each<[string, unknown]>([
    ["a fraction", 1.5],
    ["an unsafe integer", 2 ** 53],
    ["minus zero", -0],
    ["undefined", undefined],
    ["a bigint", 1n],
    ["a fraction inside", [[{ a: 0.1 }]]],
  ])("does not encode %s", (_name, item) => {
    expect(() => encodeCbor(item as CborValue)).toThrow(TypeError);
  });

  it.each([
    ["an integer in a longer form", "1800"],
    ["a length in a longer form", "5800"],
    ["an indefinite list", "9fff"],
    ["an indefinite text", "7f6161ff"],
    ["a float", "f93c00"],
    ["a float of 64 bits", "fb3ff0000000000000"],
    ["undefined", "f7"],
    ["a tag", "c001"],
    ["a bignum", "c249010000000000000000"],
    ["an unsafe integer", "1b0020000000000000"],
    ["keys out of order", "a2616201616101"],
    ["a key twice", "a2616101616101"],
    ["a key that is no text", "a10101"],
    ["text that is no UTF-8", "61ff"],
    ["a surrogate in text", "63eda080"],
    ["trailing bytes", "0101"],
    ["missing bytes", "4201"],
    ["nothing", ""],
  ])("codecs do not take %s", (_name, bytes) => {
    expect(() => decode(encoded, fromHex(bytes))).toThrow();
  });
});
