import { isUtf8 } from "node:buffer";
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
import { extent } from "#test/support/host/test-extent.ts";

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
      { seed: 4, numRuns: extent(1_250, 5_000) },
    );
  });

  it.each(["=", "-", "é", " ", "\u0100", "\u{1f600}"])("%j is found at any place of a long base64 text", (wrong) => {
    const text = toBase64(Uint8Array.from({ length: 15_001 }, (_, index) => (index * 31) & 255));
    expect(isBase64(text)).toBe(true);
    for (const at of [0, 8_190, 8_191, 8_192, 16_384, 20_000])
      expect(isBase64(text.slice(0, at) + wrong + text.slice(at + wrong.length))).toBe(false);
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
      { seed: 6, numRuns: extent(100, 300) },
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
      { seed: 5, numRuns: extent(167, 500) },
    );
  });

  it("reads and writes texts of every length as the runtime does, valid or not", () => {
    const [decoder, encoder] = [new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }), new TextEncoder()];
    const read = (decode: (bytes: Uint8Array) => string, bytes: Uint8Array): string => {
      try {
        return decode(bytes);
      } catch (error) {
        return (error as Error).name;
      }
    };
    // Overlong, surrogates, beyond the last character, cut off, and characters of each length, among ASCII of lengths about the bounds.
    const pieces = ["c080", "c1bf", "e08080", "eda080", "edbfbf", "f0808080", "f4908080", "f5", "80", "c3", "e282", "efbbbf", "00", "7f"]
      .concat(["c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbd", "efbfbf", "f0908080", "f48fbfbf"])
      .map(fromHex);
    const ascii = fc.tuple(fc.constantFrom(0, 1, 15, 16, 17, 63, 64, 65, 126, 127, 128, 129), fc.constantFrom(0x00, 0x41, 0x7f));
    const part = fc.oneof(
      fc.constantFrom(...pieces),
      fc.uint8Array({ maxLength: 4 }),
      ascii.map(([length, byte]) => new Uint8Array(length).fill(byte)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        const bytes = concatBytes(...parts);
        expect(read(fromUtf8, bytes)).toBe(read((given) => decoder.decode(given), bytes));
        expect(read(fromUtf8, bytes) !== "TypeError").toBe(isUtf8(bytes));
        // Each byte as a character, and each two as a unit, lone surrogates among them.
        const units = Array.from({ length: bytes.length >> 1 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
        for (const text of [toLatin1(bytes), String.fromCharCode(...units)]) {
          expect(utf8(text)).toEqual(encoder.encode(text));
          expect(utf8Length(text)).toBe(encoder.encode(text).length);
        }
      }),
      { seed: 16, numRuns: extent(500, 2_000) },
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
