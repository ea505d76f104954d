// Blocks with their commits and receipts, and the summary columns that lists read.
import { decode, encode } from "#shared/codec/codec.ts";
import { type Block, blockTailCodec } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, type Height, headerCodec } from "#shared/protocol/chain/header.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { BlockSummary } from "../explorer/block-summary.ts";
import { type BlockParts, joinBlock, joinReceipts } from "../history/records/block-parts.ts";
import { type EncodedRecord, encodedRecord, readRecord } from "../history/records/record-groups.ts";
import { RecordRepository } from "../history/records/record-repository.ts";
import { FIRST_HEADER_HEIGHT, FIRST_HEIGHT } from "../history/sealing/drop-marks.ts";
import { REMOVED_ROWS, REMOVED_ROWS_PER_TRANSACTION, sealedHistory } from "../history/sealing/sealed-history.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** A block as it is stored. */
export interface BlockRecord {
  readonly block: Block;
  readonly hash: HashHex;
  /** Null for genesis only. */
  readonly commit: Commit | null;
  readonly receipts: readonly Receipt[];
}

/** A block of which only the header is stored, and the commit where it is given. */
export interface NewHeader {
  readonly header: BlockHeader;
  readonly hash: HashHex;
  /** CBOR. */
  readonly commitRecord?: Uint8Array | undefined;
}

/** A block to store: its parts, CBOR of its commit, its transactions with their receipts in groups. */
export interface NewBlock extends BlockParts {
  /** Null for genesis only. */
  readonly commitRecord: Uint8Array | null;
  readonly groups: readonly Uint8Array[];
}

const SUMMARY = `height, lower(hex(hash)) AS hash, lower(hex(parent_hash)) AS parentHash, lower(hex(state_root)) AS stateRoot,
  time_ms AS timeMs, lower(hex(proposer)) AS proposer, tx_count AS txCount, total_fees_ut AS totalFeesUt`;

/** Reads and writes blocks. Those below the first one with a body have a row, and a header, or nothing. */
export class BlockRepository {
  readonly #records: RecordRepository;
  readonly #sealed;
  readonly #insertSummary;
  readonly #insertBelow;
  readonly #insertBody;
  readonly #insertHeader;
  readonly #insertSingle;
  readonly #singleFrom;
  readonly #lowest;
  readonly #headerAlone;
  readonly #removeAbove;
  readonly #tipHeight;
  readonly #hash;
  readonly #parts;
  readonly #front;
  readonly #commit;
  readonly #summary;
  readonly #heightOfHash;
  readonly #summaries;
  readonly #proposers;

