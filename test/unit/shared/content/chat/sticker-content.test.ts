// The mark of a sticker: read strictly, for small pictures alone, and no reason to lose the picture.
import { describe, expect, it } from "vitest";
import { decodeBody, encodeBody } from "#shared/content/body-codecs.ts";
import { isOneEmoji } from "#shared/content/chat/one-emoji.ts";
import { isOwnSticker, isStickerSized, MAX_STICKER_BYTES, MAX_STICKER_SIDE } from "#shared/content/chat/sticker-content.ts";
import type { AttachmentBody } from "#shared/content/content.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/primitives/cbor.ts";
import { gif, smallWebp, webpFile, webpHeader } from "#test/support/host/sample-images.ts";

const IMAGE = { width: MAX_STICKER_SIDE, height: 9, preview: new Uint8Array([7]) };
const FILE = { name: "sticker.webp", type: "image/webp", size: MAX_STICKER_BYTES, key: new Uint8Array(32), digest: new Uint8Array(32) };
const WIRE = { ...FILE, image: IMAGE, sticker: "🙂" };
const BODY: AttachmentBody = {
  kind: "attachment",
  name: "sticker.webp",
  mediaType: "image/webp",
  size: MAX_STICKER_BYTES,
  key: "00".repeat(32),
  digest: "00".repeat(32),
  caption: "",
  image: IMAGE,
  sticker: "🙂",
};

const read = (fields: Readonly<Record<string, CborValue>>): unknown => decodeBody("attachment", encodeCbor(fields));
const withoutMark = ({ sticker: _, ...body }: AttachmentBody): AttachmentBody => body;

describe("the mark of a sticker", () => {
  it("is carried by a small picture, and leaves one without it as it was", () => {
    expect(decodeBody("attachment", encodeBody(BODY))).toEqual(BODY);
    expect(read(WIRE)).toEqual(BODY);
    expect(encodeBody(withoutMark(BODY))).toEqual(encodeCbor({ ...FILE, caption: "", image: IMAGE }));
  });

  it.each<[string, CborValue]>([
    ["no text", 7],
    ["a list", ["🙂"]],
    ["empty", ""],
    ["a word", "smile"],
    ["two emoji", "🙂🙂"],
    ["an emoji with a blank", "🙂 "],
    ["an emoji behind a control character", "\u0007🙂"],
    ["an emoji that turns the text around it", "\u202e🙂"],
    ["a joiner alone", "\u200d"],
    ["a digit", "1"],
    ["a long tail of joined emoji", Array.from({ length: 40 }, () => "👩").join("\u200d")],
    ["giant", "🙂".repeat(50_000)],
  ])("that is %s is no reason to lose the picture", (_, sticker) => {
    expect(read({ ...WIRE, sticker })).toEqual(withoutMark(BODY));
  });

  it.each<[string, Readonly<Record<string, CborValue>>, Partial<AttachmentBody>]>([
    ["a file", { type: "application/pdf" }, { mediaType: "application/pdf" }],
    ["a picture of a format that is not shown", { type: "image/svg+xml" }, { mediaType: "image/svg+xml" }],
    ["a large file", { size: MAX_STICKER_BYTES + 1 }, { size: MAX_STICKER_BYTES + 1 }],
    ["a wide picture", { image: { ...IMAGE, width: 513 } }, { image: { ...IMAGE, width: 513 } }],
    ["a high picture", { image: { ...IMAGE, height: 513 } }, { image: { ...IMAGE, height: 513 } }],
    ["a picture with a text", { caption: "Look" }, { caption: "Look" }],
    ["a recording", { voice: { ms: 9, wave: new Uint8Array() } }, { voice: { durationMs: 9, waveform: "" } }],
  ])("counts for nothing on %s, and is not written there", (_, fields, expected) => {
    expect(read({ ...WIRE, ...fields })).toEqual({ ...withoutMark(BODY), ...expected });
    expect(() => encodeBody({ ...BODY, ...expected })).toThrow(RangeError);
  });

  it("counts for nothing without the sides of a picture, and is not written without an emoji", () => {
    expect(read({ ...FILE, sticker: "🙂" })).toEqual({ ...withoutMark(BODY), image: null });
    for (const sticker of ["", "smile", "🙂🙂"]) expect(() => encodeBody({ ...BODY, sticker })).toThrow(TypeError);
  });
});

describe("the emoji of a sticker", () => {
  it.each(["🙂", "❤️", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "👋🏿", "🏴‍☠️"])("may be %s", (emoji) => expect(isOneEmoji(emoji)).toBe(true));
  it.each(["❤", "a", "#", "👋🏿👋", "\u{1f3fb}\u{1f3fb}"])("is not %j", (emoji) => expect(isOneEmoji(emoji)).toBe(false));
});

describe("bytes of a sticker", () => {
  it("are measured, whatever was announced", () => {
    expect(isStickerSized(smallWebp(MAX_STICKER_SIDE))).toBe(true);
    expect(isStickerSized(gif())).toBe(true);
    expect(isStickerSized(smallWebp(MAX_STICKER_SIDE + 1))).toBe(false);
    expect(isStickerSized(Buffer.concat([smallWebp(9), Buffer.alloc(MAX_STICKER_BYTES)]))).toBe(false);
    expect(isStickerSized(Buffer.from("no picture"))).toBe(false);
  });

  it("are those of a WebP without motion among one's own", () => {
    expect(isOwnSticker(smallWebp(MAX_STICKER_SIDE))).toBe(true);
    expect(isOwnSticker(smallWebp(MAX_STICKER_SIDE + 1))).toBe(false);
    expect(isOwnSticker(gif())).toBe(false);
    const bitmap = smallWebp(9).subarray(12);
    expect(isOwnSticker(webpFile(webpHeader(0), bitmap))).toBe(true);
    expect(isOwnSticker(webpFile(webpHeader(2), bitmap))).toBe(false);
    expect(isOwnSticker(Buffer.concat([smallWebp(9), Buffer.alloc(MAX_STICKER_BYTES)]))).toBe(false);
  });
});
