// What the two halves of the sheet are made of.

import type { PayOrder } from "#renderer/lib/messenger/pay-order.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";

/** A conversation with a person. */
export type PersonHeader = Extract<ConversationHeader, { readonly kind: "person" }>;

export interface PaySheetProps {
  readonly order: PayOrder;
  readonly header: PersonHeader;
  readonly messenger: Messenger;
}

/** What is typed, for both halves; retained while one goes from one to the other. */
export interface PayDraft {
  readonly amount: string;
  readonly note: string;
}

export interface FormProps extends PaySheetProps {
  readonly draft: PayDraft;
  readonly onChange: (changes: Partial<PayDraft>) => void;
  readonly onDone: () => void;
}
