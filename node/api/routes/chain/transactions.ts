// Reading and submitting transactions.

import { whenThere } from "#node/queries/awaitable.ts";
import type { ExplorerQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers } from "../../handler-types.ts";
import type { TrialBudget } from "../../security/trial-budget.ts";
import type { ApiServices } from "../../services.ts";
import { pendingTransaction } from "./pending-transactions.ts";

type TransactionHandlers = Pick<Handlers, "listRecentTransactions" | "getTransaction" | "submitTransaction">;

export function createTransactionHandlers({ explorer, mempool, clock }: ApiServices, budget: TrialBudget): TransactionHandlers {
  const { listRecentTransactions, getTransaction } = createTransactionReads(explorer);
  return {
    listRecentTransactions,
    getTransaction: (input, context): ReturnType<TransactionHandlers["getTransaction"]> => {
      const pending = mempool.get(input.txid);
      return pending === undefined ? getTransaction(input, context) : pendingTransaction(pending);
    },
    submitTransaction: ({ body }, context) => budget.submit(context, body, () => mempool.submit(body, clock.nowMs())),
  };
}

/** Reads of what blocks hold. */
export function createTransactionReads(explorer: ExplorerQueries): Omit<TransactionHandlers, "submitTransaction"> {
  return {
    listRecentTransactions: async ({ limit = 20 }) => [...(await explorer.recentTransactions(limit))],
    getTransaction: ({ txid }) => whenThere(explorer.getTransaction(txid), known),
  };
}

function known(tx: Output<"getTransaction"> | undefined): Output<"getTransaction"> {
  if (tx === undefined) throw new CodedError("NOT_FOUND", "No block holds a transaction with this id, and none waits for one");
  return tx;
}
