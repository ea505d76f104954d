import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyCodec, type Codec, decode, encode, type TypeOf, tryDecode } from "#shared/codec/codec.ts";
import { list, mapped, named, nullable, record } from "#shared/codec/composites.ts";
import { map, omissible } from "#shared/codec/maps.ts";
import { bytes, bytesUpTo, encoded, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { strictlyDecoded, strictlyEncoded } from "#test/support/codec/strict-cbor.ts";
import { changed, changes } from "./mutate.ts";
import { samples } from "./random-codec.ts";

/** A million mutations were tried once (RUNS 100,000); these take a second. */
const RUNS = 400;
const BATCH = 10;

const attempt = (read: () => unknown): { readonly value: unknown } | undefined => {
  try {
    return { value: read() };
  } catch {
    return undefined;
  }
};

describe("codecs", () => {
  it("write what an independent library writes, and read it back", () => {
    const cases = samples.chain((sample) => fc.tuple(fc.constant(sample), fc.array(sample.values, { minLength: 1, maxLength: BATCH })));
    fc.assert(
      fc.property(cases, ([{ codec }, pairs]) => {
        for (const { value, tree } of pairs) {
          const encoding = encode(codec, value);
          expect(toHex(encoding)).toBe(toHex(strictlyEncoded(tree)));
          expect(decode(codec, encoding)).toEqual(value);
          // From inside a larger buffer, as databases and sockets give it.
          expect(decode(codec, Buffer.concat([Buffer.of(1), encoding, Buffer.of(2)]).subarray(1, -1))).toEqual(value);
        }
      }),
      { seed: 11, numRuns: RUNS },
    );
  });

  it("take and refuse what an independent library and the same rules on its tree take and refuse", () => {
    const cases = samples.chain((sample) =>
      fc.tuple(fc.constant(sample), fc.array(fc.tuple(sample.values, changes), { minLength: 1, maxLength: BATCH })),
    );
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(cases, ([{ codec, ofTree }, items]) => {
        for (const [{ tree }, list] of items) {
          const mutated = changed(strictlyEncoded(tree), list);
          const expected = attempt(() => ofTree(strictlyDecoded(mutated)));
          const got = attempt(() => decode(codec, mutated));
          counts[got === undefined ? "refused" : "accepted"] += 1;
          if (got !== undefined || expected !== undefined) expect(got, toHex(mutated)).toEqual(expected);
        }
      }),
      { seed: 12, numRuns: RUNS },
    );
    expect(counts.accepted).toBeGreaterThan(RUNS / 10);
    expect(counts.refused).toBeGreaterThan(RUNS);
  });

  it("define a record, its type and its bytes at once", () => {
    const payment = record({ payer: hex(2), amountUt: integer(1), memo: textUpTo(8), paidAt: nullable(integer()) });
    const value: TypeOf<typeof payment> = { payer: "beef", amountUt: 5, memo: "hé", paidAt: null };
    expect(toHex(encode(payment, value))).toBe("8442beef056368c3a9f6");
    expect(decode(payment, fromHex("8442beef056368c3a9f6"))).toEqual(value);
  });

  it("copy the byte strings that they give out", () => {
    const encoding = Buffer.from(encode(bytesUpTo(), Uint8Array.of(1, 2)));
    const part = decode(bytesUpTo(), encoding);
    encoding.fill(0);
    expect(part).toEqual(Uint8Array.of(1, 2));
  });

  it("encode values that hold values which are encoded while they are", () => {
    const inner = record({ a: textUpTo(), b: list(integer()) });
    const outer = mapped(
      list(bytesUpTo()),
      (parts) => parts.map((part) => decode(inner, part)),
      (parts) => parts.map((part) => encode(inner, part)),
    );
    const values = [1, 2, 3].map((n) => ({ a: "é".repeat(n * 700), b: Array.from({ length: n * 500 }, (_, i) => i) }));
    expect(decode(outer, encode(outer, values))).toEqual(values);
    expect(decode(list(named("it", outer)), encode(list(named("it", outer)), [{ it: values }]))).toEqual([{ it: values }]);
  });

  it("read back a text that begins with a byte order mark", () => {
    expect(decode(textUpTo(), encode(textUpTo(), "\ufeffa"))).toBe("\ufeffa");
  });

  it("can be used again after a value that has no encoding", () => {
    const lists = list(integer(0, 9));
    expect(() => encode(lists, [1, 2, 10])).toThrow(RangeError);
    expect(toHex(encode(lists, [1, 2]))).toBe("820102");
  });

  it.each<[string, AnyCodec, unknown]>([
    ["a fraction", integer(), 0.5],
    ["an unsafe integer", integer(), 2 ** 53],
    ["minus zero", integer(), -0],
    ["not a number", integer(), Number.NaN],
    ["an integer below its range", integer(1), 0],
    ["an integer above its range", integer(0, 9), 10],
    ["a text that is too long", textUpTo(3), "éé"],
    ["a text that is too short", textUpTo(3, 1), ""],
    ["an unpaired surrogate", textUpTo(), "\ud800"],
    ["bytes of another length", bytes(2), new Uint8Array(3)],
    ["hex of another length", hex(2), "abc"],
    ["what is no hex", hex(2), "abcg"],
    ["a list that is too long", list(integer(), 1), [1, 2]],
    ["a list that is too short", list(integer(), 2, 1), []],
  ])("do not encode %s", (_name, of, value) => {
    expect(() => encode(of as Codec<unknown>, value)).toThrow();
  });

  it("order the keys of a map by their encoding, and know no key twice", () => {
    const codec = map({ aa: integer(), b: integer(), a: omissible(integer()) });
    expect(toHex(encode(codec, { aa: 1, b: 2, a: 3 }))).toBe("a361610361620262616101");
    expect(toHex(encode(codec, { aa: 1, b: 2 }))).toBe("a261620262616101");
    expect(decode(codec, fromHex("a3616202616305" + "62616101"))).toEqual({ aa: 1, b: 2 });
    for (const wrong of ["a26261610161 6202", "a3616202616202 62616101", "a16161 03", "a3616202 01 02 62616101"])
      expect(() => decode(codec, fromHex(wrong.replaceAll(" ", "")))).toThrow(TypeError);
  });

  it("bound the depth of what they do not know without limits, too", () => {
    expect(tryDecode(encoded, fromHex(`${"81".repeat(64)}80`))).toBeDefined();
    expect(tryDecode(encoded, fromHex(`${"81".repeat(100_000)}80`))).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ["a number", "01", true],
    ["three levels", "818100", true],
    ["three levels of lists", "81818100", true],
    ["four levels of lists", "8181818100", false],
    ["empty maps", "82a0a0", true],
    ["ten items", `89${"00".repeat(9)}`, true],
    ["eleven items", `8a${"00".repeat(10)}`, false],
    ["two items", "0000", false],
    ["nothing", "", false],
    ["an unfinished list", "8200", false],
    ["an indefinite list", "9f00ff", false],
    ["a tag", "c000", false],
    ["a text longer than the bytes", "7900ff61", false],
    ["a reserved length", "1c", false],
    ["three levels of maps", "a16161a16161a16161f6", true],
    ["four levels of maps", "a16161a16161a16161a16161f6", false],
    ["nine items in a map and its keys", "a46161f66162f66163f66164f6", true],
    ["eleven items in a map and its keys", "a56161f66162f66163f66164f66165f6", false],
  ])("bound the depth and the items of what they do not know: %s", (_, bytes, isBounded) => {
    expect(tryDecode(encoded, fromHex(bytes), { maxDepth: 3, maxItems: 10 }) !== undefined).toBe(isBounded);
  });

  it("refuse four million items by the head of the list, before one is built", () => {
    const hostile = new Uint8Array(4 * 1_048_576).fill(0x80);
    hostile.set(fromHex("9a003ffffb"));
    const before = process.memoryUsage().heapUsed;
    for (const of of [list(list(integer()), 100), record({ a: integer() }), map({}), textUpTo(), bytesUpTo()])
      expect(tryDecode(of as Codec<unknown>, hostile)).toBeUndefined();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1_048_576);
  });
});
