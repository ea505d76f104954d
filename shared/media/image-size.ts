// How large a picture becomes when it is decoded, read from its bytes before any decoder sees them: 36 bytes can say 16,384 × 16,384.
// The largest size that the file names anywhere counts. What is cut off, contradicts itself or is of another format has no size.
import { hasText, nameAt, viewOf } from "./image-bytes.ts";
import { type ImageType, imageTypeOf } from "./image-type.ts";

/** Sides in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A picture's format and size. */
export interface MeasuredImage extends ImageSize {
  readonly type: ImageType;
}

/** Frames and segments that are looked at; an honest picture has fewer. */
const MAX_PARTS = 16_384;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

const READERS: { readonly [T in ImageType]: (bytes: Uint8Array) => ImageSize | undefined } = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
  "image/gif": gifSize,
};

/** Format and size of a picture, or undefined for bytes that are none of PNG, JPEG, WebP and GIF, or malformed. */
export function measureImage(bytes: Uint8Array): MeasuredImage | undefined {
  const type = imageTypeOf(bytes);
  if (type === undefined) return undefined;
  try {
    const size = READERS[type](bytes);
    return size === undefined || size.width < 1 || size.height < 1 ? undefined : { type, ...size };
  } catch (error) {
    // A field beyond the end.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function largest(sizes: readonly ImageSize[]): ImageSize | undefined {
  if (sizes.length === 0) return undefined;
  return { width: Math.max(...sizes.map(({ width }) => width)), height: Math.max(...sizes.map(({ height }) => height)) };
}

/** Frames of an animation are no larger than the picture. */
function pngSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  return nameAt(bytes, 12) === "IHDR" && view.getUint32(8) === 13 ? { width: view.getUint32(16), height: view.getUint32(20) } : undefined;
}

/** Every frame header up to the first scan; a height that comes after it is not known before decoding. */
function jpegSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  const sizes: ImageSize[] = [];
  let at = 2;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const marker = markerAt(view, at);
    if (marker === undefined) return undefined;
    const { code } = marker;
    at = marker.end;
    if (code === START_OF_SCAN) return sizes.some(({ height }) => height === 0) ? undefined : largest(sizes);
    if (code === END_OF_IMAGE) return undefined;
    if (isFrameHeader(code)) sizes.push({ height: view.getUint16(at + 3), width: view.getUint16(at + 5) });
    if (!isBareMarker(code)) at += view.getUint16(at);
  }
  return undefined;
}

/** The marker at a position, after any number of fill bytes. */
function markerAt(view: DataView, start: number): { readonly code: number; readonly end: number } | undefined {
  let at = start;
  while (view.getUint8(at) === 0xff) at += 1;
  return at === start ? undefined : { code: view.getUint8(at), end: at + 1 };
}

/** Start of frame, and of a hierarchical one. */
function isFrameHeader(code: number): boolean {
  return (code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)) || code === 0xde;
}

/** Without a length. */
function isBareMarker(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd8);
}

function webpSize(bytes: Uint8Array): ImageSize | undefined {
  const end = 8 + viewOf(bytes).getUint32(4, true);
  if (end > bytes.length) return undefined;
  const sizes = webpChunkSizes(bytes, 12, end);
  return sizes && largest(sizes);
}

/** Sizes that chunks name: of the canvas, of each frame and of each bitmap in it. */
function webpChunkSizes(bytes: Uint8Array, start: number, end: number): readonly ImageSize[] | undefined {
  const view = viewOf(bytes);
  const sizes: ImageSize[] = [];
  for (let at = start, part = 0; at + 8 <= end; part += 1) {
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (body + length > end || part >= MAX_PARTS) return undefined;
    const found = webpSizesIn(bytes, nameAt(bytes, at), body, body + length);
    if (found === undefined) return undefined;
    sizes.push(...found);
    at = body + length + (length % 2);
  }
  return sizes;
}

function webpSizesIn(bytes: Uint8Array, name: string, at: number, end: number): readonly ImageSize[] | undefined {
  const view = viewOf(bytes.subarray(0, end));
  const u24 = (position: number): number => view.getUint16(position, true) | (view.getUint8(position + 2) << 16);
  switch (name) {
    case "VP8X":
      return [{ width: u24(at + 4) + 1, height: u24(at + 7) + 1 }];
    case "VP8 ": {
      const isKeyFrame = (view.getUint8(at) & 1) === 0 && hasText(bytes, at + 3, "\x9d\x01\x2a");
      return isKeyFrame ? [{ width: view.getUint16(at + 6, true) & 0x3fff, height: view.getUint16(at + 8, true) & 0x3fff }] : undefined;
    }
    case "VP8L": {
      const bits = view.getUint32(at + 1, true);
      return view.getUint8(at) === 0x2f ? [{ width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }] : undefined;
    }
    case "ANMF": {
      const size = { width: 2 * u24(at) + u24(at + 6) + 1, height: 2 * u24(at + 3) + u24(at + 9) + 1 };
      const inside = webpChunkSizes(bytes, at + 16, end);
      return inside && [size, ...inside];
    }
    default:
      return [];
  }
}

/** The screen and every frame on it: browsers grow the screen to the first one. */
function gifSize(bytes: Uint8Array): ImageSize | undefined {
  const view = viewOf(bytes);
  const sizes = [{ width: view.getUint16(6, true), height: view.getUint16(8, true) }];
  let at = 13 + tableBytes(view.getUint8(10));
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const block = view.getUint8(at);
    if (block === 0x3b) return largest(sizes);
    if (block === 0x2c) {
      const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as [
        number,
        number,
        number,
        number,
      ];
      sizes.push({ width: left + width, height: top + height });
      at = afterBlocks(view, at + 10 + tableBytes(view.getUint8(at + 9)) + 1);
    } else if (block === 0x21) at = afterBlocks(view, at + 2);
    else return undefined;
  }
  return undefined;
}

function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterBlocks(view: DataView, start: number): number {
  let at = start;
  while (view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
  return at + 1;
}
