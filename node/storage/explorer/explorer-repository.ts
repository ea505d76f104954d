// SQL of the explorer's index: transactions, account histories, contact pairs, totals. Derived from blocks; no rule of consensus reads it.
import type { HistoryRange } from "#node/queries/read-queries.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";
import type { HistorySlice } from "./account-history-repository.ts";
import { ExplorerWriter, type IndexedTransaction, REWARD_POSITION } from "./explorer-writer.ts";
import { transactionKey } from "./transaction-key.ts";

/** A transaction with all that is known of it. */
export interface TransactionDetail extends Omit<IndexedTransaction, "position" | "accounts"> {
  readonly blockHeight: Height;
  readonly blockHash: HashHex;
  readonly blockTimeMs: number;
}

/** Line of a list of transactions. */
export type TransactionEntry = Omit<TransactionDetail, "payload" | "signature">;

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

/** `feeUt` of a row is the fee that the transaction names, without its gas. */
type EntryRow = Omit<TransactionEntry, "isOk" | "blockHeight"> & { readonly seq: number; readonly is_ok: number };
type BlockReference = Pick<TransactionEntry, "blockHash" | "blockTimeMs">;
type DetailRow = Omit<EntryRow, keyof BlockReference> & Pick<TransactionDetail, "payload" | "signature">;

const PLAIN_ENTRY = `t.seq, t.id, t.type, t.from_pub AS "from", t.to_pub AS "to", t.amount_ut AS amountUt, t.fee_ut AS feeUt, t.timestamp,
  t.memo, t.is_ok, t.code, t.gas_used AS gasUsed`;
const ENTRY = `${PLAIN_ENTRY}, b.hash AS blockHash, b.time_ms AS blockTimeMs`;
const DETAIL = `${PLAIN_ENTRY}, t.payload, t.signature`;
const JOINED = `transactions t JOIN blocks b ON b.height = t.seq / ${SEQ_PER_BLOCK}`;
/** Blocks whose hash and time are remembered; then all are forgotten. */
const MAX_KNOWN_BLOCKS = 4_096;
// CROSS: entries first, always; from transactions the way would lead over all of them.
const HISTORY = `SELECT ${ENTRY} FROM account_entries e CROSS JOIN transactions t ON t.seq = e.seq JOIN blocks b ON b.height = e.seq / ${SEQ_PER_BLOCK}
  WHERE e.account_id = ? AND e.number >= ? AND e.number <= ? ORDER BY e.number`;

/** Writes through {@link ExplorerWriter}, reads the rest. */
export class ExplorerRepository extends ExplorerWriter {
  readonly #recent;
  readonly #withId;
  readonly #blockOf;
  /** Hash and time of blocks that were asked for, by height. */
  readonly #knownBlocks = new Map<Height, BlockReference>();
  readonly #ofBlock;
  readonly #history;
  readonly #historyIds;
  readonly #recipients;
  readonly #totals;
  readonly #window;
  readonly #proposed;
  readonly #proposerWindow;

