// Takes the metadata out of a picture without coding it again: place, time, device, names, texts, thumbnails, hidden trailers.
// What says how it looks stays: size, colours and their profile, transparency, animation, orientation.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type CountPart, partCounter } from "./image-bytes.ts";
import { type ImageType, imageTypeOf } from "./image-type.ts";
import { scrubGif } from "./scrub-gif.ts";
import { scrubJpeg } from "./scrub-jpeg.ts";
import { scrubPng } from "./scrub-png.ts";
import { scrubWebp } from "./scrub-webp.ts";

/** A picture without metadata. */
export interface ScrubbedImage {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
}

/** Largest picture that is taken, bytes. */
export const MAX_IMAGE_BYTES = 33_554_432;

const SCRUBBERS: { readonly [T in ImageType]: (bytes: Uint8Array, countPart: CountPart) => Uint8Array } = {
  "image/jpeg": scrubJpeg,
  "image/png": scrubPng,
  "image/webp": scrubWebp,
  "image/gif": scrubGif,
};

/**
 * The picture without metadata; `maxParts` bounds the work by its chunks, segments or blocks. Scrubbing a scrubbed picture gives the same bytes.
 * @throws CodedError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, or BAD_REQUEST when it is malformed.
 */
export function scrubImage(bytes: Uint8Array, maxParts: number = Number.POSITIVE_INFINITY): ScrubbedImage {
  if (bytes.length > MAX_IMAGE_BYTES) throw new CodedError("PAYLOAD_TOO_LARGE", `A picture is at most ${MAX_IMAGE_BYTES} bytes`);
  const type = imageTypeOf(bytes);
  if (type === undefined)
    throw new CodedError(
      "UNSUPPORTED_MEDIA_TYPE",
      "These bytes are no JPEG, PNG, WebP or GIF: metadata of other formats cannot be removed",
    );
  return { type, bytes: SCRUBBERS[type](bytes, partCounter(maxParts)) };
}
