// Blocks with their commits and receipts, and the summary columns that lists read.
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { decode } from "#shared/codec/codec.ts";
import { BLOCK_FRONT_BYTES, type Block, decodeBlock, decodeBlockHeader } from "#shared/protocol/chain/block.ts";
import type { BlockHeader, HashHex, Height } from "#shared/protocol/chain/header.ts";
import { type Commit, commitCodec } from "#shared/protocol/chain/vote.ts";
import { type Receipt, receiptsCodec } from "#shared/protocol/transactions/receipt.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { SqliteDatabase } from "../sqlite-database.ts";

/** A block as it is stored. */
export interface BlockRecord {
  readonly block: Block;
  readonly hash: HashHex;
  /** Null for genesis only. */
  readonly commit: Commit | null;
  readonly receipts: readonly Receipt[];
}

/** A block to store: its encoding, CBOR of its commit and of the list of its encoded receipts. */
export interface NewBlock {
  readonly encodedBlock: Uint8Array;
  /** Null for genesis only. */
  readonly commitRecord: Uint8Array | null;
  readonly receipts: Uint8Array;
}

/** Line of a list of blocks. */
export interface BlockSummary {
  readonly height: Height;
  readonly hash: HashHex;
  readonly parentHash: HashHex;
  /** State root after the block. */
  readonly stateRoot: HashHex;
  readonly timeMs: number;
  readonly proposer: string;
  readonly txCount: number;
  readonly totalFeesUt: number;
}

interface BodyRow {
  readonly hash: string;
  readonly block: Uint8Array;
  readonly commit_record: Uint8Array | null;
  readonly receipts: Uint8Array;
}

/** Bytes of the largest commit, and more. */
const COMMIT_BYTES = 8_192;
/** First byte of a commit: an array of five. */
const COMMIT_HEAD = 0x85;

const SUMMARY = `height, hash, parent_hash AS parentHash, state_root AS stateRoot, time_ms AS timeMs, proposer, tx_count AS txCount, total_fees_ut AS totalFeesUt`;
const BODY = "SELECT hash, block, commit_record, receipts FROM blocks JOIN block_bodies USING (height)";

/** Reads and writes blocks. */
export class BlockRepository {
  readonly #insertSummary;
  readonly #insertBody;
  readonly #removeAbove;
  readonly #tipHeight;
  readonly #byHeight;
  readonly #encoded;
  readonly #front;
  readonly #receipts;
  readonly #commit;
  readonly #tail;
  readonly #summary;
  readonly #heightOfHash;
  readonly #summaries;

