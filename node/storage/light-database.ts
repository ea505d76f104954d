// light.db of a data folder: blocks that a light node has verified, so that it never starts from genesis again, and what proved a fork.
// Few are stored: the first, the newest ones, and one of every thousand between, so that the history below each is near.
import { join } from "node:path";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import { type LightBlock, lightBlockCodec, type TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type ChainIdentity, checkNetwork } from "./network-identity.ts";
import {
  closeSqliteDatabase,
  type DatabaseKind,
  inImmediateTransaction,
  openSqliteDatabase,
  type SqliteDatabase,
} from "./sqlite-database.ts";
import { storageError } from "./storage-error.ts";

/** File of the light node's database in a data folder. */
export const LIGHT_FILE = "light.db";
/** The newest blocks that are all kept. */
export const NEWEST_KEPT = 16;
/** One block is retained of this many … */
export const KEPT_EVERY = 1_000;
/** … and twice as many, and so on, when there would be more than this. */
export const MOST_KEPT = 1_024;
/** Blocks that are written between two checks of what can go. */
const PRUNE_EVERY = 64;

const INITIAL_SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE trusted_blocks (
  height INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  block BLOB NOT NULL
) STRICT;

CREATE TABLE forks (
  seq INTEGER PRIMARY KEY,
  first BLOB NOT NULL,
  second BLOB NOT NULL,
  reason TEXT NOT NULL,
  checkpoint TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  is_settled INTEGER NOT NULL
) STRICT;
`;

/** The light node's database: "PRLL". */
export const LIGHT_DATABASE: DatabaseKind = { applicationId: 0x50_52_4c_4c, initialSchema: INITIAL_SCHEMA, migrations: [] };

/** Two blocks that validators signed and that cannot be on one chain. */
export interface ForkEvidence {
  readonly first: LightBlock;
  readonly second: LightBlock;
  readonly reason: string;
  /** The checkpoint in force when it was found, as text; "" without one. */
  readonly checkpoint: string;
  readonly seenAtMs: number;
}

interface BlockRow {
  readonly hash: string;
  readonly block: Uint8Array;
}

interface ForkRow {
  readonly first: Uint8Array;
  readonly second: Uint8Array;
  readonly reason: string;
  readonly checkpoint: string;
  readonly seenAtMs: number;
}

const BLOCK = "SELECT hash, block FROM trusted_blocks";

/** The open database. Synchronous, every change durable on return; one writer. */
export class LightDatabase {
  readonly file: string;
  readonly #database: SqliteDatabase;
  readonly #insert;
  readonly #prune;
  readonly #at;
  readonly #below;
  readonly #above;
  readonly #heights;
  readonly #insertFork;
  readonly #fork;
  #inserted = 0;

  constructor(database: SqliteDatabase) {
    this.file = database.name;
    this.#database = database;
    this.#insert = database.prepare<[number, HashHex, Uint8Array]>(
      "INSERT OR REPLACE INTO trusted_blocks (height, hash, block) VALUES (?, ?, ?)",
    );
    this.#prune = database.prepare<[number, number]>(
      `DELETE FROM trusted_blocks WHERE height NOT IN (SELECT height FROM trusted_blocks ORDER BY height DESC LIMIT ?)
        AND height NOT IN (SELECT MIN(height) FROM trusted_blocks GROUP BY height / CAST(? AS INTEGER))`,
    );
    this.#at = database.prepare<[number], BlockRow>(`${BLOCK} WHERE height = ?`);
    this.#below = database.prepare<[number], BlockRow>(`${BLOCK} WHERE height < ? ORDER BY height DESC LIMIT 1`);
    this.#above = database.prepare<[number], BlockRow>(`${BLOCK} WHERE height > ? ORDER BY height LIMIT 1`);
    this.#heights = database.prepare<[], number>("SELECT height FROM trusted_blocks ORDER BY height").pluck();
    this.#insertFork = database.prepare<[Uint8Array, Uint8Array, string, string, number]>(
      "INSERT INTO forks (first, second, reason, checkpoint, seen_at_ms, is_settled) VALUES (?, ?, ?, ?, ?, 0)",
    );
    this.#fork = database.prepare<[], ForkRow>(
      "SELECT first, second, reason, checkpoint, seen_at_ms AS seenAtMs FROM forks WHERE is_settled = 0 ORDER BY seq LIMIT 1",
    );
  }

  /** The newest verified block; undefined in a new file. */
  tip(): TrustedBlock | undefined {
    return this.below(Number.MAX_SAFE_INTEGER);
  }

  at(height: Height): TrustedBlock | undefined {
    return this.#read(() => this.#at.get(height));
  }

  /** The nearest block below a height. */
  below(height: Height): TrustedBlock | undefined {
    return this.#read(() => this.#below.get(height));
  }

  /** The nearest block above a height. */
  above(height: Height): TrustedBlock | undefined {
    return this.#read(() => this.#above.get(height));
  }

  /** Heights of all stored blocks, ascending. */
  heights(): readonly Height[] {
    return this.#guard(() => this.#heights.all());
  }

  /** Stores a verified block; now and then those that are not to be retained are deleted. */
  insert(block: TrustedBlock): void {
    inImmediateTransaction(this.#database, () => this.#put(block));
  }

  /** Stores a block that a checkpoint names, and resolves the forks before it: nothing that was verified on either side counts any more. */
  resolveForks(block: TrustedBlock): void {
    inImmediateTransaction(this.#database, () => {
      this.#database.exec("DELETE FROM trusted_blocks; UPDATE forks SET is_settled = 1");
      this.#put(block);
    });
  }

  /** The fork that is not resolved. */
  fork(): ForkEvidence | undefined {
    const row = this.#guard(() => this.#fork.get());
    if (row === undefined) return undefined;
    return { ...row, first: this.#decode(row.first), second: this.#decode(row.second) };
  }

  recordFork({ first, second, reason, checkpoint, seenAtMs }: ForkEvidence): void {
    this.#guard(() => this.#insertFork.run(encode(lightBlockCodec, first), encode(lightBlockCodec, second), reason, checkpoint, seenAtMs));
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }

  #put(block: TrustedBlock): void {
    this.#insert.run(block.header.height, block.hash, encode(lightBlockCodec, block));
    if (this.#inserted % PRUNE_EVERY === 0) this.#prune.run(NEWEST_KEPT, spacingAt(block.header.height));
    this.#inserted += 1;
  }

  #read(query: () => BlockRow | undefined): TrustedBlock | undefined {
    const row = this.#guard(query);
    if (row === undefined) return undefined;
    const block = this.#decode(row.block);
    const isWhole =
      headerHash(block.header, nativeSha256) === row.hash && validatorsHash(block.validators, nativeSha256) === block.header.validatorsHash;
    if (!isWhole) throw this.#damaged();
    return { ...block, hash: row.hash };
  }

  #decode(bytes: Uint8Array): LightBlock {
    try {
      return decode(lightBlockCodec, bytes);
    } catch (error) {
      throw this.#damaged(error);
    }
  }

  #damaged(cause?: unknown): CodedError {
    return new CodedError(
      "STORAGE_CORRUPT",
      `The database ${this.file} is damaged: move it away and start again; the node then verifies the chain again from the genesis file or a checkpoint`,
      { cause, details: { file: this.file } },
    );
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storageError(error, this.file);
    }
  }
}

/**
 * Opens the light node's database of a folder, creating it for the given network when there is none.
 * @throws CodedError as `openChainDatabase`
 */
export function openLightDatabase(directory: string, identity: ChainIdentity): LightDatabase {
  const file = join(directory, LIGHT_FILE);
  const database = openSqliteDatabase(file, LIGHT_DATABASE);
  try {
    checkNetwork(database, identity, directory);
    return new LightDatabase(database);
  } catch (error) {
    database.close();
    throw storageError(error, file);
  }
}

/** One block of this many is retained when the newest one has the height. */
function spacingAt(height: Height): number {
  let spacing = KEPT_EVERY;
  while (height / spacing > MOST_KEPT) spacing *= 2;
  return spacing;
}
