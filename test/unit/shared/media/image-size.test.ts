// What a picture says of its size, read before it is decoded. The samples are real headers; nothing here decodes a picture.
import { describe, expect, it } from "vitest";
import { measureImage } from "#shared/media/image-size.ts";
import {
  isLargePreview,
  MAX_PREVIEW_SIDE,
  MAX_SHOWN_PIXELS,
  shownImage,
  shownPreview,
  shownProfilePicture,
} from "#shared/media/shown-image.ts";
import {
  gif,
  jpeg,
  PNG_DATA,
  PNG_END,
  PNG_SIGNATURE,
  png,
  pngChunk,
  segment,
  webp,
  webpChunk,
  webpFile,
} from "#test/support/host/sample-images.ts";

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const u16le = (value: number): Buffer => Buffer.from([value & 255, value >> 8]);
const u24le = (value: number): Buffer => Buffer.from([value & 255, (value >> 8) & 255, value >> 16]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);

function losslessWebp(width: number, height: number): Buffer {
  const bits = (width - 1) | ((height - 1) << 14);
  return webpChunk("VP8L", Buffer.from([0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, (bits >>> 24) & 255]));
}
const lossyWebp = (width: number, height: number): Buffer =>
  webpChunk("VP8 ", Buffer.concat([Buffer.from([0x10, 0, 0, 0x9d, 1, 0x2a]), u16le(width), u16le(height), Buffer.alloc(4)]));
const canvas = (width: number, height: number): Buffer =>
  webpChunk("VP8X", Buffer.concat([Buffer.from([2, 0, 0, 0]), u24le(width - 1), u24le(height - 1)]));
const frame = (width: number, height: number, bitmap: Buffer): Buffer =>
  webpChunk("ANMF", Buffer.concat([u24le(0), u24le(0), u24le(width - 1), u24le(height - 1), Buffer.alloc(4), bitmap]));
const bigPng = (width: number, height: number): Buffer =>
  Buffer.concat([
    PNG_SIGNATURE,
    pngChunk("IHDR", Buffer.concat([u32(width), u32(height), Buffer.from([8, 0, 0, 0, 0])])),
    PNG_DATA,
    PNG_END,
  ]);
const sizeSegment = (code: number, width: number, height: number): Buffer =>
  segment(code, Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0]));
const jpegOf = (...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 0xff, 0xd9])]);
function gifOf(screen: readonly [number, number], ...frames: readonly (readonly [number, number, number, number])[]): Buffer {
  const images = frames.map(([left, top, width, height]) =>
    Buffer.concat([Buffer.from([0x2c]), ...[left, top, width, height].map(u16le), Buffer.from([0, 2, 1, 0, 0])]),
  );
  return Buffer.concat([Buffer.from("GIF89a"), u16le(screen[0]), u16le(screen[1]), Buffer.from([0, 0, 0]), ...images, Buffer.from([0x3b])]);
}

