// SQL of the explorer's index: transactions, account histories, contact pairs, totals. Derived from blocks; no rule of consensus reads it.
import { historyPruned } from "#node/queries/history-pruned.ts";
import type { HistoryRange } from "#node/queries/read-queries.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { rewardHeight } from "#shared/protocol/transactions/transaction-id.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import type { KeptRecord } from "../history/records/kept-record.ts";
import { KeptRepository } from "../history/records/kept-repository.ts";
import { recordBytes, recordId } from "../history/records/record-groups.ts";
import { FIRST_HEIGHT } from "../history/sealing/drop-marks.ts";
import { sealedHistory } from "../history/sealing/sealed-history.ts";
import { readTogether, type SqliteDatabase } from "../sqlite-database.ts";
import type { HistorySlice } from "./account-history-repository.ts";
import { ExplorerWriter } from "./explorer-writer.ts";
import { type BlockReference, readDetail, readEntry, type TransactionDetail, type TransactionEntry } from "./indexed-record.ts";
import { type IndexedReward, indexReward } from "./indexed-transaction.ts";

/** Counts over a run of blocks. */
export interface BlockWindow {
  readonly blocks: number;
  readonly transactions: number;
  readonly firstTimeMs: number;
  readonly lastTimeMs: number;
}

/** What a key proposed lately. */
export interface ProposerWindow {
  readonly blocks: number;
  /** Subsidies and fees of those blocks, µT. */
  readonly rewardsUt: number;
}

/** Blocks whose hash and time are remembered; then all are forgotten. */
const MAX_KNOWN_BLOCKS = 4_096;

/** Writes through {@link ExplorerWriter}, reads the rest. */
export class ExplorerRepository extends ExplorerWriter {
  readonly #together;
  readonly #sealed;
  readonly #kept: KeptRepository;
  readonly #blockOf;
  /** Hash and time of blocks that were asked for, by height. */
  readonly #knownBlocks = new Map<Height, BlockReference>();
  readonly #reward;
  readonly #recipients;
  readonly #totals;
  readonly #countedFrom;
  readonly #window;
  readonly #firstHeight;
  readonly #proposed;
  readonly #proposerWindow;

