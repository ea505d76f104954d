// Small pictures of chosen files. Nothing is decoded whose size its bytes do not say, or say to be too large; one file at a time.
import { measureImage } from "#shared/media/image-size.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import { MAX_CHOSEN_PIXELS, MAX_SHOWN_SIDE } from "#shared/media/shown-image.ts";

/** Larger files have no picture: they are read into memory to be measured. */
export const MAX_THUMBNAIL_BYTES = 33_554_432;
/** Side of a picture, pixels: 64 on a screen of twice the density. */
const SIDE = 128;
const TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);

let queue: Promise<unknown> = Promise.resolve();

/** True for a file that is small enough, of a kind that has a picture. */
export function mayHaveThumbnail({ type, size }: Pick<File, "type" | "size">): boolean {
  return TYPES.has(type) && size <= MAX_THUMBNAIL_BYTES;
}

/** True for bytes that say how large the picture is, where that is bounded. */
export function mayBeDecoded(bytes: Uint8Array): boolean {
  const size = measureImage(bytes);
  if (size === undefined || Math.max(size.width, size.height) > MAX_SHOWN_SIDE) return false;
  return size.width * size.height <= MAX_CHOSEN_PIXELS;
}

/** Its middle as a square, once those before are drawn; undefined where it has none, or is not wanted any more. */
export function thumbnailOf(file: File, signal: AbortSignal): Promise<Blob | undefined> {
  if (!mayHaveThumbnail(file)) return Promise.resolve(undefined);
  const drawn = queue.then(() => (signal.aborted ? undefined : drawnSmall(file))).catch(() => undefined);
  queue = drawn;
  return drawn;
}

async function drawnSmall(file: File): Promise<Blob | undefined> {
  if (!mayBeDecoded(new Uint8Array(await file.arrayBuffer()))) return undefined;
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const side = Math.min(bitmap.width, bitmap.height);
    const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
    const canvas = new OffscreenCanvas(SIDE, SIDE);
    canvas.getContext("2d")?.drawImage(bitmap, left, top, side, side, 0, 0, SIDE, SIDE);
    return await canvas.convertToBlob({ type: "image/webp", quality: 0.8 });
  } finally {
    bitmap.close();
  }
}
