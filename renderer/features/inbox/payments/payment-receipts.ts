// Puts the receipt of a payment that was begun in a chat there, once a node took the payment. The shell mounts it.
import { useEffect, useRef } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { type ChatPurpose, type PendingTransaction, settleReceipt, usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { parseChatCommand } from "./chat-command.ts";

/** Watches the submitted payments. A receipt that cannot be stored now is tried again after the next start of the messenger. */
export function usePaymentReceipts(): void {
  const messenger = useMessenger();
  const { masterPub } = useAccount();
  const { locale } = useLanguage();
  const isRunning = useMessengerSnapshot().phase === "running";
  const transactions = usePendingStore((pending) => pending.transactions);
  const begun = useRef({ messenger, ids: new Set<string>() });
  useEffect(() => {
    if (messenger === undefined || !isRunning) return;
    if (begun.current.messenger !== messenger) begun.current = { messenger, ids: new Set() };
    for (const made of transactions) {
      const { id, chat } = made;
      if (chat === undefined || begun.current.ids.has(id) || !owesReceipt(made, masterPub)) continue;
      begun.current.ids.add(id);
      writeReceipt(messenger, made, { chat, locale }).catch(() => undefined);
    }
  }, [messenger, isRunning, masterPub, transactions, locale]);
}

/** True for a payment of this account to the person of its chat that a node has, and that did not fail. */
export function owesReceipt({ chat, state, summary, isUncertain }: PendingTransaction, account: PublicKeyHex): boolean {
  if (chat === undefined || summary.kind !== "pay" || summary.from !== account || summary.to !== chat.peer) return false;
  return state.kind === "inBlock" || (state.kind === "submitted" && isUncertain !== true);
}

/**
 * The command that began the payment is still in the text field: its note goes to them as a message, not onto the chain. A note that cannot
 * be sent stays there; the receipt is not written again for it.
 */
async function writeReceipt(
  messenger: Messenger,
  made: PendingTransaction,
  { chat: { peer, request }, locale }: { readonly chat: ChatPurpose; readonly locale: string },
): Promise<void> {
  await messenger.sendPayReceipt(peer, { txId: made.id, amountUt: made.summary.amountUt, request });
  settleReceipt(made.id);
  const { draft = "" } = messenger.getSnapshot().conversations.find(({ id }) => id === peer) ?? {};
  const command = request === null ? parseChatCommand(draft, locale) : undefined;
  if (command?.kind !== "pay") return;
  if (command.note === "") await messenger.setDraft(peer, "");
  else await messenger.sendText(peer, command.note);
}
