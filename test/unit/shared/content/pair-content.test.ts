// Contents of a pair by vectors of another implementation, and bytes of those who mean harm.
import { encode } from "cborg";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePlaintext, encodeContent } from "#shared/content/content-codec.ts";
import { type IncomingPairContent, MAX_ACK_RANGES, MAX_LOST_CARDS, type OutgoingPairContent } from "#shared/content/pairs/pair-content.ts";
import { decodePairContent, encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import type { ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import { readVectors } from "#test/support/codec/read-vectors.ts";

type Shown = Omit<OutgoingPairContent, "card"> & { readonly card?: Readonly<Record<keyof ShownCard, string>> };
interface Case {
  readonly name: string;
  readonly content: Shown;
  readonly bytes: string;
}

const { contents } = readVectors<{ readonly contents: readonly Case[] }>("pairs.json");

function contentOf({ card, ...rest }: Shown): OutgoingPairContent {
  if (card === undefined) return rest;
  const { id, kem, x, psk, signature } = card;
  return { ...rest, card: { id, kem: fromHex(kem), x: fromHex(x), psk: fromHex(psk), signature: fromHex(signature) } };
}

describe.each(contents)("$name", ({ content, bytes }) => {
  it("is written and read as elsewhere", () => {
    expect(toHex(encodePairContent(contentOf(content)))).toBe(bytes);
    expect(decodePairContent(fromHex(bytes))).toEqual(contentOf(content));
  });

  it("is refused when it is cut off, or has bytes behind it", () => {
    const whole = fromHex(bytes);
    expect(decodePairContent(whole.subarray(0, -1))).toBeUndefined();
    expect(decodePairContent(Uint8Array.of(...whole, 0))).toBeUndefined();
  });
});

const STREAM = [new Uint8Array(8), 5, 4];
const BASE = { id: new Uint8Array(16), at: 1, stream: STREAM, kind: "text", body: { text: "Hi" } };
const gone = (positions: number, ids: number): object => ({
  kind: "resend.gone",
  body: {
    stream: new Uint8Array(8),
    positions: Array.from({ length: positions }, (_, at) => at + 1),
    ids: Array.from({ length: ids }, () => new Uint8Array(16)),
  },
});
const ack = (upTo: number, ranges: unknown): unknown => [new Uint8Array(8), upTo, new Uint8Array(8), ranges];

/** What is read of a map of another writer of deterministic CBOR. */
function read(fields: object): IncomingPairContent | undefined {
  return decodePairContent(encode({ ...BASE, ...fields }));
}

describe("bytes of a stranger", () => {
  it("are read where they keep to the format, with fields and items of later versions", () => {
    expect(read({})?.stream).toEqual({ instance: "00".repeat(8), last: 5, base: 4 });
    expect(read({ later: [1, 2, 3] })).toBeDefined();
    expect(read({ box: [new Uint8Array(32), new Uint8Array(32), 3, "more"] })?.box?.generation).toBe(3);
    expect(read({ stream: [...STREAM, 9] })?.stream.last).toBe(5);
    expect(read(gone(2, 2))?.body).toMatchObject({ kind: "resend.gone", positions: [1, 2], ids: ["00".repeat(16), "00".repeat(16)] });
    expect(read({ kind: "hologram", body: {} })?.body).toMatchObject({ kind: "unknown", name: "hologram" });
  });

  it.each([
    ["a base beyond the last position", { stream: [new Uint8Array(8), 5, 6] }],
    ["a box without a key", { box: [1, 2, 3] }],
    ["a box with a number that is none", { box: [new Uint8Array(32), new Uint8Array(32), 2 ** 32] }],
    ["a short instance", { stream: [new Uint8Array(7), 5, 4] }],
    ["no chain", { stream: undefined }],
    ["a place of zero", { place: 0 }],
    ["a place that was not given", { place: 6 }],
    ["a place beyond exact numbers", { stream: [new Uint8Array(8), 2 ** 53, 0] }],
    ["an overlapping range", { ack: ack(7, [[8, 9]]) }],
    ["a range that ends before it begins", { ack: ack(7, [[10, 9]]) }],
    [
      "ranges that touch",
      {
        ack: ack(1, [
          [3, 4],
          [5, 6],
        ]),
      },
    ],
    [
      "ranges out of order",
      {
        ack: ack(1, [
          [9, 9],
          [4, 4],
        ]),
      },
    ],
    [
      "too many ranges",
      {
        ack: ack(
          0,
          Array.from({ length: MAX_ACK_RANGES + 1 }, (_, at) => [2 + 2 * at, 2 + 2 * at]),
        ),
      },
    ],
    ["no lost card", { lost: [] }],
    ["too many lost cards", { lost: Array.from({ length: MAX_LOST_CARDS + 1 }, () => new Uint8Array(8)) }],
    [
      "a card with a short key",
      { card: [new Uint8Array(8), new Uint8Array(1215), new Uint8Array(32), new Uint8Array(32), new Uint8Array(64)] },
    ],
    ["a card of version 1", { card: [new Uint8Array(32), 1, new Uint8Array(32), new Uint8Array(64), new Uint8Array(64)] }],
    ["a long instance before", { after: new Uint8Array(9) }],
    ["a number for a body", { body: 7 }],
    ["fewer ids than positions that are gone", gone(2, 1)],
    ["more ids than positions that are gone", gone(1, 2)],
  ])("with %s are none", (_, fields) => {
    expect(read(fields)).toBeUndefined();
  });

  it("never throw, whatever they are", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => decodePairContent(bytes) === undefined || bytes.length > 20));
    const [sample] = contents as [Case];
    const whole = fromHex(sample.bytes);
    for (let at = 0; at < whole.length; at += 1) {
      const changed = whole.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      expect(() => decodePairContent(changed)).not.toThrow();
    }
  });
});

it("a content of version 1 shows a card, and older programs read it without", () => {
  const shown = contents.find(({ content }) => content.card !== undefined);
  const card = shown && contentOf(shown.content).card;
  if (card === undefined) throw new Error("no card among the vectors");
  const key = "aa".repeat(32);
  const frame = {
    id: "01".repeat(16),
    from: key,
    fromDevice: key,
    to: key,
    chainId: "parley-test",
    at: 1,
    body: { kind: "text", text: "Hi" } as const,
  };
  const pairCard = { instance: "05".repeat(8), card };
  expect(decodePlaintext(encodeContent({ ...frame, pairCard }))).toEqual({ form: "content", content: { ...frame, pairCard } });
  expect(decodePlaintext(encodeContent(frame))).toEqual({ form: "content", content: frame });
});
