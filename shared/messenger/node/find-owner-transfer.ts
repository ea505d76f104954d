// Finds the TRANSFER by which the owner of a group passes it on: the first one to themself, after they became the owner, whose memo names
// the log. All of the owner's transactions since then are looked through, in the order of the chain, so that none is overlooked.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { entryOfMemo } from "#shared/protocol/groups/owner-memo.ts";
import type { TransferSearch, WantedTransfer } from "../model/node-port.ts";

/** Transactions of a page. */
const PAGE = 100;
/** The same where those of one block fill a page: the most that a node gives. */
const LARGE_PAGE = 1_000;
/** Pages of one look. */
export const MAX_TRANSFER_PAGES = 16;

type Entry = Output<"getAccountFeed">["transactions"][number];

/** One look, from a height on. @throws CodedError of the node; an account that the chain does not know has no transactions. */
export async function findOwnerTransfer(client: Pick<NodeClient, "getAccountFeed">, wanted: WantedTransfer): Promise<TransferSearch> {
  let seen = wanted.after;
  let limit = PAGE;
  for (let page = 0; page < MAX_TRANSFER_PAGES; page += 1) {
    const entries = await pageAfter(client, wanted.owner, { after: seen, limit });
    const found = entries.find((entry) => named(entry, wanted) !== undefined);
    if (found !== undefined) return { found: { entry: named(found, wanted) ?? "", height: found.block_index }, seen, hasMore: false };
    const last = entries.at(-1)?.block_index ?? seen;
    if (entries.length < limit) return { found: undefined, seen: last, hasMore: false };
    // The page may end within a block: the next one begins with it.
    if (last - 1 > seen) [seen, limit] = [last - 1, PAGE];
    else if (limit < LARGE_PAGE) limit = LARGE_PAGE;
    // Of an account's transactions in one block the first thousand count, on all devices. Who pays again in another block is found.
    else seen = last;
  }
  return { found: undefined, seen, hasMore: true };
}

function named({ type, status, from, to, memo }: Entry, { owner, logId }: WantedTransfer): string | undefined {
  return type === "TRANSFER" && status === "ok" && from === owner && to === owner ? entryOfMemo({ logId, owner }, memo) : undefined;
}

async function pageAfter(
  client: Pick<NodeClient, "getAccountFeed">,
  owner: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly Entry[]> {
  try {
    return (await client.getAccountFeed({ account_id: owner, order: "asc", after_block: after, limit })).transactions;
  } catch (error) {
    if (isCodedError(error, "NOT_FOUND")) return [];
    throw error;
  }
}
