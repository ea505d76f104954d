// The frame of a picture in a chat: as large as there is room for, in the proportions that were announced. Pure.

/** Widest and highest that a picture is shown, pixels. */
export const MAX_FRAME_WIDTH = 480;
export const MAX_FRAME_HEIGHT = 352;
/** A picture of one line of pixels can still be seen and pressed. */
export const MIN_FRAME_SIDE = 48;

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The frame of a sticker, whatever its size is. */
export const STICKER_FRAME: PictureSize = { width: 160, height: 160 };

/** The frame, pixels; never larger than the picture unless that is tiny. */
export function frameOf({ width, height }: PictureSize): PictureSize {
  const scale = Math.min(1, MAX_FRAME_WIDTH / Math.max(1, width), MAX_FRAME_HEIGHT / Math.max(1, height));
  return { width: framedSide(width * scale), height: framedSide(height * scale) };
}

/** Narrowest that a bubble with a picture is: its time, or a text beneath, has room. */
const MIN_FILLED_WIDTH = 128;
const MIN_WIDTH_ABOVE_TEXT = 240;

/** The frame as it fills a bubble: a narrow picture has room at its sides. */
export function filledFrame({ width, height }: PictureSize, hasText: boolean): PictureSize {
  return { width: Math.max(width, hasText ? MIN_WIDTH_ABOVE_TEXT : MIN_FILLED_WIDTH), height };
}

function framedSide(length: number): number {
  return Math.max(MIN_FRAME_SIDE, Math.round(length));
}
