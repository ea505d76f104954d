// Sending messages on to other chats, as a message of one's own: text as it was written, a file without what it says about its origin.
import { MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
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

/** What became of messages that were sent on. */
export interface Forwarded {
  /** Messages that were not sent, as their files are not here any more. */
  readonly left: number;
  /** Chats that refused one of them; they got none that come after it. */
  readonly refused: ReadonlyMap<ConversationId, unknown>;
}

/** Sends all of them on to each, in their order; one file at a time is in memory. A chat that refuses one keeps no other from getting all. */
export async function forwardMessages(
  messenger: Messenger,
  messages: readonly ChatMessage[],
  to: readonly ConversationId[],
): Promise<Forwarded> {
  const refused = new Map<ConversationId, unknown>();
  let left = 0;
  for (const message of messages) {
    const sendTo = await senderOf(messenger, message);
    if (sendTo === undefined) left += 1;
    else
      for (const id of to.filter((chat) => !refused.has(chat)))
        await sendTo(id).catch((error: unknown) => {
          refused.set(id, error);
        });
  }
  return { left, refused };
}

/** What sends it to a chat; undefined where its file is not here any more. */
async function senderOf(messenger: Messenger, { key, body }: ChatMessage): Promise<((to: ConversationId) => Promise<unknown>) | undefined> {
  if (!isForwardable(body)) return undefined;
  if (body.kind !== "attachment") return (id) => messenger.sendText(id, body.text, [], "preview" in body ? body.preview : undefined);
  if (body.size > MAX_PUSHED_FILE_BYTES) return await largeFileSender(messenger, key, body);
  const bytes = await messenger.readFile(key);
  if (bytes === undefined) return undefined;
  const file = outgoingFile(body, bytes);
  return (id) => messenger.sendFile(id, file);
}

/** Each copy is read from the store as it is written there. */
async function largeFileSender(
  messenger: Messenger,
  key: MessageKey,
  { name, mediaType, caption }: StoredAttachment,
): Promise<((to: ConversationId) => Promise<unknown>) | undefined> {
  if ((await messenger.readFileParts(key)) === undefined) return undefined;
  return async (id) => {
    const file = await messenger.readFileParts(key);
    if (file === undefined) throw new CodedError("NOT_FOUND", "The file is not here any more");
    return messenger.sendFile(id, { name, mediaType, caption, image: null, bytes: partsSource(file) });
  };
}

function outgoingFile({ name, mediaType, caption, image, voice, sticker }: StoredAttachment, bytes: Uint8Array): OutgoingFile {
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
    ...(sticker && { sticker }),
  };
}