  constructor(database: SqliteDatabase, historyEndBytes?: number) {
    super(database, historyEndBytes);
    this.#together = readTogether(database);
    this.#sealed = sealedHistory(database);
    this.#kept = new KeptRepository(database);
    this.#blockOf = database.prepare<[number], BlockReference>(
      "SELECT height AS blockHeight, lower(hex(hash)) AS blockHash, time_ms AS blockTimeMs FROM blocks WHERE height = ?",
    );
    this.#reward = database.prepare<[number], IndexedReward>(
      'SELECT lower(hex(pub)) AS "to", amount_ut AS amountUt FROM rewards JOIN accounts USING (account_id) WHERE height = ?',
    );
    this.#recipients = database
      .prepare<[string], string>("SELECT lower(hex(recipient)) FROM contact_pairs WHERE requester = unhex(?) ORDER BY recipient")
      .pluck();
    this.#totals = database.prepare<[], { readonly type: string; readonly total: number }>(
      "SELECT type, total FROM type_totals ORDER BY type",
    );
    this.#countedFrom = database
      .prepare<[], number>("SELECT (SELECT MAX(height) FROM blocks) + 1 - COALESCE(SUM(total), 0) FROM proposer_totals")
      .pluck();
    this.#window = database.prepare<[number], BlockWindow>(
      `SELECT COUNT(*) AS blocks, COALESCE(SUM(tx_count), 0) AS transactions, COALESCE(MIN(time_ms), 0) AS firstTimeMs,
        COALESCE(MAX(time_ms), 0) AS lastTimeMs
      FROM (SELECT tx_count, time_ms FROM blocks WHERE height > 0 ORDER BY height DESC LIMIT ?)`,
    );
    this.#firstHeight = database.prepare<[], number | null>(FIRST_HEIGHT).pluck();
    this.#proposed = database.prepare<[string], number>("SELECT total FROM proposer_totals WHERE proposer = unhex(?)").pluck();
    this.#proposerWindow = database.prepare<[number, string], ProposerWindow>(
      `SELECT COUNT(*) AS blocks, COALESCE(SUM(r.amount_ut), 0) AS rewardsUt
      FROM (SELECT height, proposer FROM blocks WHERE height > 0 AND height >= (${FIRST_HEIGHT}) ORDER BY height DESC LIMIT ?) b
      LEFT JOIN rewards r ON r.height = b.height WHERE b.proposer = unhex(?)`,
    );
  }

  /** Newest first; no block rewards. */
  recentTransactions(limit: number): readonly TransactionEntry[] {
    return this.#together(() => this.records.newest(limit).map(({ seq, record }) => readEntry(record, this.#referenceOf(heightOf(seq)))));
  }

  /**
   * The newest transaction with an id, or the reward of a block by its id, which no transaction can have.
   * @throws CodedError HISTORY_PRUNED when it is known to be in a block whose transactions are not here
   */
  transaction(id: string): TransactionDetail | undefined {
    const height = rewardHeight(id);
    return this.#together(() =>
      height === undefined ? this.#transactionOf(id) : (this.#rewardDetail(height) ?? this.#refusePruned(height)),
    );
  }

  /** An own transaction whose block was dropped, with what proves it. */
  keptTransaction(id: string): KeptRecord | undefined {
    return (this.#firstHeight.get() ?? 0) === 0 ? undefined : this.#kept.transaction(id);
  }

  /** Forgets what memory holds of the tables: to be called when blocks were taken back. */
  override forget(): void {
    super.forget();
    this.#knownBlocks.clear();
  }

  /** In the order of the block; no reward. @throws CodedError HISTORY_PRUNED */
  transactionsOf(height: Height): readonly TransactionEntry[] {
    return this.#together(() => {
      this.#refusePruned(height);
      const records = this.records.ofBlock(height);
      if (records.length === 0) return [];
      const block = this.#referenceOf(height);
      return records.map((record) => readEntry(record, block));
    });
  }

  /** Newest first. */
  historyPage(publicKey: string, limit: number, offset: number): readonly TransactionEntry[] {
    return this.#together(() => this.#entriesOf(this.history.page(publicKey, limit, offset), "desc", limit));
  }

  historyRange(publicKey: string, { limit, order, afterBlock = -1, beforeBlock }: HistoryRange): readonly TransactionEntry[] {
    const end = seqOf(beforeBlock ?? Number.MAX_SAFE_INTEGER);
    return this.#together(() => this.#entriesOf(this.history.between(publicKey, seqOf(afterBlock + 1), end), order, limit));
  }

  /** True when all entries of an account are here, and not only those of the blocks that are. */
  hasWholeHistory(publicKey: string): boolean {
    return this.history.isWhole(publicKey);
  }

  /** The lowest block from which on each entry of an account is here, or kept; 0 where all are. */
  historyFrom(publicKey: string): Height {
    return this.#together(() => this.history.wholeFrom(publicKey));
  }

  /** True as {@link hasWholeHistory}, without entries of own accounts that outlived their blocks: other nodes must not learn whose node this is. */
  hasWholeHistoryInBlocks(publicKey: string): boolean {
    return this.history.isWhole(publicKey, false);
  }

  /** True where entries of own accounts outlived their blocks. */
  hasKept(): boolean {
    return !this.#kept.isEmpty();
  }

  /** The block from which on each entry of an account is here, or kept. */
  keptFrom(publicKey: string): { readonly fromHeight: Height; readonly fromMs: number } {
    const seq = this.history.keptFromPlace(publicKey);
    const header = seq === undefined ? undefined : this.#kept.at(seq)?.header;
    if (header !== undefined) return { fromHeight: header.height, fromMs: header.timeMs };
    const fromHeight = this.#firstHeight.get() ?? 0;
    return { fromHeight, fromMs: this.#blockOf.get(fromHeight)?.blockTimeMs ?? 0 };
  }

  /** The lowest header at a height or above it that came with an entry of an own account. */
  keptHeader(height: Height): Pick<KeptRecord, "header" | "commit"> | undefined {
    return this.#kept.above(seqOf(height));
  }

  /** Entries of an account that outlive their blocks, or will. */
  keptCount(publicKey: string): number {
    const range = this.#kept.range(publicKey);
    return range === undefined ? 0 : range.last - range.first + 1;
  }

  /** Ids of the entries from one number up to another one, in the order of the chain; fewer when there are fewer. */
  historyIds(publicKey: string, first: number, last: number): readonly string[] {
    return this.#together(() => {
      const { accountId } = this.history.page(publicKey, 1, 0);
      const seqs = this.history.places({ publicKey, accountId, first, last }, "asc", last - first + 1);
      return this.records.all(seqs).map((record, at) => {
        if (record !== undefined) return recordId(record);
        return (this.#keptAt(seqs[at]) ?? this.#rewardAt(seqs[at])).id;
      });
    });
  }

  /** Keys that a requester has a contact record with, as far as the index knows; the state decides. */
  recipientsOf(requesterPub: string): readonly string[] {
    return this.#recipients.all(requesterPub);
  }

  /**
   * The first block that totals and charts count, genesis left out: each block that is counted has its proposer among the totals. A node that
   * joined counts from its first block on, and down from there as older ones come; what was dropped stays counted.
   */
  countedFrom(): Height {
    return Math.max(1, this.#countedFrom.get() ?? 1);
  }

  /** How many transactions of each type the chain holds. */
  typeTotals(): ReadonlyMap<string, number> {
    return new Map(this.#totals.all().map(({ type, total }) => [type, total]));
  }

  /** How many blocks a key proposed. */
  blocksProposedBy(publicKey: string): number {
    return this.#proposed.get(publicKey) ?? 0;
  }

  /** What a key proposed among the newest blocks. */
  proposerWindow(publicKey: string, blocks: number): ProposerWindow {
    return this.#proposerWindow.get(blocks, publicKey) ?? { blocks: 0, rewardsUt: 0 };
  }

  /** Counts over the newest blocks, genesis left out. */
  window(blocks: number): BlockWindow {
    return this.#window.get(blocks) ?? { blocks: 0, transactions: 0, firstTimeMs: 0, lastTimeMs: 0 };
  }

  /** Does nothing for a block that is here, or does not exist. @throws CodedError HISTORY_PRUNED */
  #refusePruned(height: Height): undefined {
    if (height < 1) return;
    const first = this.#firstHeight.get() ?? 0;
    if (height < first) throw historyPruned(height, first);
  }

  #referenceOf(height: Height): BlockReference {
    const known = this.#knownBlocks.get(height);
    if (known !== undefined) return known;
    const reference = this.#blockOf.get(height);
    assertInvariant(reference !== undefined, `The index knows a transaction of block ${height}, which is missing`);
    if (this.#knownBlocks.size >= MAX_KNOWN_BLOCKS) this.#knownBlocks.clear();
    this.#knownBlocks.set(height, reference);
    return reference;
  }

  #entriesOf(slice: HistorySlice, order: HistoryRange["order"], limit: number): readonly TransactionEntry[] {
    const seqs = this.history.places(slice, order, limit);
    return this.records.all(seqs).map((record, at) => {
      const seq = seqs[at];
      if (record !== undefined && seq !== undefined) return readEntry(record, this.#referenceOf(heightOf(seq)));
      return entryOf(this.#keptAt(seq) ?? this.#rewardAt(seq));
    });
  }

  #transactionOf(id: string): TransactionDetail | undefined {
    const kept = this.keptTransaction(id);
    if (kept !== undefined) return keptDetail(kept);
    return this.#firstOf(id, this.ids.places(id)) ?? this.#firstOf(id, this.#sealed.runs.idPlaces(id));
  }

  /** The first place where the id really is: others may share its key. */
  #firstOf(id: string, seqs: Iterable<number>): TransactionDetail | undefined {
    for (const seq of seqs) {
      this.#refusePruned(heightOf(seq));
      const record = this.records.at(seq);
      assertInvariant(record !== undefined, `The index knows a transaction at ${seq}, which is missing`);
      const detail = readDetail(record, this.#referenceOf(heightOf(seq)));
      if (detail.id === id) return detail;
    }
    return undefined;
  }

  /** What is kept of a place whose block was dropped. */
  #keptAt(seq: number | undefined): TransactionDetail | undefined {
    if (seq === undefined || heightOf(seq) >= (this.#firstHeight.get() ?? 0)) return undefined;
    const kept = this.#kept.at(seq);
    return kept && keptDetail(kept);
  }

  /** The reward at a place of the index where no transaction is. */
  #rewardAt(seq: number | undefined): TransactionDetail {
    const detail = seq === undefined ? undefined : this.#rewardDetail(heightOf(seq));
    assertInvariant(detail !== undefined, `The index knows a transaction at ${seq}, which is missing`);
    return detail;
  }

  #rewardDetail(height: Height): TransactionDetail | undefined {
    const reward = this.#reward.get(height);
    if (reward === undefined) return undefined;
    const reference = this.#referenceOf(height);
    return { ...indexReward({ height, timeMs: reference.blockTimeMs }, reward), ...reference };
  }
}

function entryOf({ payload: _payload, signature: _signature, ...entry }: TransactionDetail): TransactionEntry {
  return entry;
}

/** A kept entry with the block that held it. */
function keptDetail({ header, proven, reward }: KeptRecord): TransactionDetail {
  const { height, timeMs } = header;
  const block = { blockHeight: height, blockHash: headerHash(header, nativeSha256), blockTimeMs: timeMs };
  if (proven !== null) return readDetail(recordBytes(proven), block);
  assertInvariant(reward !== null, "A kept entry is a transaction or a reward");
  return { ...indexReward({ height, timeMs }, reward), ...block };
}

function heightOf(seq: number): Height {
  return Math.floor(seq / SEQ_PER_BLOCK);
}

/** First position of a block, held within what an index can compare exactly. */
function seqOf(height: Height): number {
  return Math.min(height * SEQ_PER_BLOCK, Number.MAX_SAFE_INTEGER);
}
