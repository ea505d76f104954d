// A chosen picture as others get it: the square in its middle, drawn anew, so nothing but its pixels leaves.
import { MAX_PROFILE_PICTURE_BYTES } from "#shared/content/chat/picture-content.ts";
import { measureImage } from "#shared/media/image-size.ts";
import { MAX_CHOSEN_PIXELS, MAX_PROFILE_PICTURE_SIDE } from "#shared/media/shown-image.ts";

/** The first with which the picture is small enough is taken. */
const QUALITIES = [0.9, 0.75, 0.6, 0.45, 0.3, 0.1];

const OF_PERSON = { side: MAX_PROFILE_PICTURE_SIDE, maxBytes: MAX_PROFILE_PICTURE_BYTES };

/** A WebP of so many pixels a side; undefined for what is no picture that this browser reads, or a giant one. */
export async function squarePicture(file: Blob, { side: drawn, maxBytes } = OF_PERSON): Promise<Uint8Array | undefined> {
  const size = measureImage(new Uint8Array(await file.arrayBuffer()));
  if (size === undefined || size.width * size.height > MAX_CHOSEN_PIXELS) return undefined;
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    const canvas = new OffscreenCanvas(drawn, drawn);
    const side = Math.min(bitmap.width, bitmap.height);
    const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2];
    const context = canvas.getContext("2d");
    if (context === null) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
    for (const quality of QUALITIES) {
      const blob = await canvas.convertToBlob({ type: "image/webp", quality });
      if (blob.size <= maxBytes) return new Uint8Array(await blob.arrayBuffer());
    }
    return undefined;
  } finally {
    bitmap.close();
  }
}
