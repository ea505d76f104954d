// The small picture of a message as an address that the page may decode at once.
import { shownPreview } from "#shared/media/shown-image.ts";
import { fromBase64 } from "#shared/util/bytes.ts";

/** Address of a preview, or undefined for none and for one that is larger than a preview has to be. */
export function previewAddress(preview: string): string | undefined {
  if (preview === "") return undefined;
  const size = shownPreview(fromBase64(preview));
  return size && `data:${size.type};base64,${preview}`;
}
