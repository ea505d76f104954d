// Histories of accounts: which entries there are is proven by the rolling hash of the account, what each is by its block.

import type { HistoryRange } from "#node/queries/read-queries.ts";
import type { TransactionDetail } from "#node/storage/explorer/indexed-record.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { LIGHT_LIMITS } from "../light-limits.ts";
import type { ProvenHistory } from "../light-source.ts";
import type { Rewarded } from "./hints.ts";
import type { ProvenReads } from "./proven-reads.ts";
import { readUnverified } from "./unverified-reads.ts";

/** Ids of entries that are looked up together. */
const PAGE = 100;
const { entriesTogether } = LIGHT_LIMITS;
/** Entries that one request looks back, at most. */
export const MAX_ENTRIES_BACK = 1_000;
/** Tries to read entries by their numbers, which are counted from the newest one: the history may grow meanwhile. */
const NUMBERED_TRIES = 3;

export interface HistoryPage {
  /** Entries of the whole history. */
  readonly count: number;
  /** Newest first. */
  readonly entries: readonly TransactionDetail[];
}

/** Histories through {@link ProvenReads}. */
export class ProvenHistories {
  readonly #reads: ProvenReads;
  readonly #first: NetworkParams;

  /** @param first parameters of the network before any change */
  constructor(reads: ProvenReads, first: NetworkParams) {
    this.#reads = reads;
    this.#first = first;
  }

  async page(account: PublicKeyHex, page: { readonly limit: number; readonly offset: number }): Promise<HistoryPage> {
    const { count, entryIds } = await this.#reads.source.history(account, page);
    return { count, entries: await this.#known(account, entryIds) };
  }

  /** Entries between two heights, both left out. @throws CodedError HISTORY_PRUNED when they lie too far back. */
  async range(account: PublicKeyHex, { limit, order, afterBlock = -1, beforeBlock }: HistoryRange): Promise<readonly TransactionDetail[]> {
    const found: TransactionDetail[] = [];
    for await (const entry of this.#fromNewest(account)) {
      if (entry.blockHeight <= afterBlock || (order === "desc" && found.length === limit)) break;
      if (beforeBlock === undefined || entry.blockHeight < beforeBlock) found.push(entry);
    }
    return order === "desc" ? found : found.reverse().slice(0, limit);
  }

  /**
   * Entries between two heights, both left out, among the oldest so many of an account: they lie in the order of their blocks, and are found
   * by halving, so that those of long ago cost no more than others. @throws CodedError UPSTREAM_FAILED
   */
  async among(
    account: PublicKeyHex,
    { limit, order, afterBlock = -1, beforeBlock }: HistoryRange,
    count: number,
  ): Promise<readonly TransactionDetail[]> {
    const after = afterBlock < 0 ? 0 : await this.#countBelow(account, count, afterBlock + 1);
    const end = beforeBlock === undefined ? count : await this.#countBelow(account, count, beforeBlock);
    const first = order === "asc" ? after + 1 : Math.max(after + 1, end - limit + 1);
    const last = order === "asc" ? Math.min(end, after + limit) : end;
    const found = await this.#numbered(account, first, last);
    return order === "desc" ? found : found.toReversed();
  }

  /** Entries of blocks below a height, among the oldest so many. */
  async #countBelow(account: PublicKeyHex, count: number, height: number): Promise<number> {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [entry] = await this.#numbered(account, middle, middle);
      if (entry !== undefined && entry.blockHeight < height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Entries by their numbers, the newest first; the oldest one of an account is 1. */
  async #numbered(account: PublicKeyHex, first: number, last: number): Promise<readonly TransactionDetail[]> {
    const limit = last - first + 1;
    if (limit <= 0) return [];
    let { count } = await this.#reads.source.history(account, { limit: 0, offset: 0 });
    for (let tries = 0; tries < NUMBERED_TRIES; tries += 1) {
      const page = await this.#reads.source.history(account, { limit, offset: count - last });
      if (page.count !== count) count = page.count;
      else if (page.entryIds.length !== limit) break;
      else return await this.#known(account, page.entryIds);
    }
    throw new CodedError("UPSTREAM_FAILED", "No connected node serves this part of the history");
  }

  /** Who got the reward of a block: a peer says so, and the history of that key whether it is true. Undefined when it is not known. */
  async rewardedAt(height: number): Promise<Rewarded | undefined> {
    const id = rewardId(height);
    const to = (await readUnverified(this.#reads.source, "getTransaction", { txid: id }))?.to;
    if (to === undefined || to === "") return undefined;
    for await (const entryIds of this.#pagesOf(to)) if (entryIds.includes(id)) return { to, first: this.#first };
    return undefined;
  }

  async *#fromNewest(account: PublicKeyHex): AsyncGenerator<TransactionDetail> {
    let looked = 0;
    for await (const entryIds of this.#pagesOf(account)) {
      yield* this.#entries(account, entryIds);
      looked += entryIds.length;
    }
    if (looked >= MAX_ENTRIES_BACK)
      throw new CodedError(
        "HISTORY_PRUNED",
        `A light node proves the newest ${MAX_ENTRIES_BACK} entries of a history in one response: ask a full node`,
      );
  }

  /** Ids of the newest entries, each once although the history may grow meanwhile. */
  async *#pagesOf(account: PublicKeyHex): AsyncGenerator<readonly string[]> {
    const first = await this.#pageAt(account, 0);
    yield first.entryIds;
    for (let taken = first.entryIds.length; taken < Math.min(first.count, MAX_ENTRIES_BACK); ) {
      let page = await this.#pageAt(account, taken);
      if (page.count !== first.count) page = await this.#pageAt(account, taken + page.count - first.count);
      if (page.entryIds.length === 0) return;
      taken += page.entryIds.length;
      yield page.entryIds;
    }
  }

  #pageAt(account: PublicKeyHex, offset: number): Promise<ProvenHistory> {
    return this.#reads.source.history(account, { limit: PAGE, offset });
  }

  async #known(account: PublicKeyHex, entryIds: readonly string[]): Promise<readonly TransactionDetail[]> {
    const entries: TransactionDetail[] = [];
    for await (const entry of this.#entries(account, entryIds)) entries.push(entry);
    return entries;
  }

  /** Some are fetched at once, so that no more blocks than theirs are in memory. */
  async *#entries(account: PublicKeyHex, entryIds: readonly string[]): AsyncGenerator<TransactionDetail> {
    const rewarded: Rewarded = { to: account, first: this.#first };
    for (let from = 0; from < entryIds.length; from += entriesTogether) {
      const ids = entryIds.slice(from, from + entriesTogether);
      // All are asked for before any is missed.
      const entries = await this.#reads.read(({ explorer }) => ids.map((id) => explorer.transaction(id)), { rewarded });
      yield* entries.map(known);
    }
  }
}

function known(entry: TransactionDetail | undefined): TransactionDetail {
  if (entry === undefined) throw new CodedError("UPSTREAM_FAILED", "No other node serves a transaction of this history");
  return entry;
}
