// The size of a sticker: fitted, never cut, never larger than the picture.
import { describe, expect, it } from "vitest";
import { drawSticker, fittedInto } from "#renderer/features/inbox/messages/parts/stickers/draw-sticker.ts";
import { smallWebp } from "#test/support/host/sample-images.ts";

describe("a picture that becomes a sticker", () => {
  it.each([
    [900, 300, 512, 171],
    [300, 900, 171, 512],
    [100, 60, 100, 60],
    [16_000, 1, 512, 1],
  ])("of %i × %i is drawn as %i × %i", (width, height, toWidth, toHeight) => {
    expect(fittedInto(512, { width, height })).toEqual({ width: toWidth, height: toHeight });
  });

  it("is taken as it is where it is one already", async () => {
    expect(await drawSticker(smallWebp(512))).toEqual(new Uint8Array(smallWebp(512)));
  });

  it("is not drawn where its bytes say no size, or a giant one", async () => {
    expect(await drawSticker(Buffer.from("no picture"))).toBeUndefined();
    expect(await drawSticker(smallWebp(16_384))).toBeUndefined();
  });
});