  constructor(database: SqliteDatabase) {
    this.#insertSummary = database.prepare<[number, string, string, string, number, string, number, number]>(
      "INSERT INTO blocks (height, hash, parent_hash, state_root, time_ms, proposer, tx_count, total_fees_ut) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#insertBody = database.prepare<[number, Uint8Array, Uint8Array | null, Uint8Array]>(
      "INSERT INTO block_bodies (height, block, commit_record, receipts) VALUES (?, ?, ?, ?)",
    );
    this.#removeAbove = ["blocks", "block_bodies"].map((table) => database.prepare<[number]>(`DELETE FROM ${table} WHERE height > ?`));
    this.#tipHeight = database.prepare<[], number | null>("SELECT MAX(height) FROM blocks").pluck();
    this.#byHeight = database.prepare<[number], BodyRow>(`${BODY} WHERE height = ?`);
    this.#encoded = database.prepare<[number], Uint8Array>("SELECT block FROM block_bodies WHERE height = ?").pluck();
    this.#front = database
      .prepare<[number], Uint8Array>(`SELECT substr(block, 1, ${BLOCK_FRONT_BYTES}) FROM block_bodies WHERE height = ?`)
      .pluck();
    this.#receipts = database.prepare<[number], Uint8Array>("SELECT receipts FROM block_bodies WHERE height = ?").pluck();
    this.#commit = database.prepare<[number], Uint8Array | null>("SELECT commit_record FROM block_bodies WHERE height = ?").pluck();
    this.#tail = database
      .prepare<[number], Uint8Array>(`SELECT substr(block, -${COMMIT_BYTES}) FROM block_bodies WHERE height = ?`)
      .pluck();
    this.#summary = database.prepare<[number], BlockSummary>(`SELECT ${SUMMARY} FROM blocks WHERE height = ?`);
    this.#heightOfHash = database.prepare<[string], number>("SELECT height FROM blocks WHERE hash = ?").pluck();
    this.#summaries = database.prepare<[number, number], BlockSummary>(
      `SELECT ${SUMMARY} FROM blocks WHERE height < ? ORDER BY height DESC LIMIT ?`,
    );
  }

  insert(summary: BlockSummary, { encodedBlock, commitRecord, receipts }: NewBlock): void {
    this.insertSummary(summary);
    this.#insertBody.run(summary.height, encodedBlock, commitRecord, receipts);
  }

  /** The columns that lists read, for a block whose body is elsewhere. */
  insertSummary({ height, hash, parentHash, stateRoot, timeMs, proposer, txCount, totalFeesUt }: BlockSummary): void {
    this.#insertSummary.run(height, hash, parentHash, stateRoot, timeMs, proposer, txCount, totalFeesUt);
  }

  /** Height of the newest block, undefined when there is none. */
  tipHeight(): Height | undefined {
    return this.#tipHeight.get() ?? undefined;
  }

  get(height: Height): BlockRecord | undefined {
    const row = this.#byHeight.get(height);
    return row === undefined ? undefined : recordOf(row);
  }

  /** The header alone, without decoding what follows it. */
  header(height: Height): BlockHeader | undefined {
    const front = this.#front.get(height);
    return front === undefined ? undefined : decodeBlockHeader(front);
  }

  /** The block's bytes as nodes send them. */
  encodedBlock(height: Height): Uint8Array | undefined {
    return this.#encoded.get(height);
  }

  /** CBOR of the list of its encoded receipts. */
  encodedReceipts(height: Height): Uint8Array | undefined {
    return this.#receipts.get(height);
  }

  /** CBOR of the commit; undefined for genesis and beyond the tip. */
  encodedCommit(height: Height): Uint8Array | undefined {
    return this.#commit.get(height) ?? undefined;
  }

  /** The commit alone; undefined for genesis and beyond the tip. */
  commit(height: Height): Commit | undefined {
    const record = this.encodedCommit(height);
    return record === undefined ? undefined : decode(commitCodec, record);
  }

  /**
   * The commit of its parent that a block holds, without decoding what is before it: it is the end of the block's bytes, and its hash is
   * in the header. Undefined for blocks 0 and 1 and beyond the tip.
   */
  lastCommit(height: Height): Commit | undefined {
    const hash = this.header(height)?.lastCommitHash;
    const tail = this.#tail.get(height) ?? new Uint8Array();
    for (let at = tail.length - 1; at >= 0; at -= 1) {
      const commit = tail.subarray(at);
      if (tail[at] === COMMIT_HEAD && toHex(nativeSha256(commit)) === hash) return decode(commitCodec, commit);
    }
    return undefined;
  }

  summary(height: Height): BlockSummary | undefined {
    return this.#summary.get(height);
  }

  /** Height of the block with a hash, lower-case hex. */
  heightOfHash(hash: HashHex): Height | undefined {
    return this.#heightOfHash.get(hash);
  }

  /** Newest first, below `beforeHeight` when it is given. */
  summaries(limit: number, beforeHeight: Height = Number.MAX_SAFE_INTEGER): readonly BlockSummary[] {
    return this.#summaries.all(beforeHeight, limit);
  }

  removeAbove(height: Height): void {
    for (const statement of this.#removeAbove) statement.run(height);
  }
}

function recordOf(row: BodyRow): BlockRecord {
  return {
    block: decodeBlock(row.block),
    hash: row.hash,
    commit: row.commit_record === null ? null : decode(commitCodec, row.commit_record),
    receipts: decode(receiptsCodec, row.receipts),
  };
}
