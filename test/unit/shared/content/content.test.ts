import { encode } from "cborg";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasBoundedShape } from "#shared/content/cbor-shape.ts";
import type { ContentFrame, IncomingContent, KnownBody, OutgoingContent } from "#shared/content/content.ts";
import { MAX_RECEIPT_IDS, MAX_TEXT_BYTES } from "#shared/content/content.ts";
import { frameContent, MAX_PLAINTEXT_BYTES, MIN_PLAINTEXT_BYTES } from "#shared/content/content-frame.ts";
import { decodePlaintext } from "#shared/content/decode-content.ts";
import { encodeContent } from "#shared/content/encode-content.ts";
import { padmeLength } from "#shared/content/padme.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { boxKeyPair, envelopeBytes, sealEnvelope } from "#shared/protocol/envelope.ts";
import { MAX_ENVELOPE_BYTES } from "#shared/protocol/limits.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/read-vectors.ts";

interface Case<Body> {
  readonly name: string;
  readonly body: Body;
  readonly plaintext: string;
}

const golden = readVectors<{
  readonly frame: ContentFrame;
  readonly known: readonly Case<KnownBody>[];
  readonly later: readonly Case<Record<string, unknown>>[];
  readonly padme: readonly (readonly [number, number])[];
}>("content.json");

const ID = "01".repeat(16);
const fields = (kind: string, body: CborValue): { readonly [key: string]: CborValue } => ({
  id: fromHex(golden.frame.id),
  from: fromHex(golden.frame.from),
  dev: fromHex(golden.frame.fromDevice),
  to: fromHex(golden.frame.to),
  chain: golden.frame.chainId,
  at: golden.frame.at,
  kind,
  body,
});
const withByte = (bytes: Uint8Array, offset: number, value: number): Uint8Array => bytes.with(offset, value);
const plaintextOf = (value: CborValue): Uint8Array => frameContent(encodeCbor(value));

describe("golden plaintexts", () => {
  it.each(golden.known)("$name is written and read", ({ body, plaintext }) => {
    expect(toHex(encodeContent({ ...golden.frame, body }))).toBe(plaintext);
    expect(decodePlaintext(fromHex(plaintext))).toEqual({ form: "content", content: { ...golden.frame, body } });
  });

  it.each(golden.later)("$name is read", ({ body, plaintext }) => {
    const decoded = decodePlaintext(fromHex(plaintext));
    const content = decoded.form === "content" ? decoded.content : undefined;
    const seen = content?.body.kind === "unknown" ? { ...content.body, raw: toHex(content.body.raw) } : content?.body;
    expect(seen).toEqual(body);
  });

  it.each(golden.padme)("Padmé of %i is %i", (length, padded) => {
    expect(padmeLength(length)).toBe(padded);
  });
});

describe("padding", () => {
  it("makes all short contents the same size", () => {
    const sizes = ["a", "a".repeat(250)].map((text) => encodeContent({ ...golden.frame, body: { kind: "text", text } }).length);
    expect(sizes).toEqual([MIN_PLAINTEXT_BYTES, MIN_PLAINTEXT_BYTES]);
  });

  it("never shrinks, grows by at most 12 %, and is a fixed point", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_PLAINTEXT_BYTES }), (length) => {
        const padded = padmeLength(length);
        expect(padded).toBeGreaterThanOrEqual(length);
        expect(padded).toBeLessThanOrEqual(Math.ceil(length * 1.12));
        expect(padmeLength(padded)).toBe(padded);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("leaves the largest plaintext within the limit of envelopes", () => {
    expect(padmeLength(MAX_PLAINTEXT_BYTES)).toBe(MAX_PLAINTEXT_BYTES);
    const seal = (length: number): number =>
      envelopeBytes(
        sealEnvelope({
          plaintext: new Uint8Array(length),
          recipientPub: toHex(boxKeyPair(new Uint8Array(32).fill(1)).publicKey),
          sender: boxKeyPair(new Uint8Array(32).fill(2)),
          senderMasterPub: "aa".repeat(32),
          nonce: new Uint8Array(24),
          sentAt: Number.MAX_SAFE_INTEGER,
        }),
      );
    expect(seal(MAX_PLAINTEXT_BYTES)).toBeLessThanOrEqual(MAX_ENVELOPE_BYTES);
    expect(seal(padmeLength(MAX_PLAINTEXT_BYTES + 1))).toBeGreaterThan(MAX_ENVELOPE_BYTES);
  });
});

const hex = (bytes: number): fc.Arbitrary<string> => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
const at = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const ids = fc.array(hex(16), { minLength: 1, maxLength: MAX_RECEIPT_IDS });
const textBody = fc.record({ kind: fc.constant("text" as const), text });
const anyBody: fc.Arbitrary<KnownBody> = fc.oneof(
  textBody,
  fc.record({ kind: fc.constant("receipt" as const), status: fc.constantFrom("delivered" as const, "read" as const), ids }),
  fc.record({ kind: fc.constant("sync.sent" as const), peer: hex(32), id: hex(16), at, body: textBody }),
  fc.record({ kind: fc.constant("sync.read" as const), peer: hex(32), ids }),
);
const anyContent: fc.Arbitrary<OutgoingContent> = fc.record({
  id: hex(16),
  from: hex(32),
  fromDevice: hex(32),
  to: hex(32),
  chainId: fc.string({ minLength: 1, maxLength: 32 }),
  at,
  body: anyBody,
});

