// Notifies the other side of a chat of a payment that was begun there and has been submitted since. The shell mounts it.
import { useEffect } from "react";
import { useMessenger } from "#renderer/lib/messenger/messenger-context.tsx";
import { usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import { beginPayment, useChatIntents } from "./chat-intent-store.ts";

/** Watches the submitted payments. */
export function usePaymentReceipts(): void {
  const messenger = useMessenger();
  const begun = useChatIntents((intents) => intents.payment);
  const transactions = usePendingStore((pending) => pending.transactions);
  useEffect(() => {
    if (begun === null || messenger === undefined) return;
    const made = transactions.find(
      ({ summary, submittedAtMs }) => summary.kind === "pay" && summary.to === begun.to && submittedAtMs >= begun.sinceMs,
    );
    if (made === undefined) return;
    beginPayment(null);
    const receipt = { txId: made.id, amountUt: made.summary.amountUt, request: begun.request };
    messenger.sendPayReceipt(begun.to, receipt).catch(() => undefined);
  }, [messenger, begun, transactions]);
}
