// What the composer asks of the list of people that can be mentioned: the list is loaded with the first group.
import type { KeyboardEvent } from "react";
import type { MentioningText } from "#shared/content/chat/mention-content.ts";

export interface MentionPort {
  /** A text as it is typed: its people as they are called here. */
  readonly typedOf: (sent: MentioningText) => string;
  /** A typed text as it is sent: the people whom it names, by names that they chose themselves. */
  readonly sentOf: (typed: string) => MentioningText;
  /** True for a key that the list has taken. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Where no one is mentioned: in chats of two. */
export const NO_MENTIONS: MentionPort = { typedOf: ({ text }) => text, sentOf: (text) => ({ text }), onKey: () => false };
