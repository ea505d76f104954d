// The ordered feed of an account.

import type { ReadQueries } from "#node/queries/read-queries.ts";
import type { Output } from "#shared/api/api.ts";
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import type { Handlers } from "../../handler-types.ts";
import { accountOfPath } from "../account-param.ts";

export function createFeedHandlers({ explorer }: Pick<ReadQueries, "explorer">): Pick<Handlers, "getAccountFeed"> {
  return {
    async getAccountFeed(input): Promise<Output<"getAccountFeed">> {
      const { limit = 100, order = "desc", after_block: afterBlock, before_block: beforeBlock } = input;
      const account = accountOfPath(input.account_id);
      const range = {
        limit,
        order,
        ...(afterBlock === undefined ? {} : { afterBlock }),
        ...(beforeBlock === undefined ? {} : { beforeBlock }),
      };
      const transactions = [...(await explorer.accountFeed(account, range))];
      // A feed without a lower bound goes on below what is here.
      const goesOn = afterBlock === undefined && (order === "asc" || transactions.length < limit);
      const missingBelow = goesOn ? ((await explorer.feedFrom?.(account)) ?? 0) : 0;
      return {
        account_id: account,
        account_addr: formatAddress(account),
        count: transactions.length,
        order,
        limit_applied: limit,
        ...(missingBelow === 0 ? {} : { missing_below: missingBelow }),
        transactions,
      };
    },
  };
}
