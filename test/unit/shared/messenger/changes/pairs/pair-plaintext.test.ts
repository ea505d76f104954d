import { describe, expect, it } from "vitest";
import type { KnownBody } from "#shared/content/content.ts";
import { decodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import type { LeavingContent } from "#shared/messenger/changes/pairs/leave-contents.ts";
import { pairPlaintext } from "#shared/messenger/changes/pairs/pair-plaintext.ts";
import { PAIR_FORM, PAIR_SIZES, pairSize } from "#shared/protocol/pairs/pair-wire.ts";

const INSTANCE = "01".repeat(8);

/** What is around a content of one pair: chains of different lengths. */
function leaving(last: number): LeavingContent {
  const sealTo = { id: INSTANCE, kem: new Uint8Array(1_216), x: new Uint8Array(32), psk: new Uint8Array(32) };
  const ack = { instance: INSTANCE, upTo: last, digest: INSTANCE, ranges: [] };
  const frame = { stream: { instance: INSTANCE, last, base: last }, place: last, ack };
  return { id: "02".repeat(16), position: last, sealTo, isPublic: false, frame, shown: undefined };
}

/** A body as long as this, and its copy, which names a chat. */
const body = (length: number): KnownBody => ({ kind: "attachment.chunk", id: "03".repeat(16), index: 0, data: new Uint8Array(length) });
const NAMED_BYTES = 70;

const BLOCK = { height: 3_000_000, hash: "04".repeat(32) };

/** Size classes of a text to a contact and of its copy. */
function sizes(length: number, areTwins: boolean): readonly (number | undefined)[] {
  const [text, copy] = [body(length), body(length + NAMED_BYTES)];
  const toPerson = pairPlaintext(leaving(3), { at: 1, block: BLOCK, body: text }, areTwins ? copy : undefined);
  const toOwn = pairPlaintext(leaving(70_000), { at: 1, body: copy }, areTwins ? text : undefined);
  return [toPerson, toOwn].map(({ plaintext }) => pairSize(plaintext.length, PAIR_FORM));
}

describe("a text and its copy", () => {
  it.each(PAIR_SIZES.slice(0, -1))("are of one size on both sides of %i bytes", (size) => {
    const lengths = Array.from({ length: 100 }, (_, step) => size - 2_100 + 12 * step).concat(
      Array.from({ length: 80 }, (_, step) => size - 900 + 12 * step),
    );
    const areEqual = (areTwins: boolean): readonly boolean[] =>
      lengths.map((length) => {
        const [text, copy] = sizes(length, areTwins);
        return text === copy;
      });
    expect(areEqual(true)).not.toContain(false);
    expect(areEqual(false)).toContain(false);
  });

  it("read as if nothing had been added", () => {
    const { plaintext } = pairPlaintext(leaving(3), { at: 1, body: body(1_500) }, body(1_500 + NAMED_BYTES));
    expect(pairSize(plaintext.length)).toBe(PAIR_SIZES[1]);
    const content = decodePairContent(plaintext);
    expect(content?.body).toEqual(body(1_500));
    expect(content).not.toHaveProperty("pad");
  });
});
