// The history of an account, page by page, with the memos of its payments.
import type { Output } from "#shared/api/api.ts";
import type { NodeClient } from "#shared/api/client.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

type Entry = Output<"getAddress">["transactions"][number];

/** A transaction with its memo, "" for none. */
export type HistoryEntry = Entry & { readonly memo: string };

export interface History {
  /** How many transactions the account has. */
  readonly total: number;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
}

/** Largest page of both lists. */
const PAGE = 1_000;
/** The only type that carries a memo. */
const PAYMENT = "TRANSFER";

/** The newest transactions. Those that come meanwhile move the others back, so a page may repeat some and never leaves one out. */
export async function readHistory(client: NodeClient, account: PublicKeyHex, limit: number): Promise<History> {
  const entries = new Map<string, HistoryEntry>();
  for (let offset = 0; ; ) {
    const wanted = Math.min(PAGE, limit - entries.size);
    const page = await client.getAddress({ addr: account, limit: wanted, offset });
    for (const entry of await withMemos(client, account, page.transactions)) entries.set(entry.id, entry);
    offset += page.transactions.length;
    if (!page.has_more || page.transactions.length === 0 || entries.size >= limit)
      return { total: page.tx_count, entries: [...entries.values()] };
  }
}

async function withMemos(client: NodeClient, account: PublicKeyHex, entries: readonly Entry[]): Promise<readonly HistoryEntry[]> {
  const payments = entries.filter(({ type }) => type === PAYMENT);
  const memos = payments.length === 0 ? new Map<string, string>() : await memosOf(client, account, payments);
  return entries.map((entry) => ({ ...entry, memo: memos.get(entry.id) ?? "" }));
}

/** Memos by transaction: of the blocks that the payments are in, and one by one of what does not fit into that page. */
async function memosOf(client: NodeClient, account: PublicKeyHex, payments: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  const heights = payments.map(({ block_index }) => block_index);
  const range = { after_block: Math.min(...heights) - 1, before_block: Math.max(...heights) + 1 };
  const { transactions } = await client.getAccountFeed({
    account_id: account,
    limit: PAGE,
    before_block: range.before_block,
    ...(range.after_block < 0 ? {} : { after_block: range.after_block }),
  });
  const memos = new Map(transactions.map(({ id, memo }) => [id, memo]));
  for (const { id } of payments) {
    if (memos.has(id)) continue;
    const { tx } = await client.getChainTransaction({ tx_id: id });
    memos.set(id, tx.memo);
  }
  return memos;
}
