import { describe, expect, it } from "vitest";
import { MAX_THUMBNAIL_BYTES, mayBeDecoded, mayHaveThumbnail } from "#renderer/features/inbox/composer/files/thumbnail.ts";

/** The beginning and end of a PNG that says to have these sides. */
function png(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(8 + 25 + 12);
  const view = new DataView(bytes.buffer);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  view.setUint32(8, 13);
  bytes.set(new TextEncoder().encode("IHDR"), 12);
  view.setUint32(16, width);
  view.setUint32(20, height);
  bytes.set([8, 6], 24);
  bytes.set(new TextEncoder().encode("IEND"), 37);
  return bytes;
}

describe("the small picture of a chosen file", () => {
  it("is drawn of pictures whose bytes say a bounded size, and of nothing else", () => {
    expect(mayBeDecoded(png(8_000, 8_000))).toBe(true);
    expect(mayBeDecoded(png(16_384, 16_384))).toBe(false);
    expect(mayBeDecoded(png(20_000, 10))).toBe(false);
    expect(mayBeDecoded(new TextEncoder().encode("<svg></svg>"))).toBe(false);
    expect(mayBeDecoded(png(100, 100).slice(0, 20))).toBe(false);
  });

  it("is not looked for in large files and other kinds", () => {
    expect(mayHaveThumbnail({ type: "image/png", size: MAX_THUMBNAIL_BYTES })).toBe(true);
    expect(mayHaveThumbnail({ type: "image/png", size: MAX_THUMBNAIL_BYTES + 1 })).toBe(false);
    expect(mayHaveThumbnail({ type: "image/svg+xml", size: 100 })).toBe(false);
    expect(mayHaveThumbnail({ type: "application/pdf", size: 100 })).toBe(false);
  });
});
