// Public memos of an account's payments: from the feed of the account, which has them by the thousand, and one by one where that cannot go on.
import type { NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ActivityItem } from "../activity-item.ts";

/** Largest page that the node gives. */
const MOST_PER_PAGE = 1_000;
/** A page has other entries of the account too. */
const LEAST_PER_PAGE = 50;

export type MemoClient = Pick<NodeClient, "getAccountFeed" | "getChainTransaction">;

/** An entry of which the memo is wanted; with its block, later ones are not read. */
export type MemoItem = Pick<ActivityItem, "id" | "kind"> & Partial<Pick<ActivityItem, "state">>;

/** Memos by transaction; those without one are left out. */
export async function readMemos(
  client: MemoClient,
  account: PublicKeyHex,
  items: readonly MemoItem[],
): Promise<ReadonlyMap<string, string>> {
  const memos = new Map<string, string>();
  const payments = items.filter(({ kind }) => kind === "transfer");
  const missing = new Set(payments.map(({ id }) => id));
  const limit = Math.min(MOST_PER_PAGE, Math.max(LEAST_PER_PAGE, items.length));
  const note = ({ id, memo }: { readonly id: string; readonly memo: string }): void => {
    if (missing.delete(id) && memo !== "") memos.set(id, memo);
  };
  let before = aboveAll(payments);
  let isAtEnd = false;
  while (missing.size > 0 && !isAtEnd) {
    const page = { account_id: account, limit, ...(before !== undefined && { before_block: before }) };
    const { transactions } = await client.getAccountFeed(page);
    for (const transaction of transactions) note(transaction);
    const next = transactions.length < limit ? undefined : nextBefore(transactions.map(({ block_index: height }) => height));
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

/** The block after the newest of entries; undefined where the block of one is not known. */
function aboveAll(items: readonly MemoItem[]): number | undefined {
  const heights = items.map(({ state }) => (state !== undefined && "blockIndex" in state ? state.blockIndex : Number.NaN));
  const highest = heights.reduce((most, height) => Math.max(most, height), 0);
  return Number.isNaN(highest) ? undefined : highest + 1;
}
