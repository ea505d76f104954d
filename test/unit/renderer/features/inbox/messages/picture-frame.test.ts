import { describe, expect, it } from "vitest";
import {
  filledFrame,
  frameOf,
  MAX_FRAME_HEIGHT,
  MAX_FRAME_WIDTH,
  MIN_FRAME_SIDE,
} from "#renderer/features/inbox/messages/files/picture-frame.ts";

describe("the frame of a picture", () => {
  it.each([
    [
      { width: 700, height: 1500 },
      { width: 164, height: 352 },
    ],
    [
      { width: 1500, height: 700 },
      { width: 480, height: 224 },
    ],
    [
      { width: 640, height: 420 },
      { width: 480, height: 315 },
    ],
    [
      { width: 120, height: 90 },
      { width: 120, height: 90 },
    ],
    [
      { width: 1, height: 2_560 },
      { width: MIN_FRAME_SIDE, height: MAX_FRAME_HEIGHT },
    ],
    [
      { width: 2_560, height: 1 },
      { width: MAX_FRAME_WIDTH, height: MIN_FRAME_SIDE },
    ],
    [
      { width: 0, height: 0 },
      { width: MIN_FRAME_SIDE, height: MIN_FRAME_SIDE },
    ],
  ])("of %o is %o", (size, frame) => {
    expect(frameOf(size)).toEqual(frame);
  });

  it("has the proportions of the picture, whatever its size", () => {
    for (let width = 200; width <= 2_560; width += 71)
      for (let height = 200; height <= 2_560; height += 83) {
        const frame = frameOf({ width, height });
        expect(frame.width).toBeLessThanOrEqual(MAX_FRAME_WIDTH);
        expect(frame.height).toBeLessThanOrEqual(MAX_FRAME_HEIGHT);
        if (Math.min(frame.width, frame.height) === MIN_FRAME_SIDE) continue;
        expect(Math.abs(frame.width / frame.height / (width / height) - 1)).toBeLessThan(0.02);
      }
  });
});

describe("the frame of a picture that fills its bubble", () => {
  it.each([
    [{ width: 480, height: 224 }, false, 480],
    [{ width: 480, height: 224 }, true, 480],
    [{ width: 164, height: 352 }, false, 164],
    [{ width: 164, height: 352 }, true, 240],
    [{ width: 48, height: 48 }, false, 128],
  ])("of %o, with a text: %j, is %i pixels wide", (frame, hasText, width) => {
    expect(filledFrame(frame, hasText)).toEqual({ width, height: frame.height });
  });
});
