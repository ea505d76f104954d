// Formats of pictures that are known here, and how their first bytes tell them apart.
import { hasText } from "./image-bytes.ts";

/** Media types that can be scrubbed. */
export const IMAGE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif"] as const;

/** A media type that can be scrubbed. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** Type of a picture by its first bytes, or undefined when it is none that can be scrubbed. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  if (hasText(bytes, 0, "\xff\xd8\xff")) return "image/jpeg";
  if (hasText(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP")) return "image/webp";
  return hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a") ? "image/gif" : undefined;
}