  constructor(database: SqliteDatabase) {
    super(database);
    this.#recent = database.prepare<[number], EntryRow>(
      `SELECT ${ENTRY} FROM ${JOINED} WHERE t.type <> 'BLOCK_REWARD' ORDER BY t.seq DESC LIMIT ?`,
    );
    // Neither ordered nor joined, for either costs three times as much: ids are rarely used twice.
    this.#withId = database.prepare<[number, string], DetailRow>(`SELECT ${DETAIL} FROM transactions t WHERE t.id_key = ? AND t.id = ?`);
    this.#blockOf = database.prepare<[number], BlockReference>(
      "SELECT hash AS blockHash, time_ms AS blockTimeMs FROM blocks WHERE height = ?",
    );
    this.#ofBlock = database.prepare<[number, number], EntryRow>(
      `SELECT ${ENTRY} FROM ${JOINED} WHERE t.seq >= ? AND t.seq < ? AND t.type <> 'BLOCK_REWARD' ORDER BY t.seq`,
    );
    this.#history = {
      asc: database.prepare<[number, number, number, number], EntryRow>(`${HISTORY} ASC LIMIT ?`),
      desc: database.prepare<[number, number, number, number], EntryRow>(`${HISTORY} DESC LIMIT ?`),
    };
    this.#historyIds = database
      .prepare<[number, number, number], string>(
        `SELECT t.id FROM account_entries e CROSS JOIN transactions t ON t.seq = e.seq
        WHERE e.account_id = ? AND e.number >= ? AND e.number <= ? ORDER BY e.number`,
      )
      .pluck();
    this.#recipients = database
      .prepare<[string], string>("SELECT recipient_pub FROM contact_pairs WHERE requester_pub = ? ORDER BY recipient_pub")
      .pluck();
    this.#totals = database.prepare<[], { readonly type: string; readonly total: number }>(
      "SELECT type, total FROM type_totals ORDER BY type",
    );
    this.#window = database.prepare<[number], BlockWindow>(
      `SELECT COUNT(*) AS blocks, COALESCE(SUM(tx_count), 0) AS transactions, COALESCE(MIN(time_ms), 0) AS firstTimeMs,
        COALESCE(MAX(time_ms), 0) AS lastTimeMs
      FROM (SELECT tx_count, time_ms FROM blocks WHERE height > 0 ORDER BY height DESC LIMIT ?)`,
    );
    this.#proposed = database.prepare<[string], number>("SELECT total FROM proposer_totals WHERE proposer = ?").pluck();
    this.#proposerWindow = database.prepare<[number, string], ProposerWindow>(
      `SELECT COUNT(*) AS blocks, COALESCE(SUM(t.amount_ut), 0) AS rewardsUt
      FROM (SELECT height, proposer FROM blocks WHERE height > 0 ORDER BY height DESC LIMIT ?) b
      LEFT JOIN transactions t ON t.seq = b.height * ${SEQ_PER_BLOCK} + ${REWARD_POSITION} WHERE b.proposer = ?`,
    );
  }

  /** Newest first; no block rewards. */
  recentTransactions(limit: number): readonly TransactionEntry[] {
    return this.#recent.all(limit).map(joinedEntryOf);
  }

  /** The newest transaction with an id, or the reward of a block by its id, which no transaction can have. */
  transaction(id: string): TransactionDetail | undefined {
    const [first, ...others] = this.#withId.all(transactionKey(id), id);
    if (first === undefined) return undefined;
    const row = others.reduce((newest, other) => (other.seq > newest.seq ? other : newest), first);
    const entry = entryOf(row, this.#referenceOf(Math.floor(row.seq / SEQ_PER_BLOCK)));
    return { ...entry, payload: row.payload, signature: row.signature };
  }

  /** Forgets what memory holds of the tables: to be called when blocks were taken back. */
  override forget(): void {
    super.forget();
    this.#knownBlocks.clear();
  }

  /** In the order of the block; no reward. */
  transactionsOf(height: Height): readonly TransactionEntry[] {
    return this.#ofBlock.all(height * SEQ_PER_BLOCK, (height + 1) * SEQ_PER_BLOCK).map(joinedEntryOf);
  }

  /** Newest first. */
  historyPage(publicKey: string, limit: number, offset: number): readonly TransactionEntry[] {
    return this.#entriesOf(this.history.page(publicKey, limit, offset), "desc", limit);
  }

  historyRange(publicKey: string, { limit, order, afterBlock = -1, beforeBlock }: HistoryRange): readonly TransactionEntry[] {
    const end = seqOf(beforeBlock ?? Number.MAX_SAFE_INTEGER);
    return this.#entriesOf(this.history.between(publicKey, seqOf(afterBlock + 1), end), order, limit);
  }

  /** Ids of the entries from one number up to another one, in the order of the chain; fewer when there are fewer. */
  historyIds(publicKey: string, first: number, last: number): readonly string[] {
    const { accountId } = this.history.page(publicKey, 1, 0);
    return this.#historyIds.all(accountId, first, last);
  }

  /** Keys that a requester has a contact record with, as far as the index knows; the state decides. */
  recipientsOf(requesterPub: string): readonly string[] {
    return this.#recipients.all(requesterPub);
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

  #referenceOf(height: Height): BlockReference {
    const known = this.#knownBlocks.get(height);
    if (known !== undefined) return known;
    const reference = this.#blockOf.get(height);
    assertInvariant(reference !== undefined, `The index knows a transaction of block ${height}, which is missing`);
    if (this.#knownBlocks.size >= MAX_KNOWN_BLOCKS) this.#knownBlocks.clear();
    this.#knownBlocks.set(height, reference);
    return reference;
  }

  #entriesOf({ accountId, first, last }: HistorySlice, order: HistoryRange["order"], limit: number): readonly TransactionEntry[] {
    return first > last ? [] : this.#history[order].all(accountId, first, last, limit).map(joinedEntryOf);
  }
}

function joinedEntryOf(row: EntryRow): TransactionEntry {
  return entryOf(row, row);
}

function entryOf(row: Omit<EntryRow, keyof BlockReference>, { blockHash, blockTimeMs }: BlockReference): TransactionEntry {
  return {
    id: row.id,
    type: row.type,
    from: row.from,
    to: row.to,
    amountUt: row.amountUt,
    feeUt: row.feeUt + gasPriceUt(row.gasUsed),
    gasUsed: row.gasUsed,
    timestamp: row.timestamp,
    memo: row.memo,
    isOk: row.is_ok === 1,
    code: row.code,
    blockHeight: Math.floor(row.seq / SEQ_PER_BLOCK),
    blockHash,
    blockTimeMs,
  };
}

/** First position of a block, held within what an index can compare exactly. */
function seqOf(height: Height): number {
  return Math.min(height * SEQ_PER_BLOCK, Number.MAX_SAFE_INTEGER);
}
