// The latest thing done about a contact from this window, while it matters: on its way to a block, or not taking effect.
import { useAccount } from "../../keyring/keyring-context.tsx";
import type { PendingTransaction } from "../../transactions/pending-store.ts";
import { usePending } from "../../transactions/use-pending.ts";

/** Kinds of intents about contacts. */
export type ContactStep = "requestContact" | "acceptContact" | "blockContact";

/** A submitted step. */
export interface ContactProgress {
  readonly step: ContactStep;
  readonly transaction: PendingTransaction;
}

const STEPS: ReadonlySet<string> = new Set<ContactStep>(["requestContact", "acceptContact", "blockContact"]);

/** Steps about contacts that this window has submitted, newest first. */
export function useContactSteps(): readonly ContactProgress[] {
  const { masterPub } = useAccount();
  return contactSteps(usePending(masterPub));
}

/** The latest step about a person, or undefined when there is none. */
export function useContactProgress(publicKey: string): ContactProgress | undefined {
  return useContactSteps().find(({ transaction }) => transaction.summary.to === publicKey);
}

/** The steps about contacts among submitted transactions. */
export function contactSteps(transactions: readonly PendingTransaction[]): readonly ContactProgress[] {
  return transactions.flatMap((transaction) => {
    const { kind } = transaction.summary;
    return STEPS.has(kind) ? [{ step: kind as ContactStep, transaction }] : [];
  });
}
