// Queries of the explorer: the derived index for lists and histories, the committed state for balances, identities and contacts.
// Read-only and synchronous. Keys are lower-case hex; an unknown key has empty records.
import { decodeSetAside, readAbsences } from "#node/ledger/records/absence-records.ts";
import type { Account } from "#node/ledger/records/records.ts";
import {
  type Contact,
  type Device,
  decodeContact,
  type Identity,
  readAccount,
  readContact,
  readDevices,
  readIdentity,
  readSupply,
  readValidators,
} from "#node/ledger/records/records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { compareContactPositions, formatContactCursor, parseContactCursor } from "#node/queries/contact-cursor.ts";
import { historyPruned } from "#node/queries/history-pruned.ts";
import type { ContactsPage, HistoryRange, ListOf, ListPage } from "#node/queries/read-queries.ts";
import type { BlockSummary } from "#node/storage/explorer/block-summary.ts";
import type { TransactionDetail, TransactionEntry } from "#node/storage/explorer/indexed-record.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { BLOCK_REWARD } from "#shared/protocol/transactions/transaction.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { AddressCache } from "./address-cache.ts";
import type { ChainReads } from "./chain-reads.ts";
import { type ChartBucket, chartSeries, reachesBack } from "./chart-series.ts";
import { pendingProposals, type ValidatorProposal } from "./validator-proposals.ts";

/** Validators that were set aside, in one answer. */
export const MAX_SET_ASIDE = 100;

/** Figures of the whole network. */
export interface NetStats {
  readonly height: Height;
  /** The first block that the totals count; undefined where they count all. */
  readonly from: Height | undefined;
  /** Transactions of all blocks, failed ones included, block rewards not. */
  readonly totalTxs: number;
  readonly totalTransfers: number;
  readonly totalRelayProofs: number;
  /** Mean over the last {@link STATS_WINDOW_BLOCKS} blocks; 0 while there are fewer than two after genesis. */
  readonly avgBlockTimeMs: number;
  /** Transactions a second over the same blocks. */
  readonly tps: number;
  readonly totalSupplyUt: AmountUt;
  readonly validatorCount: number;
}

/** A block with its transactions, in order and without the reward. */
export interface BlockDetail extends BlockSummary {
  readonly transactions: readonly TransactionEntry[];
}

/** Part of an account's history, and how many entries it has in all. */
export interface AccountPage {
  readonly total: number;
  readonly entries: readonly TransactionEntry[];
  /** Entries of blocks below are missing on the page; 0 when none are. */
  readonly missingBelow: Height;
}

/** What is published under a master key. */
export interface IdentityInfo {
  readonly publicKey: PublicKeyHex;
  /** Undefined until a REGISTER_KEY is committed. */
  readonly identity: Identity | undefined;
  /** Active devices. */
  readonly deviceCount: number;
}

/** Blocks over which rates are taken. */
export const STATS_WINDOW_BLOCKS = 100;

/** The explorer of a chain database. */
export class Explorer {
  /** Addresses of the keys in its responses. */
  readonly addresses = new AddressCache();
  readonly #database: ChainReads;

  constructor(database: ChainReads) {
    this.#database = database;
  }

  netStats(): NetStats {
    const { explorer, state } = this.#database;
    const totals = explorer.typeTotals();
    const { blocks, transactions, firstTimeMs, lastTimeMs } = explorer.window(STATS_WINDOW_BLOCKS);
    const spanMs = lastTimeMs - firstTimeMs;
    const all = [...totals].reduce((sum, [type, total]) => (type === BLOCK_REWARD ? sum : sum + total), 0);
    return {
      height: this.headBlock().height,
      from: this.#countedFrom(),
      totalTxs: all,
      totalTransfers: totals.get("TRANSFER") ?? 0,
      totalRelayProofs: totals.get("RELAY_PROOF") ?? 0,
      avgBlockTimeMs: blocks < 2 ? 0 : spanMs / (blocks - 1),
      tps: spanMs === 0 ? 0 : (transactions * 1000) / spanMs,
      totalSupplyUt: readSupply(state),
      validatorCount: readValidators(state).length,
    };
  }

