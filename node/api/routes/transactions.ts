// Reading and submitting transactions.
import type { Output } from "#shared/api/api.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Handlers } from "../handlers.ts";
import type { ApiServices } from "../services.ts";

type TransactionHandlers = Pick<Handlers, "listRecentTransactions" | "getTransaction" | "submitTransaction">;

export function createTransactionHandlers({ explorer, mempool, clock }: ApiServices): TransactionHandlers {
  return {
    listRecentTransactions: async ({ limit = 20 }) => [...(await explorer.recentTransactions(limit))],
    getTransaction: async ({ txid }): Promise<Output<"getTransaction">> => {
      const tx = await explorer.getTransaction(txid);
      if (tx === undefined) throw new CodedError("NOT_FOUND", "No block holds a transaction with this id");
      return tx;
    },
    submitTransaction: ({ body }) => mempool.submit(body, clock.nowMs()),
  };
}
