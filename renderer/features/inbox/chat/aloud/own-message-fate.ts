// What is to be said of a message of one's own that was just written: that it is on its way, or still here. Pure.
import { type ChatMessage, type MessageKey, NO_RECIPIENT } from "#shared/messenger/model/message.ts";

/** The newest message of a chat, as far as this asks. */
export type NewestMessage = Pick<ChatMessage, "key" | "direction" | "state">;

/** Where a message is that was written here and had not left when it was last seen; undefined where nothing waits. */
export interface WaitingMessage {
  readonly key: MessageKey;
}

export interface OwnMessageFate {
  readonly waiting: WaitingMessage | undefined;
  /** News: it was sent, or stored for the own devices. A failure is said by the message itself. */
  readonly said: "sent" | "saved" | undefined;
}

/** What came of the message that waited, by the newest one now. One that never waited here is of another device, and no news. */
export function ownMessageFate(waiting: WaitingMessage | undefined, newest: NewestMessage | undefined): OwnMessageFate {
  if (newest === undefined || newest.direction !== "out") return { waiting: undefined, said: undefined };
  if (newest.state === "queued") return { waiting: waiting?.key === newest.key ? waiting : { key: newest.key }, said: undefined };
  if (waiting?.key !== newest.key || newest.state === "failed" || newest.state === null) return { waiting: undefined, said: undefined };
  return { waiting: undefined, said: newest.state === NO_RECIPIENT ? "saved" : "sent" };
}