  /** The newest buckets of so many hours, oldest first. */
  chart(hours: number, limit: number): readonly ChartBucket[] {
    return chartSeries(this.#database.explorer.charts, hours, limit);
  }

  /** The block with which such a series begins, where it reaches back to it and there are blocks before; else undefined. */
  chartFrom(hours: number, limit: number): Height | undefined {
    const from = this.#countedFrom();
    return from !== undefined && reachesBack(this.#database.explorer.charts, hours, limit) ? from : undefined;
  }

  headBlock(): BlockSummary {
    const { blocks } = this.#database;
    const head = blocks.summary(blocks.tipHeight() ?? 0);
    assertInvariant(head !== undefined, "A chain has a first block");
    return head;
  }

  /** Newest first, below `beforeHeight` when it is given. */
  listBlocks(limit: number, beforeHeight?: Height): readonly BlockSummary[] {
    if (beforeHeight !== undefined && beforeHeight > 0) this.#requireBlock(beforeHeight - 1);
    return this.#database.blocks.summaries(limit, beforeHeight);
  }

  getBlock(height: Height): BlockDetail | undefined {
    this.#requireBlock(height);
    const summary = this.#database.blocks.summary(height);
    return summary === undefined ? undefined : { ...summary, transactions: this.#database.explorer.transactionsOf(height) };
  }

  blockSummary(height: Height): BlockSummary | undefined {
    if (height < this.#database.blocks.firstHeight()) return undefined;
    return this.#database.blocks.summary(height);
  }

  heightOfHash(hash: HashHex): Height | undefined {
    return this.#database.blocks.heightOfHash(hash);
  }

  /** Newest first, block rewards left out. */
  recentTransactions(limit: number): readonly TransactionEntry[] {
    return this.#database.explorer.recentTransactions(limit);
  }

  /** A transaction, or the reward of a block by its id `reward-<height>`. */
  getTransaction(id: string): TransactionDetail | undefined {
    return this.#database.explorer.transaction(id);
  }

  /** What contracts said when they refused the failed calls of a block, by transaction id. */
  refusalsOf(height: Height): ReadonlyMap<string, string> {
    const receipts = this.#database.blocks.get(height)?.receipts ?? [];
    return new Map(
      receipts.flatMap(({ txId, isOk, logs }) => {
        const last = isOk ? undefined : logs.at(-1);
        return last === undefined ? [] : [[txId, last.message] as const];
      }),
    );
  }

  /** Part of an account's history, newest first, and the number of its entries in all, block rewards included. */
  accountHistory(publicKey: PublicKeyHex, { limit, offset }: { readonly limit: number; readonly offset: number }): AccountPage {
    const total = this.account(publicKey).historyCount;
    const entries = this.#database.explorer.historyPage(publicKey, limit, offset);
    const isShort = entries.length < Math.min(limit, Math.max(0, total - offset));
    return { total, entries, missingBelow: isShort ? this.accountHistoryFrom(publicKey) || this.#database.blocks.firstHeight() : 0 };
  }

  /** The lowest block from which on each entry of an account is here, or kept; 0 where all are. */
  accountHistoryFrom(publicKey: PublicKeyHex): Height {
    return this.#database.explorer.historyFrom(publicKey);
  }

  /**
   * Entries of the blocks between two heights, both left out, oldest or newest first.
   * @throws CodedError HISTORY_PRUNED for bounds below the first block from which on all entries of the account are here, or kept
   */
  accountHistoryRange(publicKey: PublicKeyHex, range: HistoryRange): readonly TransactionEntry[] {
    const { blocks, explorer } = this.#database;
    const first = this.accountHistoryFrom(publicKey);
    const { afterBlock = first, beforeBlock = first + 1 } = range;
    const isBelow = afterBlock + 1 < first || beforeBlock <= first;
    if (isBelow && first > 0) throw historyPruned(Math.min(afterBlock + 1, beforeBlock), blocks.firstHeight());
    return explorer.historyRange(publicKey, range);
  }

  account(publicKey: PublicKeyHex): Account {
    return readAccount(this.#database.state, publicKey);
  }

  balance(publicKey: PublicKeyHex): AmountUt {
    return this.account(publicKey).balanceUt;
  }

  identity(publicKey: PublicKeyHex): IdentityInfo {
    const { state } = this.#database;
    return { publicKey, identity: readIdentity(state, publicKey), deviceCount: readDevices(state, publicKey).length };
  }

  /** Active devices in the order in which they were linked. */
  deviceList(masterPub: PublicKeyHex): readonly Device[] {
    return readDevices(this.#database.state, masterPub);
  }

  /** Requests that others sent to a key, in every status, oldest first; keys that it blocked without a request where the page wants them. */
  contactsOf(recipientPub: PublicKeyHex, page: ContactsPage): ListOf<Contact> {
    return pageOfContacts(this.#contactsOf(recipientPub), page, page.withBlocks === true);
  }

  /** Requests that a key sent to others, in every status; oldest first. A block shows only by the status of the record. */
  contactsRequestedBy(requesterPub: PublicKeyHex, page: ListPage): ListOf<Contact> {
    return pageOfContacts(this.#contactsRequestedBy(requesterPub), page, false);
  }

  /** The set of the next height. */
  validators(): ValidatorSet {
    return readValidators(this.#database.state);
  }

  /** Commits of the present thousand blocks that lack a validator; no entry where none does. */
  missedCommits(): ReadonlyMap<PublicKeyHex, number> {
    return new Map(readAbsences(this.#database.state).map(({ publicKey, missed }) => [publicKey, missed]));
  }

  /** Keys that were set aside for their absence, the latest first, {@link MAX_SET_ASIDE} at most. */
  setAside(): readonly { readonly publicKey: PublicKeyHex; readonly height: Height }[] {
    const records = [...this.#database.state.each("absence", new Uint8Array(0))].flatMap(
      ({ key, value }) => decodeSetAside(key, value) ?? [],
    );
    return records.toSorted((a, b) => b.height - a.height || (a.publicKey < b.publicKey ? -1 : 1)).slice(0, MAX_SET_ASIDE);
  }

  /** Changes of the set that wait for approvals, by the time of the newest block. */
  validatorProposals(page: ListPage): ListOf<ValidatorProposal> {
    return pendingProposals(this.#database.state, Math.floor(this.headBlock().timeMs / 1000), page);
  }

  /** What says which parameters hold and wait. */
  parametersSource(): { readonly state: StateReader; readonly addresses: AddressCache; readonly height: Height; readonly timeMs: number } {
    const { height, timeMs } = this.headBlock();
    return { state: this.#database.state, addresses: this.addresses, height, timeMs };
  }

  #countedFrom(): Height | undefined {
    const from = this.#database.explorer.countedFrom();
    return from <= 1 ? undefined : from;
  }

  /** @throws CodedError HISTORY_PRUNED for a block that this node does not hold, though the chain has it */
  #requireBlock(height: Height): void {
    const first = this.#database.blocks.firstHeight();
    if (height < first) throw historyPruned(height, first);
  }

  *#contactsOf(recipientPub: PublicKeyHex): Iterable<Contact> {
    for (const { key, value } of this.#database.state.each("contact", fromHex(recipientPub))) yield decodeContact(key, value);
  }

  *#contactsRequestedBy(requesterPub: PublicKeyHex): Iterable<Contact> {
    const { explorer, state } = this.#database;
    for (const recipientPub of explorer.recipientsOf(requesterPub)) {
      const contact = readContact(state, recipientPub, requesterPub);
      if (contact !== undefined) yield contact;
    }
  }
}

/** The first contacts of a list after its cursor. Anyone can make a list long: no more than two pages of it are held at a time. */
function pageOfContacts(contacts: Iterable<Contact>, { limit, after }: ListPage, withBlocks: boolean): ListOf<Contact> {
  const start = after === undefined ? undefined : parseContactCursor(after);
  let held: Contact[] = [];
  const keepFirst = (): void => {
    held = held.sort(compareContactPositions).slice(0, limit + 1);
  };
  for (const contact of contacts) {
    if (start !== undefined && compareContactPositions(contact, start) <= 0) continue;
    if (!withBlocks && isBlockedStranger(contact)) continue;
    held.push(contact);
    if (held.length > 2 * (limit + 1)) keepFirst();
  }
  keepFirst();
  const items = held.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last === undefined || held.length === items.length ? undefined : formatContactCursor(last) };
}

/** True for one who was blocked and never asked: a request pays an amount. */
function isBlockedStranger({ status, feeUt }: Contact): boolean {
  return status === "blocked" && feeUt === 0;
}
