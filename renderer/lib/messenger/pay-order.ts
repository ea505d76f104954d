// The sheet over a chat in which one pays or asks for money: whether it is open, and what it begins with. Kept while the window is open.
import { create } from "zustand";
import type { ChatMessage, ConversationId } from "#shared/messenger/model/message.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";

/** What the sheet begins with. */
export interface PayOrder {
  readonly conversation: ConversationId;
  /** Who is paid, where that is not the person of the conversation: the author of a bill in a group. */
  readonly payee?: PublicKeyHex;
  readonly amountUt?: AmountUt;
  readonly note?: string;
  /** The request that is answered. */
  readonly request?: ChatMessage;
  /** Id of the own payment for the request that one has seen; only with `request`. */
  readonly after?: string | null;
  /** Called once the payment is signed and stored. */
  readonly onSigned?: () => void;
}

export const usePaySheet = create<{ readonly order: PayOrder | null }>()(() => ({ order: null }));

/** Opens the sheet; null closes it. */
export function openPaySheet(order: PayOrder | null): void {
  usePaySheet.setState({ order });
}

/** Closes the sheet of a chat that is left; one that was opened for another chat meanwhile stays. */
export function closePaySheetOf(conversation: ConversationId): void {
  if (usePaySheet.getState().order?.conversation === conversation) openPaySheet(null);
}
