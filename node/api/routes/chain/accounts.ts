// Balance and history of an account.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";

export function createAccountHandlers({ explorer }: Pick<ReadQueries, "explorer">): Pick<Handlers, "getAddress"> {
  return {
    getAddress: async ({ addr, limit = 50, offset = 0 }): Promise<Output<"getAddress">> => {
      const account = accountOfPath(addr);
      const { balanceUt, txCount, transactions, missingBelow } = await explorer.accountHistory(account, { limit, offset });
      const nextOffset = offset + transactions.length;
      return {
        address: formatAddress(account),
        pub_key: account,
        balance_ut: balanceUt,
        balance: formatAmount(balanceUt),
        tx_count: txCount,
        offset,
        limit,
        has_more: nextOffset < txCount && missingBelow === 0,
        next_offset: nextOffset,
        ...(missingBelow === 0 ? {} : { missing_below: missingBelow }),
        transactions: [...transactions],
      };
    },
  };
}