describe("the size of a picture", () => {
  it.each([
    ["PNG", png(undefined), "image/png"],
    ["JPEG", jpeg(6), "image/jpeg"],
    ["WebP", webp(6), "image/webp"],
    ["GIF", gif(), "image/gif"],
  ])("is found in a whole %s", (_, bytes, type) => {
    expect(measureImage(bytes)).toMatchObject({ type });
  });

  it.each([
    ["a PNG", bigPng(16_384, 9_000), [16_384, 9_000]],
    ["a JPEG", jpegOf(segment(0xe1, Buffer.from("Exif")), sizeSegment(0xc0, 16_000, 12)), [16_000, 12]],
    ["a progressive JPEG with fill bytes", jpegOf(Buffer.from([0xff, 0xff]), sizeSegment(0xc2, 7, 9)), [7, 9]],
    ["a JPEG with two frames", jpegOf(sizeSegment(0xc0, 8, 8), sizeSegment(0xc2, 16_000, 16_000)), [16_000, 16_000]],
    ["a lossy WebP", webpFile(lossyWebp(1_000, 2_000)), [1_000, 2_000]],
    ["a lossless WebP", webpFile(losslessWebp(16_384, 16_384)), [16_384, 16_384]],
    ["a WebP whose bitmap is larger than its canvas", webpFile(canvas(96, 96), losslessWebp(16_384, 16_384)), [16_384, 16_384]],
    ["a WebP whose canvas is larger", webpFile(canvas(16_777_216, 1), losslessWebp(4, 4)), [16_777_216, 4]],
    ["a WebP with a large frame", webpFile(canvas(96, 96), frame(50, 50, losslessWebp(50, 9_999))), [96, 9_999]],
    ["a GIF", gifOf([20, 30], [0, 0, 20, 30]), [20, 30]],
    ["a GIF whose frame is larger than its screen", gifOf([1, 1], [0, 0, 60_000, 60_000]), [60_000, 60_000]],
    ["a GIF whose second frame is elsewhere", gifOf([10, 10], [0, 0, 10, 10], [65_000, 0, 500, 5]), [65_500, 10]],
  ])("is the largest that %s names", (_, bytes, [width, height]) => {
    expect(measureImage(bytes)).toMatchObject({ width, height });
  });

  it("is unknown for what is cut off, empty or of another format", () => {
    for (const bytes of [
      png(undefined),
      jpeg(undefined),
      webp(undefined),
      gif(),
      webpFile(canvas(9, 9), frame(9, 9, losslessWebp(9, 9))),
    ]) {
      for (let end = 0; end < bytes.length; end += 1) expect(() => measureImage(bytes.subarray(0, end))).not.toThrow();
      expect(measureImage(bytes.subarray(0, 15))).toBeUndefined();
    }
    const others = ["BM", "\0\0\x01\0", "\0\0\0\x1cftypavif", "<svg xmlns='http://www.w3.org/2000/svg'/>", "II*\0", "", "GIF89a"];
    for (const text of others)
      expect(measureImage(Buffer.concat([Buffer.from(text, "latin1"), Buffer.alloc(text === "" ? 0 : 64)]))).toBeUndefined();
    expect(measureImage(jpegOf(sizeSegment(0xc0, 5, 0)))).toBeUndefined();
    expect(measureImage(bigPng(0, 5))).toBeUndefined();
  });
});

describe("what is decoded for the screen", () => {
  it("is a preview of 96 pixels at most, and a WebP", () => {
    const attack = webpFile(losslessWebp(16_384, 16_384));
    expect(attack.length).toBeLessThan(40);
    for (const refused of [
      attack,
      webpFile(losslessWebp(97, 1)),
      webpFile(canvas(96, 96), losslessWebp(96, 97)),
      bigPng(9, 9),
      gif(),
      new Uint8Array(3),
    ])
      expect(shownPreview(refused)).toBeUndefined();
    expect([attack, webpFile(losslessWebp(97, 1)), bigPng(1, 97)].map(isLargePreview)).toEqual([true, true, true]);
    expect([webpFile(losslessWebp(96, 96)), new Uint8Array(3)].map(isLargePreview)).toEqual([false, false]);
    expect(shownPreview(webpFile(losslessWebp(MAX_PREVIEW_SIDE, MAX_PREVIEW_SIDE)))).toBeDefined();
    expect(shownPreview(webpFile(lossyWebp(96, 54)))).toBeDefined();
  });

  it("is a picture of a person that does not move", () => {
    const extended = (flags: number): Buffer =>
      webpFile(webpChunk("VP8X", Buffer.concat([Buffer.from([flags, 0, 0, 0]), u24le(127), u24le(127)])), losslessWebp(128, 128));
    expect(shownProfilePicture(webpFile(losslessWebp(128, 128)))).toBeDefined();
    expect(shownProfilePicture(extended(0x10))).toBeDefined();
    for (const refused of [extended(0x12), webpFile(canvas(9, 9), frame(9, 9, losslessWebp(9, 9))), webpFile(losslessWebp(129, 1))])
      expect(shownProfilePicture(refused)).toBeUndefined();
  });

  it("is a picture with as many pixels as are sent, by what its bytes say", () => {
    expect(shownImage(bigPng(2_560, 2_560))).toMatchObject({ type: "image/png" });
    expect(2_560 * 2_560).toBe(MAX_SHOWN_PIXELS);
    for (const refused of [bigPng(2_561, 2_560), bigPng(16_385, 1), webpFile(losslessWebp(16_384, 16_384)), Buffer.from("BM")])
      expect(shownImage(refused)).toBeUndefined();
  });
});
