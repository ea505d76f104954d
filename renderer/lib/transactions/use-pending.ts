// Submitted transactions for views, and the watch over them.
import { useQueries } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { useNow } from "../browser/use-now.ts";
import { useNodeQueries } from "../node/queries.ts";
import { type PendingTransaction, pendingOf, resolvePending, usePendingStore } from "./pending-store.ts";

/** Live updates come first; this finds what they missed. */
const ASK_INTERVAL_MS = 5_000;
const FAILED = "failed";

/** Submitted transactions of an account, newest first, those in a block included: views drop what the history shows. */
export function usePending(account: PublicKeyHex): readonly PendingTransaction[] {
  const transactions = usePendingStore((store) => store.transactions);
  return useMemo(() => pendingOf(transactions, account), [transactions, account]);
}

/** One submitted transaction, or undefined when it was not sent from here. */
export function usePendingTransaction(id: string | undefined): PendingTransaction | undefined {
  return usePendingStore(({ transactions }) => transactions.find((transaction) => transaction.id === id));
}

/** Watches what is on its way until it is in a block or expired. The shell calls it once. */
export function useFollowPending(): void {
  const queries = useNodeQueries();
  const now = useNow(ASK_INTERVAL_MS);
  const waiting = usePendingStore((store) => store.transactions).filter(({ state }) => state.kind === "submitted");
  const responses = useQueries({
    queries: waiting.map(({ id }) => ({ ...queries.transaction(id), refetchInterval: ASK_INTERVAL_MS, retry: false })),
  });
  useEffect(() => {
    waiting.forEach((transaction, index) => {
      const detail = responses[index]?.data;
      if (detail !== undefined) resolvePending(transaction.id, stateOf(detail));
      else if (now - transaction.submittedAtMs > 2 * TX_WINDOW_MS) resolvePending(transaction.id, { kind: "expired" });
    });
  });
}

function stateOf(detail: TransactionDetail): PendingTransaction["state"] {
  const { block_index: blockIndex, status, error } = detail;
  return status === FAILED ? { kind: "failed", blockIndex, reason: error ?? status } : { kind: "inBlock", blockIndex };
}
