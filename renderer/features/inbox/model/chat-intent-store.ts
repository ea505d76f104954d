// What one is about to do in a chat: reply to or change a message, go to one. Kept while the window is open.
import { create } from "zustand";
import type { ChatMessage, ConversationId, MessageKey } from "#shared/messenger/model/message.ts";

/** What the composer does with its text. */
export interface ComposerMode {
  readonly kind: "reply" | "edit";
  readonly message: ChatMessage;
  /** The new wording that could not be stored, to go on with. */
  readonly typed?: string;
}

/** A position in a chat to go to. */
export interface JumpWish {
  readonly conversation: ConversationId;
  readonly key: MessageKey;
  readonly at: number;
  /** What was searched for, to be marked in the chat. */
  readonly words?: string;
}

interface Found {
  readonly conversation: ConversationId;
  readonly words: string;
}

interface ChatIntentStore {
  readonly modes: Readonly<Record<ConversationId, ComposerMode>>;
  readonly jump: JumpWish | null;
  /** Words that are marked in a chat. */
  readonly found: Found | null;
  /** The message whose picture is shown over everything. */
  readonly viewed: MessageKey | null;
}

export const useChatIntents = create<ChatIntentStore>()(() => ({ modes: {}, jump: null, found: null, viewed: null }));

/** Answers or changes a message with what is typed next; undefined ends that. */
export function setComposerMode(id: ConversationId, mode: ComposerMode | undefined): void {
  useChatIntents.setState(({ modes: { [id]: _, ...others } }) => ({ modes: mode === undefined ? others : { ...others, [id]: mode } }));
}

/** Wishes to see a message, with the words that led to it marked. */
export function jumpTo(jump: JumpWish | null): void {
  useChatIntents.setState({ jump });
  if (jump?.words !== undefined) markWords(jump.conversation, jump.words);
}

/** Marks words in a chat; "" ends that. */
export function markWords(conversation: ConversationId, words: string): void {
  useChatIntents.setState(({ found }) => {
    if (words !== "") return { found: { conversation, words } };
    return { found: found?.conversation === conversation ? null : found };
  });
}

/** Shows the picture of a message over everything; null ends that. */
export function viewPicture(viewed: MessageKey | null): void {
  useChatIntents.setState({ viewed });
}
