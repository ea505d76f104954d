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

interface PaySheetStore {
  readonly order: PayOrder | null;
  /** Changes when there is something to send at once. */
  readonly signed: number;
}

export const usePaySheet = create<PaySheetStore>()(() => ({ order: null, signed: 0 }));

/** Opens the sheet; null closes it. */
export function openPaySheet(order: PayOrder | null): void {
  usePaySheet.setState({ order });
}

/** Closes the sheet of a chat that is left; one that was opened for another chat meanwhile stays. */
export function closePaySheetOf(conversation: ConversationId): void {
  if (usePaySheet.getState().order?.conversation === conversation) openPaySheet(null);
}

/** A payment was signed and stored: it is given to the node at once. */
export function sendSignedNow(): void {
  usePaySheet.setState(({ signed }) => ({ signed: signed + 1 }));
}
