// Which pictures are decoded for the screen: those whose size is known from their bytes and is bounded. Others stay files.
import { nameAt } from "./image-bytes.ts";
import { type MeasuredImage, measureImage } from "./image-size.ts";

/** Longest side of the small picture that announces another one, pixels. */
export const MAX_PREVIEW_SIDE = 96;
/** Longest side of the picture that people give themselves, pixels. */
export const MAX_PROFILE_PICTURE_SIDE = 128;
/** Pixels of a picture that is shown: as many as the largest that is sent. Decoded it takes four bytes each. */
export const MAX_SHOWN_PIXELS = 6_553_600;
/** Pixels of a picture that the person chose to send or to read a code from. */
export const MAX_CHOSEN_PIXELS = 67_108_864;
/** Longest side of a picture that is shown. */
export const MAX_SHOWN_SIDE = 16_384;
/** The flag of an animation in the header of an extended WebP. */
const WEBP_ANIMATION = 2;

/** The small picture, where it may be decoded at once: a WebP, as all programs of this kind send it, no larger than it has to be. */
export function shownPreview(bytes: Uint8Array): MeasuredImage | undefined {
  return smallWebp(bytes, MAX_PREVIEW_SIDE);
}

/** The picture that people give themselves, where it may be decoded at once: as {@link shownPreview}, and without motion in every list. */
export function shownProfilePicture(bytes: Uint8Array): MeasuredImage | undefined {
  return shownStill(bytes, MAX_PROFILE_PICTURE_SIDE);
}

/** A WebP without motion whose sides have so many pixels at most. */
export function shownStill(bytes: Uint8Array, maxSide: number): MeasuredImage | undefined {
  return isAnimatedWebp(bytes) ? undefined : smallWebp(bytes, maxSide);
}

/** True for a picture that is too large for a preview. */
export function isLargePreview(bytes: Uint8Array): boolean {
  const size = measureImage(bytes);
  return size !== undefined && Math.max(size.width, size.height) > MAX_PREVIEW_SIDE;
}

/** The picture, where it may be decoded; its type is what its bytes say, never what was claimed. */
export function shownImage(bytes: Uint8Array): MeasuredImage | undefined {
  const size = measureImage(bytes);
  if (size === undefined || Math.max(size.width, size.height) > MAX_SHOWN_SIDE) return undefined;
  return size.width * size.height <= MAX_SHOWN_PIXELS ? size : undefined;
}

/** What says of itself that it moves; a browser shows nothing else moving. */
function isAnimatedWebp(bytes: Uint8Array): boolean {
  return nameAt(bytes, 12) === "VP8X" && ((bytes[20] ?? 0) & WEBP_ANIMATION) !== 0;
}

function smallWebp(bytes: Uint8Array, maxSide: number): MeasuredImage | undefined {
  const size = measureImage(bytes);
  return size?.type === "image/webp" && Math.max(size.width, size.height) <= maxSide ? size : undefined;
}
