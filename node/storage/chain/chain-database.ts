// chain.db of a data folder: blocks, state, undo lists, seen ids and the explorer's index, written in one transaction a batch of blocks.
import { join } from "node:path";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { CHAIN_DATABASE } from "../chain-schema.ts";
import { ExplorerRepository } from "../explorer/explorer-repository.ts";
import { OwnRepository } from "../history/records/own-repository.ts";
import { closeHistory, type SealedHistory, sealedHistory } from "../history/sealing/sealed-history.ts";
import { type ChainIdentity, checkNetwork } from "../network-identity.ts";
import { closeSqliteDatabase, inImmediateTransaction, openSqliteDatabase, type SqliteDatabase } from "../sqlite-database.ts";
import { storageError } from "../storage-error.ts";
import { BlockRepository } from "./block-repository.ts";
import { migrateFile } from "./migration/migrate-file.ts";
import type { RewriteProgress } from "./migration/rewrite-database.ts";
import { rollbackState } from "./rollback-state.ts";
import { type SealedFacts, sealedFacts } from "./sealing/sealed-facts.ts";
import { TakenBack } from "./sealing/taken-back.ts";
import { SeenIdRepository } from "./seen-ids/seen-id-repository.ts";
import { StateRepository } from "./state-repository.ts";
import { UndoRepository } from "./undo-repository.ts";
import { ValidatorSetRepository } from "./validator-set-repository.ts";

export interface ChainReader {
  readonly blocks: BlockRepository;
  readonly validatorSets: ValidatorSetRepository;
  readonly state: StateRepository;
  readonly explorer: ExplorerRepository;
}

export interface ChainTables extends ChainReader {
  readonly undo: UndoRepository;
  readonly seenIds: SeenIdRepository;
}

/** The open chain database. Synchronous; one writer at a time. */
export interface ChainDatabase extends ChainTables {
  readonly file: string;
  /** Blocks that are in files of their own. */
  readonly history: SealedHistory;
  /** Accounts whose entries outlive their blocks. */
  readonly own: OwnRepository;
  /** Whether blocks were taken back. */
  readonly takenBack: TakenBack;
  /** What the tables say of a block, whose body may be in a file; undefined for one that is not there. */
  sealedFacts(height: Height): SealedFacts | undefined;
  /** All of the work or nothing, durable on return. @throws CodedError of the storage, or what the work throws. */
  inTransaction<T>(work: () => T): T;
  /** Runs reads; what SQLite reports comes out as a CodedError of the storage. */
  guard<T>(work: () => T): T;
  /** Back to the state after `height`, at most 100 blocks, in one transaction. @throws CodedError INVARIANT when that is too far. */
  rollback(height: Height): void;
  close(): void;
  /** Closes this connection while another one of the same file stays open, and leaves what is to be done in the end to that one. */
  release(): void;
}

/** File of the chain database in a data folder. */
export const CHAIN_FILE = "chain.db";

/**
 * Opens the chain database of a folder, creating it for the given network when there is none, and bringing one of an older version up to
 * date: `onMigration` hears how far that is, in blocks. `cacheKib` is what its pages may take of memory.
 * @throws CodedError STORAGE_FOREIGN for the folder of another network or program, STORAGE_NEWER, STORAGE_CORRUPT, STORAGE_LOCKED,
 * STORAGE_FULL or STORAGE_FAILED.
 */
export function openChainDatabase(
  directory: string,
  identity: ChainIdentity,
  onMigration?: RewriteProgress,
  cacheKib?: number,
): ChainDatabase {
  const file = join(directory, CHAIN_FILE);
  const database = openCurrent(file, onMigration, cacheKib);
  try {
    checkNetwork(database, identity, directory);
    return chainDatabase(database, file);
  } catch (error) {
    database.close();
    throw storageError(error, file);
  }
}

function openCurrent(file: string, onProgress: RewriteProgress | undefined, cacheKib: number | undefined): SqliteDatabase {
  try {
    return openSqliteDatabase(file, CHAIN_DATABASE, cacheKib);
  } catch (error) {
    if (!isCodedError(error) || error.code !== "STORAGE_OLDER") throw error;
  }
  migrateFile(file, { onProgress });
  return openSqliteDatabase(file, CHAIN_DATABASE, cacheKib);
}

function chainDatabase(database: SqliteDatabase, file: string): ChainDatabase {
  const blocks = new BlockRepository(database);
  const validatorSets = new ValidatorSetRepository(database);
  const state = new StateRepository(database);
  const undo = new UndoRepository(database);
  const seenIds = new SeenIdRepository(database);
  const explorer = new ExplorerRepository(database);
  /** What memory holds of tables must not outlive a transaction that was taken back. */
  const forgetOnFailure = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      explorer.forget();
      throw error;
    }
  };
  const inTransaction = <T>(work: () => T): T => forgetOnFailure(() => inImmediateTransaction(database, work));
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storageError(error, file);
    }
  };
  const takenBack = new TakenBack(database);
  const rollback = (height: Height): void =>
    inTransaction(() => {
      assertInvariant(height >= blocks.sealedTo(), `Block ${height + 1} is sealed: it cannot be rolled back`);
      const rootAfter = (below: Height): HashHex | undefined => blocks.summary(below)?.stateRoot;
      rollbackState({ state, undo, rootAfter }, blocks.tipHeight() ?? 0, height);
      undo.removeAbove(height);
      validatorSets.removeAbove(height);
      seenIds.forget();
      explorer.removeAbove(height);
      blocks.removeAbove(height);
      takenBack.set(height);
    });
  const close = (): void => {
    closeHistory(database);
    closeSqliteDatabase(database);
  };
  const release = (): void => {
    closeHistory(database);
    database.close();
  };
  const tables: ChainTables = { blocks, validatorSets, state, undo, seenIds, explorer };
  const ownHistory = { history: sealedHistory(database), sealedFacts: sealedFacts(database) };
  return {
    file,
    own: new OwnRepository(database),
    takenBack,
    ...ownHistory,
    ...tables,
    inTransaction,
    guard,
    rollback,
    close,
    release,
  };
}
