// What a chat is made of, row by row.
import { hasTrait } from "#shared/messenger/model/body-traits.ts";
import type { ChatMessage, MessageKey } from "#shared/messenger/model/message.ts";
import type { Receipt } from "../../payments/chat-payments.ts";

/** A message and its place among its neighbours. */
export interface MessageRowShape {
  readonly kind: "message";
  readonly key: MessageKey;
  readonly message: ChatMessage;
  /** First and last of a group: where the bubble has its round corners and its time. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The receipts that name a request; none for other messages. */
  readonly claims: readonly Receipt[];
  /** A receipt of a payment that an earlier one names already. */
  readonly isRepeated: boolean;
}

/** Pictures of one author that came together, as one tile beside the other. */
export interface AlbumRow {
  readonly kind: "album";
  /** Of the first picture. */
  readonly key: MessageKey;
  /** Two or more, oldest first. */
  readonly pictures: readonly MessageRowShape[];
}

export type ChatRow =
  | { readonly kind: "beginning"; readonly key: string }
  | { readonly kind: "day"; readonly key: string; readonly at: number }
  | { readonly kind: "unread"; readonly key: string }
  | MessageRowShape
  | AlbumRow
  | { readonly kind: "typing"; readonly key: string };

/** The messages of a row that people wrote; none for notes, days and marks. */
export function messagesOf(row: ChatRow): readonly ChatMessage[] {
  if (row.kind === "album") return row.pictures.map(({ message }) => message);
  return row.kind === "message" && !hasTrait(row.message.body, "isNote") ? [row.message] : [];
}

/** True for the row in which a message is. */
export function holdsMessage(row: ChatRow, key: string): boolean {
  return row.key === key || (row.kind === "album" && row.pictures.some((picture) => picture.key === key));
}
