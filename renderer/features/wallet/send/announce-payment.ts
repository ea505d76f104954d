// What became of a payment that was just signed: a toast, while its row is in the activity behind it.
import { useNavigate } from "@tanstack/react-router";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { followPending } from "#renderer/lib/transactions/pending-store.ts";
import { kindLabel } from "#renderer/lib/transactions/transaction-kind.ts";
import type { SignedIntent } from "#shared/keyring/intents/intents.ts";

/** Says that a payment is on its way; the frame says in the same place that it is in a block, or why it is not. */
export function useAnnouncePayment(): (signed: SignedIntent) => void {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  return ({ transaction: { id }, summary: { amountUt } }) => {
    const state = followPending(id);
    if (state?.kind === "failed") return;
    const onSelect = (): void => void navigate({ to: "/wallet/activity/$id", params: { id } });
    toasts.show({
      id,
      ...(state?.kind === "inBlock"
        ? { title: t("transactions.tookEffect", { kind: kindLabel(t, "transfer"), height: state.blockIndex }), tone: "success" }
        : { title: t("wallet.sending", { amount: amountText(t, amountUt) }), description: t("transactions.pendingText") }),
      action: { label: t("transactions.show"), onSelect },
    });
  };
}
