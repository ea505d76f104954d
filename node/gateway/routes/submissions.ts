// Transactions that a program signed with a key of its own.
import { parseTransaction } from "#shared/protocol/transactions/parse-transaction.ts";
import type { AppHandlers, AppReply } from "../http/app-handlers.ts";
import type { GatewayServices } from "../services.ts";

/** Handler of `/apps/v1/transactions`. */
export function submissionHandlers({ keyring, node }: GatewayServices): Pick<AppHandlers, "submitTransaction"> {
  return {
    submitTransaction: async ({ token, body }): Promise<AppReply<"submitTransaction">> => {
      const { chain_id: chainId } = await node.client.getNetworkInfo({});
      const { tx } = parseTransaction(body.transaction, chainId);
      await keyring.api.checkSubmission({ token, from: tx.from });
      const { id } = await node.client.submitTransaction({ body: tx });
      return { body: { id } };
    },
  };
}