describe("contents", () => {
  it("survive writing and reading", () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        expect(decodePlaintext(encodeContent(content))).toEqual({ form: "content", content });
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it("damaged anywhere give something else or nothing, never an exception", () => {
    fc.assert(
      fc.property(anyContent, fc.nat(), fc.integer({ min: 1, max: 255 }), (content, position, change) => {
        const plaintext = encodeContent(content);
        const offset = position % plaintext.length;
        plaintext[offset] = (plaintext[offset] ?? 0) ^ change;
        const decoded = decodePlaintext(plaintext);
        expect(decoded).not.toEqual({ form: "content", content });
        expect(decodePlaintext(plaintext.subarray(0, offset)).form).not.toBe("content");
      }),
      { seed: 13, numRuns: 400 },
    );
  });

  it("are found in no random bytes, framed or not, without an exception", () => {
    const check = (bytes: Uint8Array): void => {
      expect(["plain", "invalid", "newer"]).toContain(decodePlaintext(bytes).form);
    };
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), check), { seed: 17, numRuns: 500 });
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }).map(frameContent), check), { seed: 19, numRuns: 500 });
    fc.assert(
      fc.property(fc.object({ maxDepth: 6, values: [fc.integer({ min: 0 }), fc.string(), fc.uint8Array()] }), (value) =>
        check(frameContent(encode(value))),
      ),
      { seed: 23, numRuns: 200 },
    );
  });
});

describe("plain text of other programs", () => {
  it("is shown as it is", () => {
    expect(decodePlaintext(utf8("hello from a shell"))).toEqual({ form: "plain", text: "hello from a shell" });
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["no UTF-8", Uint8Array.of(0xfe, 0x00)],
  ])("is not %s", (_, bytes) => {
    expect(decodePlaintext(bytes)).toEqual({ form: "invalid" });
  });
});

describe("refused contents", () => {
  const body = { text: "x" };
  const valid = fields("text", body);
  const without = (name: string): CborValue => Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
  const cases: readonly (readonly [string, Uint8Array])[] = [
    ["a list instead of a map", plaintextOf([valid])],
    ...Object.keys(valid).map((name) => [`no ${name}`, plaintextOf(without(name))] as const),
    ["a short id", plaintextOf({ ...valid, id: new Uint8Array(15) })],
    ["a negative time", plaintextOf({ ...valid, at: -1 })],
    ["an empty text", plaintextOf(fields("text", { text: "" }))],
    ["a long text", plaintextOf(fields("text", { text: "x".repeat(MAX_TEXT_BYTES + 1) }))],
    ["a receipt of no message", plaintextOf(fields("receipt", { status: "read", ids: [] }))],
    ["a receipt of too many", plaintextOf(fields("receipt", { status: "read", ids: Array(MAX_RECEIPT_IDS + 1).fill(fromHex(ID)) }))],
    ["a receipt of another status", plaintextOf(fields("receipt", { status: "eaten", ids: [fromHex(ID)] }))],
    [
      "a sent receipt",
      plaintextOf(fields("sync.sent", { peer: fromHex(golden.frame.to), id: fromHex(ID), at: 1, kind: "receipt", body: {} })),
    ],
    ["a kind that is no name", plaintextOf(fields("Sync Sent", {}))],
    ["a long fallback", plaintextOf({ ...fields("later", {}), fallback: "x".repeat(1025) })],
    [
      "keys out of order",
      frameContent(
        encode(
          new Map([
            ["zz", 1],
            ["a", 1],
          ]),
          { mapSorter: () => 0 },
        ),
      ),
    ],
    ["nesting", frameContent(new Uint8Array(100_000).fill(0x81))],
    ["too many items", plaintextOf({ ...valid, x: Array(5_000).fill(0) })],
    ["a length beyond its bytes", frameContent(Uint8Array.of(0x9b, 0, 0, 0, 1, 0, 0, 0, 0))],
    ["padding that is not zero", withByte(plaintextOf(valid), -1, 1)],
    ["padding that is too long", concatBytes(plaintextOf(valid), new Uint8Array(300))],
    ["an unpadded frame", concatBytes(Uint8Array.of(0xff, 0x50, 0x4c, 0x59, 1, 0, 0, 0, 1, 0xa0))],
    ["version 0", withByte(plaintextOf(valid), 4, 0)],
    ["a frame cut in its head", Uint8Array.of(0xff, 0x50, 0x4c, 0x59, 1, 0)],
  ];

  it("has a valid start", () => {
    expect(decodePlaintext(plaintextOf(valid)).form).toBe("content");
  });

  it.each(cases)("%s", (_, plaintext) => {
    expect(decodePlaintext(plaintext)).toEqual({ form: "invalid" });
  });

  it("a later version is named, not refused", () => {
    expect(decodePlaintext(withByte(plaintextOf(valid), 4, 2))).toEqual({ form: "newer", version: 2 });
  });

  it.each<[string, IncomingContent["body"]]>([
    ["an empty text", { kind: "text", text: "" }],
    ["a long text", { kind: "text", text: "é".repeat(MAX_TEXT_BYTES / 2 + 1) }],
    ["a receipt of nothing", { kind: "receipt", status: "read", ids: [] }],
    ["a receipt of too many", { kind: "receipt", status: "read", ids: Array(MAX_RECEIPT_IDS + 1).fill(ID) }],
  ])("are not written either: %s", (_, wrong) => {
    expect(() => encodeContent({ ...golden.frame, body: wrong as KnownBody })).toThrow(RangeError);
  });
});

describe("shape", () => {
  const limits = { maxDepth: 3, maxItems: 10 };
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
  ])("%s", (_, bytes, isBounded) => {
    expect(hasBoundedShape(fromHex(bytes), limits)).toBe(isBounded);
  });
});
