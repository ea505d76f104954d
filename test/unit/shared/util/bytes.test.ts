import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareBytes,
  concatBytes,
  equalBytes,
  fromHex,
  fromUtf8,
  isBase64,
  isHex,
  toBase64,
  toHex,
  toLatin1,
  tryFromBase64,
  utf8,
  utf8Length,
} from "#shared/util/bytes.ts";

describe("bytes", () => {
  it("hex, base64 and latin1 agree with node's on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString("hex"));
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
        expect(toLatin1(bytes)).toBe(Buffer.from(bytes).toString("latin1"));
        expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
        expect(tryFromBase64(toBase64(bytes))).toEqual(bytes);
      }),
      { seed: 1 },
    );
  });

  it("base64 takes exactly the texts that it writes", () => {
    const character = fc.constantFrom("A", "B", "Q", "g", "w", "z", "9", "+", "/", "=", "-", "é", " ");
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 9 }), (text) => {
        const written = Buffer.from(text, "base64");
        expect(tryFromBase64(text)).toEqual(written.toString("base64") === text ? new Uint8Array(written) : undefined);
        expect(isBase64(text)).toBe(tryFromBase64(text) !== undefined);
      }),
      { seed: 4, numRuns: 5_000 },
    );
  });

  it("base64 of many bytes is as node's, and takes no other character at any place", () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.nat(), fc.constantFrom("=", "-", "é", " ", "\u0100"), (more, place, wrong) => {
        const bytes = Uint8Array.from({ length: 3_070 + more }, (_, index) => (index * 31 + more) & 255);
        const text = toBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString("base64"));
        expect(tryFromBase64(text)).toEqual(bytes);
        const at = place % text.replaceAll("=", "").length;
        expect(tryFromBase64(text.slice(0, at) + wrong + text.slice(at + 1))).toBeUndefined();
        const loose = text.replace(/[^=](=+)$/, "B$1");
        if (loose !== text) expect(tryFromBase64(loose)).toBeUndefined();
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it("counts the bytes of a text before it is encoded", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary", maxLength: 200 }),
          fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
        ),
        (text) => {
          expect(utf8Length(text)).toBe(utf8(text).length);
          expect(fromUtf8(utf8(text))).toBe(text.toWellFormed());
        },
      ),
      { seed: 5, numRuns: 500 },
    );
  });

  it.each(["YQ", "YQ=", "YR==", "YQ==\n", "Y Q==", "-_==", "YQ==YQ=="])("%j is not canonical base64", (text) => {
    expect(tryFromBase64(text)).toBeUndefined();
    expect(isBase64(text)).toBe(false);
  });

  it.each([
    ["abc", 1],
    ["zz", 1],
    ["a\n", 1],
    [undefined, 1],
    ["０１", 1],
    ["ab", 2],
  ])("%j is not hex of %i bytes", (text, length) => {
    expect(isHex(text, length)).toBe(false);
  });

  it("refuses text that is not UTF-8 and keeps a byte order mark", () => {
    expect(() => fromUtf8(Uint8Array.of(0xff))).toThrow(TypeError);
    expect(fromUtf8(utf8("\ufeffa"))).toBe("\ufeffa");
  });

  it("orders bytes as Buffer does", () => {
    const bytes = fc.uint8Array({ maxLength: 6, max: 3 });
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b));
        expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0);
        expect(concatBytes(a, b)).toEqual(new Uint8Array([...a, ...b]));
      }),
      { seed: 2 },
    );
  });
});
