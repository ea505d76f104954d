// The state of a node that joins, while its chunks arrive: a database that becomes the chain's once it is complete. Beside the state it
// holds which places of the tree are missing, changed with it in one transaction, so that a kill at any moment loses one chunk at most.
import { rmSync } from "node:fs";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { ChunkLeaf } from "#node/state/state-chunk.ts";
import { stateRoot, updateStateTree } from "#node/state/state-tree.ts";
import { ROOT_PLACE, type TreePlace } from "#node/state/tree-place.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { toHex } from "#shared/util/bytes.ts";
import { BlockRepository } from "../chain/block-repository.ts";
import { SeenIdRepository } from "../chain/seen-ids/seen-id-repository.ts";
import { StateRepository } from "../chain/state-repository.ts";
import { UndoRepository } from "../chain/undo-repository.ts";
import { ValidatorSetRepository } from "../chain/validator-set-repository.ts";
import { CHAIN_DATABASE } from "../chain-schema.ts";
import { ExplorerRepository } from "../explorer/explorer-repository.ts";
import { type ChainIdentity, checkNetwork } from "../network-identity.ts";
import { closeSqliteDatabase, inImmediateTransaction, openSqliteDatabase, type SqliteDatabase, settleLog } from "../sqlite-database.ts";
import { storageError } from "../storage-error.ts";
import { ArrivedLeaves, type SortedParts } from "./arrived-leaves.ts";
import { beginChain, type ChainBeginning } from "./begin-chain.ts";

/** Which state is fetched. */
export interface JoinGoal {
  readonly height: Height;
  readonly stateRoot: HashHex;
}

/** A state that grows. */
export interface JoinStore {
  readonly goal: JoinGoal;
  /** Complete once nothing waits to be {@link JoinStore.sort sorted}. */
  readonly state: StateReader;
  /** Places whose leaves are not here yet; together with those that are here they are the whole tree. */
  missing(): readonly TreePlace[];
  /** Stores the proven leaves of a missing place, which is missing no more. */
  store(place: TreePlace, leaves: readonly ChunkLeaf[]): void;
  /** Puts the parts of a missing place in its stead. */
  split(place: TreePlace, parts: readonly TreePlace[]): void;
  /** True when nothing is missing and the root is the goal's. */
  isComplete(): boolean;
  /** Puts a part of the records, which are stored as they come, where reads by key find them. @returns false when all are there */
  sort(): boolean;
  /** How many parts of the records are sorted, and how many there are. */
  sorted(): SortedParts;
  /**
   * Sorts what is not yet, writes the beginning of the chain beside the state, forgets what only joining needs, all in one transaction, and makes it durable: the
   * file is a chain then, which {@link placeJoined} puts in its place.
   */
  finish(beginning: (state: StateReader) => ChainBeginning): void;
  close(): void;
  /** Closes and removes it: what is damaged is fetched once more by the next start. */
  discard(): void;
}

const TABLES = `
CREATE TABLE IF NOT EXISTS join_goal (height INTEGER NOT NULL, state_root TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS join_places (depth INTEGER NOT NULL, prefix BLOB NOT NULL, PRIMARY KEY (depth, prefix)) STRICT, WITHOUT ROWID;
`;

/** File of the state of a height in a data folder. */
export function joinName(height: Height): string {
  return `join-${height}.db`;
}

