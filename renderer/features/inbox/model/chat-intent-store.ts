// What one is about to do in a chat: reply to or change a message, go to one, pay. Kept while the window is open.
import { create } from "zustand";
import type { ChatMessage, ConversationId, MessageKey } from "#renderer/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** What the composer does with its text. */
export interface ComposerMode {
  readonly kind: "reply" | "edit";
  readonly message: ChatMessage;
}

/** A position in a chat to go to. */
export interface JumpWish {
  readonly conversation: ConversationId;
  readonly key: MessageKey;
  readonly at: number;
}

export interface BegunPayment {
  readonly to: PublicKeyHex;
  readonly amountUt: AmountUt;
  /** The request that it answers, or null. */
  readonly request: MessageKey | null;
  readonly sinceMs: number;
}

interface ChatIntentStore {
  readonly modes: Readonly<Record<ConversationId, ComposerMode>>;
  readonly jump: JumpWish | null;
  readonly payment: BegunPayment | null;
}

export const useChatIntents = create<ChatIntentStore>()(() => ({ modes: {}, jump: null, payment: null }));

/** Answers or changes a message with what is typed next; undefined ends that. */
export function setComposerMode(id: ConversationId, mode: ComposerMode | undefined): void {
  useChatIntents.setState(({ modes: { [id]: _, ...others } }) => ({ modes: mode === undefined ? others : { ...others, [id]: mode } }));
}

/** Wishes to see a message. */
export function jumpTo(jump: JumpWish | null): void {
  useChatIntents.setState({ jump });
}

/** Remembers a payment that is being made from a chat. */
export function beginPayment(payment: BegunPayment | null): void {
  useChatIntents.setState({ payment });
}
