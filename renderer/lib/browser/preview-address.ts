// The small pictures of messages and people as addresses that the page may decode at once.
import { shownPreview, shownProfilePicture } from "#shared/media/shown-image.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** Address of a preview, or undefined for none and for one that is larger than a preview has to be. */
export function previewAddress(preview: string): string | undefined {
  if (preview === "") return undefined;
  const size = shownPreview(fromBase64(preview));
  return size && `data:${size.type};base64,${preview}`;
}

/** Address of the picture that a person gave themselves; null for one that is larger than such a picture has to be. */
export function pictureAddress(bytes: Uint8Array): string | null {
  return shownProfilePicture(bytes) === undefined ? null : `data:image/webp;base64,${toBase64(bytes)}`;
}
