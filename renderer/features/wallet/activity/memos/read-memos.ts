// Public memos of an account's payments: from the feed of the account, which has them by the thousand, and one by one where that cannot go on.
import { HttpError, type NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ActivityItem } from "../activity-item.ts";

/** Largest page that the node gives. */
const MOST_PER_PAGE = 1_000;
/** A page has other entries of the account too. */
const LEAST_PER_PAGE = 50;

/** It is not there, is not what the node takes for a transaction, or cannot be read from its disk. */
const UNREADABLE: ReadonlySet<number> = new Set([400, 404, 410, 500]);

export type MemoClient = Pick<NodeClient, "getAccountFeed" | "getChainTransaction">;

/** An entry of which the memo is wanted; with its block, later ones are not read. */
export type MemoItem = Pick<ActivityItem, "id" | "kind"> & Partial<Pick<ActivityItem, "state">>;

/**
 * Memos by transaction; those without one are left out, and those that the node cannot give.
 * @throws HttpError, CodedError where the node cannot be reached, or does not answer as it should
 */
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
  for (const id of [...missing]) {
    const transaction = await transactionOf(client, id);
    if (transaction !== undefined) note(transaction);
  }
  return memos;
}

/** Undefined where the node answers that it has no such transaction, or cannot give it: all others are read all the same. */
async function transactionOf(client: MemoClient, id: string): Promise<{ readonly id: string; readonly memo: string } | undefined> {
  try {
    return (await client.getChainTransaction({ tx_id: id })).tx;
  } catch (error) {
    if (error instanceof HttpError && UNREADABLE.has(error.httpStatus)) return undefined;
    throw error;
  }
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
