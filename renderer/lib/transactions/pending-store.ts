// Transactions that this window has submitted, until they are in a block and the history shows them. Honest states: submitted is not
// yet in a block. Held for the session; the chain is authoritative.
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";
import type { IntentSummary } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Where a submitted transaction is. `expired`: an hour has passed and it can no longer enter a block. */
export type PendingState =
  | { readonly kind: "submitted" }
  | { readonly kind: "inBlock"; readonly blockIndex: number }
  | { readonly kind: "failed"; readonly blockIndex: number; readonly reason: string }
  | { readonly kind: "expired" };

/** A submitted transaction. */
export interface PendingTransaction {
  readonly id: string;
  readonly summary: IntentSummary;
  readonly submittedAtMs: number;
  /** The node gave no clear response: it may never have arrived. */
  readonly isUncertain?: true;
  /** No view shows what becomes of it: a toast does, of success too. */
  readonly isFollowed?: true;
  readonly state: PendingState;
}

interface PendingStore {
  /** Newest first. */
  readonly transactions: readonly PendingTransaction[];
}

/** Most that are remembered. */
const MAX_KEPT = 200;

/** The submitted transactions of all accounts of this window. */
export const usePendingStore = create<PendingStore>()(
  persist<PendingStore>(() => ({ transactions: [] }), {
    name: "parley.pending",
    version: 1,
    storage: createJSONStorage(() => sessionStorage),
  }),
);

/** Remembers a submitted transaction. */
export function addPending(transaction: Omit<PendingTransaction, "state">): void {
  usePendingStore.setState(({ transactions }) => ({
    transactions: [{ ...transaction, state: { kind: "submitted" as const } }, ...transactions].slice(0, MAX_KEPT),
  }));
}

/** Sets the state of one. */
export function resolvePending(id: string, state: PendingState): void {
  usePendingStore.setState(({ transactions }) => ({
    transactions: transactions.map((transaction) => (transaction.id === id ? { ...transaction, state } : transaction)),
  }));
}

/** Has a toast say what becomes of one. Returns where it is already. */
export function followPending(id: string): PendingState | undefined {
  usePendingStore.setState(({ transactions }) => ({
    transactions: transactions.map((transaction) => (transaction.id === id ? { ...transaction, isFollowed: true as const } : transaction)),
  }));
  return usePendingStore.getState().transactions.find((transaction) => transaction.id === id)?.state;
}

/** A node took one whose fate was unknown. */
export function confirmTaken(id: string): void {
  usePendingStore.setState(({ transactions }) => ({
    transactions: transactions.map((transaction) => {
      const { isUncertain: _, ...taken } = transaction;
      return transaction.id === id ? taken : transaction;
    }),
  }));
}

/** Submitted transactions of an account, newest first; a new array only when one changes. */
export function pendingOf(transactions: readonly PendingTransaction[], account: PublicKeyHex): readonly PendingTransaction[] {
  return transactions.filter(({ summary }) => summary.from === account);
}
