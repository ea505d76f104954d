// Files before they are sent. Pictures are redrawn, so nothing but their pixels leaves: no location, no camera, no name of a program.

import { MAX_FILE_BYTES, MAX_PREVIEW_BYTES, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { measureImage } from "#shared/media/image-size.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import { scrubImage } from "#shared/media/scrub-image.ts";
import { MAX_CHOSEN_PIXELS, MAX_PREVIEW_SIDE } from "#shared/media/shown-image.ts";
import type { OutgoingFile } from "#shared/messenger/model/message.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";
import { blobSource } from "./large-files.ts";

/** Longest side of a picture that is sent, pixels. */
const MAX_SIDE = 2_560;
const QUALITY = 0.85;
const PREVIEW_QUALITY = 0.6;
const DRAWN_TYPES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/webp", "image/avif", "image/bmp"]);
/** Moving pictures, and what the browser cannot draw, keep their pixels and lose everything beside them. */
const SCRUBBED_TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);
const UNKNOWN_TYPE = "application/octet-stream";

/**
 * A file as it is sent. Of what is not redrawn nothing is read before it is copied, where it is large.
 * @throws CodedError BAD_REQUEST for one that is too large, or a picture that cannot be read.
 */
export async function prepareFile(file: File, caption: string): Promise<OutgoingFile<Uint8Array | ByteSource>> {
  requireAtMost(file, MAX_FILE_BYTES);
  const picture = DRAWN_TYPES.has(file.type) ? await drawnAnew(file) : undefined;
  if (picture !== undefined) return { ...picture, name: `${file.name.replace(/\.[^.]*$/, "")}.webp`, mediaType: "image/webp", caption };
  const mediaType = file.type === "" ? UNKNOWN_TYPE : file.type;
  const plain = { name: file.name, mediaType, caption, image: null };
  if (!SCRUBBED_TYPES.has(file.type)) return { ...plain, bytes: blobSource(file) };
  // Its metadata is looked for in memory.
  requireAtMost(file, MAX_PUSHED_FILE_BYTES);
  return { ...plain, bytes: scrubImage(new Uint8Array(await file.arrayBuffer())).bytes };
}

function requireAtMost({ size }: File, limit: number): void {
  if (size > limit) throw new CodedError("BAD_REQUEST", `A file has at most ${limit} bytes`, { details: { field: "file", limit } });
}

/** The pixels of a picture in a fresh file; undefined when the browser cannot read it. */
async function drawnAnew(file: File): Promise<Pick<OutgoingFile, "bytes" | "image"> | undefined> {
  const size = measureImage(new Uint8Array(await file.arrayBuffer()));
  if (size !== undefined && size.width * size.height > MAX_CHOSEN_PIXELS)
    throw new CodedError("BAD_REQUEST", `A picture has at most ${MAX_CHOSEN_PIXELS} pixels`, { details: { field: "file" } });
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    const whole = await draw(bitmap, MAX_SIDE, QUALITY);
    const small = await draw(bitmap, MAX_PREVIEW_SIDE, PREVIEW_QUALITY);
    const preview = small.bytes.length <= MAX_PREVIEW_BYTES ? small.bytes : new Uint8Array();
    return { bytes: whole.bytes, image: { width: whole.width, height: whole.height, preview } };
  } finally {
    bitmap.close();
  }
}

interface Drawing {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

async function draw(bitmap: ImageBitmap, maxSide: number, quality: number): Promise<Drawing> {
  const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale))];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: "image/webp", quality });
  return { bytes: new Uint8Array(await blob.arrayBuffer()), width, height };
}
