// Reading and submitting transactions.

import { whenThere } from "#node/queries/awaitable.ts";
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers } from "../../handler-types.ts";
import type { TrialBudget } from "../../security/trial-budget.ts";
import type { ApiServices } from "../../services.ts";
import { pendingTransaction } from "./pending-transactions.ts";

type TransactionHandlers = Pick<Handlers, "listRecentTransactions" | "getTransaction" | "submitTransaction">;

export function createTransactionHandlers({ explorer, mempool, clock }: ApiServices, budget: TrialBudget): TransactionHandlers {
  return {
    listRecentTransactions: async ({ limit = 20 }) => [...(await explorer.recentTransactions(limit))],
    getTransaction: ({ txid }): ReturnType<TransactionHandlers["getTransaction"]> => {
      const pending = mempool.get(txid);
      return pending === undefined ? whenThere(explorer.getTransaction(txid), known) : pendingTransaction(pending);
    },
    submitTransaction: ({ body }, context) => budget.submit(context, body, () => mempool.submit(body, clock.nowMs())),
  };
}

function known(tx: Output<"getTransaction"> | undefined): Output<"getTransaction"> {
  if (tx === undefined) throw new CodedError("NOT_FOUND", "No block holds a transaction with this id, and none waits for one");
  return tx;
}
