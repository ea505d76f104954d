// Public memos of an account's payments: from the feed of the account, which has them by the thousand, and one by one where that cannot go on.
import type { NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ActivityItem } from "./activity-item.ts";

/** Largest page that the node gives. */
const PAGE = 1_000;

export type MemoClient = Pick<NodeClient, "getAccountFeed" | "getChainTransaction">;

/** Memos by transaction; those without one are left out. */
export async function readMemos(
  client: MemoClient,
  account: PublicKeyHex,
  items: readonly Pick<ActivityItem, "id" | "kind">[],
): Promise<ReadonlyMap<string, string>> {
  const memos = new Map<string, string>();
  const missing = new Set(items.filter(({ kind }) => kind === "transfer").map(({ id }) => id));
  const note = ({ id, memo }: { readonly id: string; readonly memo: string }): void => {
    missing.delete(id);
    if (memo !== "") memos.set(id, memo);
  };
  let before: number | undefined;
  let isAtEnd = false;
  while (missing.size > 0 && !isAtEnd) {
    const page = { account_id: account, limit: PAGE, ...(before !== undefined && { before_block: before }) };
    const { transactions } = await client.getAccountFeed(page);
    for (const transaction of transactions) note(transaction);
    const next = transactions.length < PAGE ? undefined : nextBefore(transactions.map(({ block_index: height }) => height));
    isAtEnd = next === undefined || next === before;
    before = next;
  }
  for (const id of [...missing]) note((await client.getChainTransaction({ tx_id: id })).tx);
  return memos;
}

/** A page may end within a block: the rest of it comes with the next one, unless the whole page is of one block. */
function nextBefore(heights: readonly number[]): number | undefined {
  const oldest = heights.at(-1);
  return oldest === undefined || heights[0] === oldest ? oldest : oldest + 1;
}