  constructor(database: SqliteDatabase) {
    this.#records = new RecordRepository(database);
    this.#sealed = sealedHistory(database);
    this.#insertSummary = database.prepare<BlockSummary>(
      `INSERT INTO blocks (height, hash, parent_hash, state_root, time_ms, proposer, tx_count, total_fees_ut, total_txs)
      VALUES (@height, unhex(@hash), unhex(@parentHash), unhex(@stateRoot), @timeMs, unhex(@proposer), @txCount, @totalFeesUt,
        @txCount + coalesce((SELECT total_txs FROM blocks WHERE height = @height - 1), 0))`,
    );
    this.#insertBelow = [
      `INSERT INTO blocks (height, hash, parent_hash, state_root, time_ms, proposer, tx_count, total_fees_ut, total_txs)
      VALUES (@height, unhex(@hash), unhex(@parentHash), unhex(@stateRoot), @timeMs, unhex(@proposer), @txCount, @totalFeesUt,
        coalesce((SELECT total_txs - tx_count FROM blocks WHERE height = @height + 1), 0))
      ON CONFLICT DO UPDATE SET total_fees_ut = excluded.total_fees_ut`,
      "DELETE FROM headers WHERE height = @height",
    ].map((sql) => database.prepare<BlockSummary>(sql));
    this.#insertBody = database.prepare<[number, Uint8Array, Uint8Array, Uint8Array | null]>(
      "INSERT INTO block_bodies (height, front, tail, commit_record) VALUES (?, ?, ?, ?)",
    );
    this.#insertHeader = database.prepare<[number, Uint8Array, Uint8Array | null]>(
      "INSERT INTO headers (height, header, commit_record) VALUES (?, ?, ?)",
    );
    this.#insertSingle = database.prepare<[number, Uint8Array, Uint8Array | null]>(
      "INSERT INTO headers (height, header, commit_record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    );
    this.#singleFrom = database.prepare<[number], number>("SELECT height FROM headers WHERE height >= ? ORDER BY height LIMIT 1").pluck();
    this.#lowest = {
      body: database.prepare<[], number | null>(FIRST_HEIGHT).pluck(),
      row: database.prepare<[], number | null>(FIRST_HEADER_HEIGHT).pluck(),
    };
    this.#headerAlone = database.prepare<[number], { readonly header: Uint8Array; readonly commitRecord: Uint8Array | null }>(
      "SELECT header, commit_record AS commitRecord FROM headers WHERE height = ?",
    );
    this.#removeAbove = ["blocks", "block_bodies"].map((table) => database.prepare<[number]>(`DELETE FROM ${table} WHERE height > ?`));
    this.#tipHeight = database.prepare<[], number | null>("SELECT MAX(height) FROM blocks").pluck();
    this.#hash = database.prepare<[number], HashHex>("SELECT lower(hex(hash)) FROM blocks WHERE height = ?").pluck();
    this.#parts = database.prepare<[number], BlockParts>("SELECT front, tail FROM block_bodies WHERE height = ?");
    this.#front = database.prepare<[number], Uint8Array>("SELECT front FROM block_bodies WHERE height = ?").pluck();
    this.#commit = database.prepare<[number], Uint8Array | null>("SELECT commit_record FROM block_bodies WHERE height = ?").pluck();
    this.#summary = database.prepare<[number], BlockSummary>(`SELECT ${SUMMARY} FROM blocks WHERE height = ?`);
    this.#heightOfHash = database
      .prepare<{ readonly hash: string }, number>(
        "SELECT height FROM blocks WHERE substr(hash, 1, 6) = unhex(substr(@hash, 1, 12)) AND hash = unhex(@hash)",
      )
      .pluck();
    this.#summaries = database.prepare<[number, number], BlockSummary>(
      `SELECT ${SUMMARY} FROM blocks WHERE height < ? AND height >= (${FIRST_HEIGHT}) ORDER BY height DESC LIMIT ?`,
    );
    this.#proposers = database.prepare<[number, number], { readonly height: Height; readonly proposer: PublicKeyHex }>(
      "SELECT height, lower(hex(proposer)) AS proposer FROM blocks WHERE height BETWEEN ? AND ?",
    );
  }

  insert(summary: BlockSummary, { front, tail, commitRecord, groups }: NewBlock): void {
    this.insertSummary(summary);
    this.#insertBody.run(summary.height, front, tail, commitRecord);
    this.#records.insert(summary.height, groups);
  }

  /** The columns that lists read, for a block whose body is elsewhere. */
  insertSummary(summary: BlockSummary): void {
    this.#insertSummary.run(summary);
  }

  /**
   * The same for the block below the lowest one, of which no more than a header was here. Transactions are counted back from the row above, to
   * below zero where the chain did not begin with genesis: only differences of these counts are read.
   */
  insertBelow(summary: BlockSummary): void {
    for (const statement of this.#insertBelow) statement.run(summary);
  }

  /** Stores what is known of a block whose body is not here. Call it in ascending order, before the first block with a body is stored. */
  insertHeader({ header, hash, commitRecord }: NewHeader): void {
    const { height, parentHash, stateRoot, timeMs, proposer, txCount } = header;
    this.insertSummary({ height, hash, parentHash, stateRoot, timeMs, proposer, txCount, totalFeesUt: 0 });
    this.#insertHeader.run(height, encode(headerCodec, header), commitRecord ?? null);
  }

  /** Keeps a proven header below {@link firstHeader}, from which older ones follow. It promises no others. */
  insertSingleHeader(header: BlockHeader, commit: Commit | null): void {
    this.#insertSingle.run(header.height, encode(headerCodec, header), commit === null ? null : encode(commitCodec, commit));
  }

  /** The lowest header from a height on that is here without its block. */
  singleHeaderFrom(height: Height): Height | undefined {
    return this.#singleFrom.get(height);
  }

  /** The lowest block whose transactions are here: 0 in a whole chain, and in an empty one. */
  firstHeight(): Height {
    return this.#lowest.body.get() ?? 0;
  }

  /** The lowest block from which on each has its header here; at most {@link firstHeight}. */
  firstHeader(): Height {
    return this.#lowest.row.get() ?? 0;
  }

  /** Height of the newest block, undefined when there is none. */
  tipHeight(): Height | undefined {
    return this.#tipHeight.get() ?? undefined;
  }

  get(height: Height): BlockRecord | undefined {
    const [hash, parts] = [this.#hash.get(height), this.#partsAt(height)];
    if (hash === undefined || parts === undefined) return undefined;
    const records = this.#records.ofBlock(height).map(readRecord);
    if (this.#isDropped(height)) return undefined;
    return {
      block: {
        header: decode(headerCodec, parts.front),
        transactions: records.map(({ transaction }) => transaction),
        ...decode(blockTailCodec, parts.tail),
      },
      hash,
      commit: this.commit(height) ?? null,
      receipts: records.map(({ receipt }) => receipt),
    };
  }

  /** The header alone. */
  header(height: Height): BlockHeader | undefined {
    const front = this.#sealed.read(
      height,
      () => this.#front.get(height) ?? this.#headerAlone.get(height)?.header,
      (segment) => segment.front(height).front,
    );
    return front === undefined ? undefined : decode(headerCodec, front);
  }

  /** The block's bytes as nodes send them. */
  encodedBlock(height: Height): Uint8Array | undefined {
    const parts = this.#partsAt(height);
    if (parts === undefined) return undefined;
    const records = this.encodedRecords(height);
    if (this.#isDropped(height)) return undefined;
    return joinBlock(
      parts,
      records.map(({ transaction }) => transaction),
    );
  }

  /** CBOR of the list of its encoded receipts. */
  encodedReceipts(height: Height): Uint8Array | undefined {
    if (this.#partsAt(height) === undefined) return undefined;
    const records = this.encodedRecords(height);
    return this.#isDropped(height) ? undefined : joinReceipts(records.map(({ receipt }) => receipt));
  }

  /** Its transactions and receipts, encoded, in order. */
  encodedRecords(height: Height): readonly EncodedRecord[] {
    return this.#records.ofBlock(height).map(encodedRecord);
  }

  /** CBOR of the commit; undefined for genesis and beyond the tip. That of a sealed block is the one that the next block holds. */
  encodedCommit(height: Height): Uint8Array | undefined {
    const fromFile = (): Uint8Array | null => {
      const commit = this.lastCommit(height + 1);
      return commit === undefined ? null : encode(commitCodec, commit);
    };
    return this.#sealed.read(height, () => this.#commit.get(height) ?? this.#headerAlone.get(height)?.commitRecord, fromFile) ?? undefined;
  }

  /** The commit alone; undefined for genesis and beyond the tip. */
  commit(height: Height): Commit | undefined {
    const record = this.encodedCommit(height);
    return record === undefined ? undefined : decode(commitCodec, record);
  }

  /** The commit of its parent that a block holds; undefined for blocks 0 and 1 and beyond the tip. */
  lastCommit(height: Height): Commit | undefined {
    const parts = this.#partsAt(height);
    return parts === undefined ? undefined : (decode(blockTailCodec, parts.tail).lastCommit ?? undefined);
  }

  /** The highest block whose body is in a file; −1 when there is none. */
  sealedTo(): Height {
    return this.#sealed.lastHeight();
  }

  /** Removes some rows of blocks that are in files, more beside many new transactions. Call it in the transaction of a block. */
  removeSealed(writtenTransactions = 0): void {
    this.#sealed.removeRows(Math.max(REMOVED_ROWS, REMOVED_ROWS_PER_TRANSACTION * writtenTransactions));
  }

  summary(height: Height): BlockSummary | undefined {
    return this.#summary.get(height);
  }

  /** Height of the block with a hash, lower-case hex. */
  heightOfHash(hash: HashHex): Height | undefined {
    return this.#heightOfHash.get({ hash });
  }

  /** Newest first, below `beforeHeight` when it is given. */
  summaries(limit: number, beforeHeight: Height = Number.MAX_SAFE_INTEGER): readonly BlockSummary[] {
    return this.#summaries.all(beforeHeight, limit);
  }

  /** Who proposed the blocks of a range, by their rows: of those that have one. */
  proposers(first: Height, last: Height): ReadonlyMap<Height, PublicKeyHex> {
    return new Map(this.#proposers.all(first, last).map(({ height, proposer }) => [height, proposer]));
  }

  removeAbove(height: Height): void {
    for (const statement of this.#removeAbove) statement.run(height);
    this.#records.removeAbove(height);
  }

  /** To be asked behind reads of several parts: another thread may drop a block between them. */
  #isDropped(height: Height): boolean {
    return height < this.firstHeight();
  }

  #partsAt(height: Height): BlockParts | undefined {
    return this.#sealed.read<BlockParts>(
      height,
      () => this.#parts.get(height),
      (segment) => segment.front(height),
    );
  }
}