/** Removes a state that was begun, with its log. */
export function removeJoin(file: string): void {
  for (const part of ["", "-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
}

/** What makes a file that was begun worth nothing: it is damaged, or was written by another program or an older version. */
const USELESS: readonly ErrorCode[] = ["STORAGE_CORRUPT", "STORAGE_FOREIGN", "STORAGE_OLDER"];

/** True for an error of a file that was begun which fetching it once more mends. */
export function isUseless(error: unknown): boolean {
  return isCodedError(error) && USELESS.includes(error.code);
}

/**
 * Opens what was begun for a goal, or begins it: what was begun for another root of the height, and what is damaged, is removed.
 * @throws CodedError of the storage.
 */
export function openJoinStore(file: string, goal: JoinGoal, identity: ChainIdentity): JoinStore {
  try {
    return openBegun(file, goal, identity);
  } catch (error) {
    if (!isUseless(error)) throw error;
  }
  removeJoin(file);
  return openBegun(file, goal, identity);
}

function openBegun(file: string, goal: JoinGoal, identity: ChainIdentity): JoinStore {
  const database = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    checkNetwork(database, identity, file);
    // A power cut may take the last chunks, never the order in which they were stored: they are fetched again.
    database.pragma("synchronous = NORMAL");
    database.exec(TABLES);
    if (isFor(database, goal)) return new SqliteJoinStore(database, goal);
  } catch (error) {
    database.close();
    throw storageError(error, file);
  }
  database.close();
  removeJoin(file);
  return openBegun(file, goal, identity);
}

/** True for a new database, which has its goal afterwards, and for one with this goal. */
function isFor(database: SqliteDatabase, { height, stateRoot: root }: JoinGoal): boolean {
  return inImmediateTransaction(database, () => {
    const stored = database.prepare<[], { height: number; state_root: string }>("SELECT height, state_root FROM join_goal").get();
    if (stored !== undefined) return stored.height === height && stored.state_root === root;
    database.prepare<[number, string]>("INSERT INTO join_goal (height, state_root) VALUES (?, ?)").run(height, root);
    database
      .prepare<[number, Uint8Array]>("INSERT INTO join_places (depth, prefix) VALUES (?, ?)")
      .run(ROOT_PLACE.depth, ROOT_PLACE.prefix);
    return true;
  });
}

class SqliteJoinStore implements JoinStore {
  readonly goal: JoinGoal;
  readonly state: StateRepository;
  readonly #database: SqliteDatabase;
  readonly #arrived: ArrivedLeaves;
  readonly #missing;
  readonly #add;
  readonly #remove;

  constructor(database: SqliteDatabase, goal: JoinGoal) {
    this.goal = goal;
    this.state = new StateRepository(database);
    this.#database = database;
    this.#arrived = new ArrivedLeaves(database);
    this.#missing = database.prepare<[], TreePlace>("SELECT depth, prefix FROM join_places ORDER BY prefix, depth");
    this.#add = database.prepare<[number, Uint8Array]>("INSERT INTO join_places (depth, prefix) VALUES (?, ?)");
    this.#remove = database.prepare<[number, Uint8Array]>("DELETE FROM join_places WHERE depth = ? AND prefix = ?");
  }

  missing(): readonly TreePlace[] {
    return this.#missing.all();
  }

  store({ depth, prefix }: TreePlace, leaves: readonly ChunkLeaf[]): void {
    inImmediateTransaction(this.#database, () => {
      this.#remove.run(depth, prefix);
      this.#arrived.add(leaves);
      this.state.apply([], updateStateTree(this.state, leaves).pages);
    });
  }

  split({ depth, prefix }: TreePlace, parts: readonly TreePlace[]): void {
    inImmediateTransaction(this.#database, () => {
      this.#remove.run(depth, prefix);
      for (const part of parts) this.#add.run(part.depth, part.prefix);
    });
  }

  isComplete(): boolean {
    return this.missing().length === 0 && toHex(stateRoot(this.state)) === this.goal.stateRoot;
  }

  sort(): boolean {
    return inImmediateTransaction(this.#database, () => this.#arrived.moveOne());
  }

  sorted(): SortedParts {
    return this.#arrived.sorted();
  }

  finish(beginning: (state: StateReader) => ChainBeginning): void {
    while (this.sort());
    const database = this.#database;
    database.pragma("synchronous = FULL");
    const tables = {
      blocks: new BlockRepository(database),
      validatorSets: new ValidatorSetRepository(database),
      state: this.state,
      undo: new UndoRepository(database),
      seenIds: new SeenIdRepository(database),
      explorer: new ExplorerRepository(database),
    };
    inImmediateTransaction(database, () => {
      beginChain(tables, beginning(this.state));
      this.#arrived.drop();
      database.exec("DROP TABLE join_places; DROP TABLE join_goal");
    });
    settleLog(database);
  }

  close(): void {
    closeSqliteDatabase(this.#database);
  }

  discard(): void {
    this.#database.close();
    removeJoin(this.#database.name);
  }
}
