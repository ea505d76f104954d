// A picture as a sticker: fitted into the largest square with its transparency, drawn anew, so nothing but its pixels stays.
import { isOwnSticker, MAX_STICKER_BYTES, MAX_STICKER_SIDE } from "#shared/content/chat/sticker-content.ts";
import { MAX_PREVIEW_BYTES } from "#shared/content/content.ts";
import { type ImageSize, measureImage } from "#shared/media/image-size.ts";
import { scrubImage } from "#shared/media/scrub-image.ts";
import { MAX_CHOSEN_PIXELS, MAX_PREVIEW_SIDE } from "#shared/media/shown-image.ts";
import type { OutgoingFile } from "#shared/messenger/model/message.ts";

/** The first with which the picture is small enough is taken. */
const QUALITIES = [0.9, 0.8, 0.7, 0.6, 0.45, 0.3, 0.15, 0.05];

/** Sides of a picture that fits into a square, pixels; none becomes larger. */
export function fittedInto(side: number, { width, height }: ImageSize): ImageSize {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The WebP of a sticker; what is one stays as it is. Undefined for what is no picture that this browser reads, a giant one, or one with more
 * in it than fits.
 */
export async function drawSticker(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (isOwnSticker(bytes)) return scrubImage(bytes).bytes;
  return drawnWithin(bytes, { side: MAX_STICKER_SIDE, maxBytes: MAX_STICKER_BYTES });
}

/** A sticker as it is sent. */
export async function outgoingSticker(emoji: string, bytes: Uint8Array): Promise<OutgoingFile> {
  const { width, height } = measureImage(bytes) ?? { width: MAX_STICKER_SIDE, height: MAX_STICKER_SIDE };
  const preview = (await drawnWithin(bytes, { side: MAX_PREVIEW_SIDE, maxBytes: MAX_PREVIEW_BYTES })) ?? new Uint8Array();
  return { name: "sticker.webp", mediaType: "image/webp", bytes, caption: "", image: { width, height, preview }, sticker: emoji };
}

async function drawnWithin(
  bytes: Uint8Array,
  { side, maxBytes }: { readonly side: number; readonly maxBytes: number },
): Promise<Uint8Array | undefined> {
  const size = measureImage(bytes);
  if (size === undefined || size.width * size.height > MAX_CHOSEN_PIXELS) return undefined;
  const picture = new Blob([new Uint8Array(bytes)], { type: size.type });
  const bitmap = await createImageBitmap(picture, { imageOrientation: "from-image" }).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    const { width, height } = fittedInto(side, bitmap);
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (context === null) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, width, height);
    for (const quality of QUALITIES) {
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      // A browser that writes no WebP writes PNG.
      if (blob.type === "image/webp" && blob.size <= maxBytes) return new Uint8Array(await blob.arrayBuffer());
    }
    return undefined;
  } finally {
    bitmap.close();
  }
}
