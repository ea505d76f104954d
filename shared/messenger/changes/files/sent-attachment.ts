// How a file is announced; apart from what receives one, as nothing of it is needed before something is sent.
import type { AttachmentBody, LargeFileBody } from "#shared/content/content.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import type { StoredAttachment } from "../../model/message.ts";
import { isLarge } from "./files.ts";

/** An announced file as it is sent. */
export function attachmentBody({ image, ...body }: StoredAttachment): AttachmentBody | LargeFileBody {
  if (isLarge(body)) {
    const { name, mediaType, size, key, digest, caption, boxes } = body;
    return { kind: "file", name, mediaType, size, key, digest, caption, ...(boxes && { boxes }) };
  }
  return { ...body, image: image === null ? null : { ...image, preview: fromBase64(image.preview) } };
}
