// Sending messages on to other chats, as a message of one's own: text as it was written, a file without what it says about its origin.
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import { scrubImage } from "#shared/media/scrub-image.ts";
import { shownPreview } from "#shared/media/shown-image.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type {
  ChatMessage,
  ConversationId,
  MessageBody,
  MessageKey,
  OutgoingFile,
  StoredAttachment,
} from "#shared/messenger/model/message.ts";
import { partsSource } from "#shared/util/byte-source.ts";
import { fromBase64 } from "#shared/util/bytes.ts";
import { isWhole } from "../viewer/shown-pictures.ts";

/** Most chats that one message is sent on to at once: as many as a person means. */
export const MAX_FORWARDS = 5;

const SCRUBBED_TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);

type Forwardable = Extract<MessageBody, { readonly kind: "text" | "reply" | "plain" | "attachment" }>;

/** True for what can be sent on: payments, requests and notes belong to their chat, and a file has to be here. */
export function canForward(message: ChatMessage): boolean {
  return isForwardable(message.body) && (message.body.kind !== "attachment" || isWhole(message));
}

function isForwardable(body: MessageBody): body is Forwardable {
  return body.kind === "attachment" || "text" in body;
}

/**
 * Sends all of them on to each, in their order; one file at a time is in memory. Resolves with how many were not sent, as their files are
 * not here any more.
 * @throws CodedError of the messenger for the first that is not taken
 */
export async function forwardMessages(
  messenger: Messenger,
  messages: readonly ChatMessage[],
  to: readonly ConversationId[],
): Promise<number> {
  let left = 0;
  for (const message of messages) if (!(await forwardMessage(messenger, message, to))) left += 1;
  return left;
}

/** Sends it on to each, in their order; false where its file is not here any more. @throws CodedError of the messenger for the first that does not take it */
export async function forwardMessage(messenger: Messenger, { key, body }: ChatMessage, to: readonly ConversationId[]): Promise<boolean> {
  if (!isForwardable(body)) return false;
  if (body.kind !== "attachment") {
    for (const id of to) await messenger.sendText(id, body.text);
    return true;
  }
  if (body.size > MAX_PUSHED_FILE_BYTES) return forwardLargeFile(messenger, { key, body }, to);
  const bytes = await messenger.readFile(key);
  if (bytes === undefined) return false;
  const file = outgoingFile(body, bytes);
  for (const id of to) await messenger.sendFile(id, file);
  return true;
}

/** Each copy is read from the store as it is written there. */
async function forwardLargeFile(
  messenger: Messenger,
  { key, body: { name, mediaType, caption } }: { readonly key: MessageKey; readonly body: StoredAttachment },
  to: readonly ConversationId[],
): Promise<boolean> {
  for (const id of to) {
    const file = await messenger.readFileParts(key);
    if (file === undefined) return false;
    await messenger.sendFile(id, { name, mediaType, caption, image: null, bytes: partsSource(file) });
  }
  return true;
}

function outgoingFile({ name, mediaType, caption, image, voice }: StoredAttachment, bytes: Uint8Array): OutgoingFile {
  const isPicture = SCRUBBED_TYPES.has(mediaType);
  const preview = image === null ? undefined : fromBase64(image.preview);
  return {
    name,
    mediaType,
    caption,
    bytes: isPicture ? scrubImage(bytes).bytes : bytes,
    image:
      image === null
        ? null
        : { ...image, preview: preview !== undefined && shownPreview(preview) !== undefined ? preview : new Uint8Array() },
    ...(voice && { voice }),
  };
}
