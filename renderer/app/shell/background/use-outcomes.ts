// Shows what became of transactions that no view follows: calls, channels, changes of the set. Failures are shown of every kind.
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { type PendingTransaction, usePendingStore } from "#renderer/lib/transactions/pending-store.ts";
import { kindLabel, kindOfIntent } from "#renderer/lib/transactions/transaction-kind.ts";

const SHOWN_SUCCESSES: ReadonlySet<string> = new Set([
  "callContract",
  "openChannel",
  "closeChannel",
  "addValidator",
  "removeValidator",
  "deployContract",
]);

/** Shows a toast when a transaction of this window is resolved. The shell calls it once. */
export function useOutcomes(): void {
  const t = useMessages();
  const toasts = useToasts();
  const navigate = useNavigate();
  const transactions = usePendingStore((store) => store.transactions);
  const waiting = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    for (const transaction of transactions) if (waiting.current.has(transaction.id)) show(transaction);
    waiting.current = new Set(transactions.filter(({ state }) => state.kind === "submitted").map(({ id }) => id));
    function show({ id, summary, state, isFollowed }: PendingTransaction): void {
      const action = { label: t("transactions.show"), onSelect: (): void => void navigate({ to: "/explorer/tx/$id", params: { id } }) };
      const kind = kindLabel(t, kindOfIntent(summary.kind));
      if (state.kind === "inBlock" && (isFollowed || SHOWN_SUCCESSES.has(summary.kind))) {
        toasts.show({ id, title: t("transactions.tookEffect", { kind, height: state.blockIndex }), tone: "success", action });
      }
      if (state.kind === "failed") {
        void reasonInWords(t, state.reason).then((description) =>
          toasts.show({
            id,
            title: t("transactions.didNot", { kind }),
            tone: "danger",
            action,
            ...(description !== undefined && { description }),
          }),
        );
      }
    }
  }, [transactions, t, toasts, navigate]);
}

/** Words of a reason, which are loaded with the first failure; undefined where they cannot be. */
async function reasonInWords(t: Translate, reason: string): Promise<string | undefined> {
  const words = await import("#renderer/lib/transactions/failure-in-words.ts").catch(() => undefined);
  return words?.failureInWords(t, reason);
}
