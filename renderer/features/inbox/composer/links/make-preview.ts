// Makes the preview of a link of what its page says: the words within bounds, the picture redrawn, so that nothing but its pixels leaves.
import { squarePicture } from "#renderer/lib/people/square-picture.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { type LinkPreview, MAX_PREVIEW_DESCRIPTION_CHARS, MAX_PREVIEW_TITLE_CHARS } from "#shared/content/chat/link-preview.ts";
import { MAX_PREVIEW_BYTES } from "#shared/content/content.ts";
import { MAX_PREVIEW_SIDE, shownImage } from "#shared/media/shown-image.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";

/** The preview of a link. @throws CodedError of the node */
export async function makePreview(client: Pick<NodeClient, "readPage">, link: string, signal: AbortSignal): Promise<LinkPreview> {
  const { title, description, picture_b64 } = await client.readPage({ body: { url: link } }, { signal });
  return {
    link,
    title: cut(title, MAX_PREVIEW_TITLE_CHARS),
    description: cut(description, MAX_PREVIEW_DESCRIPTION_CHARS),
    picture: picture_b64 === "" ? "" : await smallPicture(fromBase64(picture_b64)),
  };
}

function cut(text: string, maxChars: number): string {
  return [...text.toWellFormed()].slice(0, maxChars).join("");
}

/** In base64; "" for what is no picture that may be decoded. */
async function smallPicture(bytes: Uint8Array): Promise<string> {
  const size = shownImage(bytes);
  if (size === undefined) return "";
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: size.type });
  const small = await squarePicture(blob, { side: MAX_PREVIEW_SIDE, maxBytes: MAX_PREVIEW_BYTES });
  return small === undefined ? "" : toBase64(small);
}
