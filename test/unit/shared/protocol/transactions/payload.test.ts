import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "#shared/protocol/primitives/strict-json.ts";
import { decodePayload, encodePayload } from "#shared/protocol/transactions/payload.ts";
import { toBase64, utf8 } from "#shared/util/bytes.ts";

const decode = (text: string): unknown => decodePayload(toBase64(utf8(text)));

describe("payloads", () => {
  it("are compact JSON without undefined fields", () => {
    expect(encodePayload<"TRANSFER">({})).toBe("e30=");
    expect(decodePayload(encodePayload<"CONTACT_REQUEST">({ intro: "é" }))).toEqual({ intro: "é" });
    expect(decodePayload("")).toEqual({});
  });

  it.each([
    "[]",
    "null",
    "1",
    '"x"',
    "{",
    '{"a":1,"a":2}',
    '{"a":{"b":1,"b":2}}',
    '{"a":1,"\\u0061":2}',
    `{"a":${"[".repeat(8)}${"]".repeat(8)}}`,
  ])("%j is no payload", (text) => expect(decode(text)).toBeUndefined());

  it("keep the same key in different objects, and colons and quotes in texts", () => {
    const text = '{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\\"a\\":{[\\\\","d" :"a"}';
    expect(decode(text)).toEqual({ a: { a: 1 }, b: [{ a: 1 }, { a: 2 }], c: '"a":{[\\', d: "a" });
  });

  it("keep __proto__ an own key", () => {
    const value = decode('{"__proto__":1}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("strict JSON reads everything that JSON writes", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5, depthSize: "small" }), (text) => {
        expect(parseStrictJson(text, 10)).toEqual(JSON.parse(text));
      }),
      { seed: 1 },
    );
  });

  it("strict JSON survives nesting that only wants to hurt", () => {
    const text = "[".repeat(400_000) + "]".repeat(400_000);
    expect(() => parseStrictJson(text, 8)).toThrow();
  });
});
