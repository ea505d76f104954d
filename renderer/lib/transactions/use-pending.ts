// Submitted transactions for views, and the watch over them.
import { useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { TransactionDetail } from "#shared/api/schemas/chain.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { useNow } from "../browser/use-now.ts";
import { useAccount } from "../keyring/keyring-context.tsx";
import { useNodeQueries } from "../node/queries.ts";
import { findOnPage } from "./find-pending.ts";
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
  const { masterPub } = useAccount();
  const queries = useNodeQueries();
  const now = useNow(ASK_INTERVAL_MS);
  const waiting = usePending(masterPub).filter(({ state }) => state.kind === "submitted");
  const { data: page } = useQuery({
    ...queries.newestTransactions(masterPub),
    enabled: waiting.length > 0,
    refetchInterval: ASK_INTERVAL_MS,
  });
  const seen = waiting.map(({ id, submittedAtMs }) => (page === undefined ? undefined : findOnPage(page, id, submittedAtMs)));
  const responses = useQueries({
    queries: waiting.map(({ id, submittedAtMs }, index) => ({
      ...queries.transaction(id),
      // What is on the page is there; what is not is asked for where the page may lack it, and once before it counts as expired.
      enabled: seen[index]?.kind === "found" || seen[index]?.kind === "unknown" || isOver(submittedAtMs, now),
      refetchInterval: (query: { readonly state: { readonly data: unknown } }): number | false =>
        query.state.data === undefined && seen[index]?.kind !== "missing" ? ASK_INTERVAL_MS : false,
      retry: false,
    })),
  });
  useEffect(() => {
    waiting.forEach(({ id, submittedAtMs }, index) => {
      const { data, error } = responses[index] ?? {};
      if (data !== undefined) resolvePending(id, stateOf(data));
      else if (isOver(submittedAtMs, now) && isCodedError(error, "NOT_FOUND")) resolvePending(id, { kind: "expired" });
    });
  });
}

/** True when a transaction cannot enter a block any more. */
function isOver(submittedAtMs: number, nowMs: number): boolean {
  return nowMs - submittedAtMs > 2 * TX_WINDOW_MS;
}

function stateOf(detail: TransactionDetail): PendingTransaction["state"] {
  const { block_index: blockIndex, status, error } = detail;
  return status === FAILED ? { kind: "failed", blockIndex, reason: error ?? status } : { kind: "inBlock", blockIndex };
}
