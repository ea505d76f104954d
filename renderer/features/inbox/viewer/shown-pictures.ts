// Which pictures of a chat one can go through. Pure.
import { IMAGE_TYPES } from "#shared/media/image-type.ts";
import type { ChatMessage, MessageKey, StoredAttachment } from "#shared/messenger/model/message.ts";

const SHOWN_TYPES: ReadonlySet<string> = new Set(IMAGE_TYPES);

/** A message with a picture. */
export interface ShownPicture {
  readonly message: ChatMessage;
  readonly body: StoredAttachment;
}

/**
 * Pictures that are whole, oldest first. Those of strangers are decoded on a click, so one does not come to them from another one.
 * @param isKnown whether the author of a message is a contact
 */
export function shownPictures(
  messages: readonly ChatMessage[],
  viewed: MessageKey,
  isKnown: (message: ChatMessage) => boolean,
): readonly ShownPicture[] {
  return messages.flatMap((message) => {
    const { body, key } = message;
    if (body.kind !== "attachment" || body.image === null || !SHOWN_TYPES.has(body.mediaType) || !isWhole(message)) return [];
    return key === viewed || message.direction === "out" || isKnown(message) ? [{ message, body }] : [];
  });
}

/** True when all of its file is here. */
export function isWhole({ direction, transfer }: ChatMessage): boolean {
  if (transfer === null) return false;
  return (direction === "out" && transfer.from === undefined) || transfer.done >= transfer.total;
}
