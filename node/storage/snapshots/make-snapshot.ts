// Makes a snapshot beside a running node: the state is copied in one read transaction, the shortest that there can be, since the log of the
// chain grows meanwhile. Everything else happens in the copy: blocks above the height are taken back, the records are sorted by their paths.
import { renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Namespace } from "#node/ledger/state-view.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { stateRoot } from "#node/state/state-tree.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { statePath } from "#shared/protocol/chain/state-proof.ts";
import { toHex } from "#shared/util/bytes.ts";
import { BlockRepository } from "../chain/block-repository.ts";
import { CHAIN_FILE } from "../chain/chain-database.ts";
import { rollbackState } from "../chain/rollback-state.ts";
import { PAGE_PREFIX, StateRepository } from "../chain/state-repository.ts";
import { UndoRepository } from "../chain/undo-repository.ts";
import { CHAIN_DATABASE } from "../chain-schema.ts";
import { type ChainIdentity, checkNetwork } from "../network-identity.ts";
import { openSqliteDatabase, openSqliteReader, type SqliteDatabase } from "../sqlite-database.ts";
import { storageError } from "../storage-error.ts";
import { COPY_ENDING, SNAPSHOT_DATABASE, UNFINISHED_ENDING } from "./snapshot-file.ts";

/** What is made, and when it is given up. */
export interface SnapshotSetting {
  /** Data folder of the chain. */
  readonly directory: string;
  readonly identity: ChainIdentity;
  readonly height: Height;
  /** Path of the finished file. */
  readonly file: string;
  /** Bytes of the chain's log above which the copy is given up. */
  readonly logBytes: number;
  /** Bytes that stay free on the disk for the chain. */
  readonly reservedBytes: number;
}

/** A finished snapshot. */
export interface MadeSnapshot {
  readonly records: number;
  readonly bytes: number;
}

/** Rows between two looks at the log, the disk and the wish to stop. */
const ROWS_BETWEEN_LOOKS = 2_048;

/**
 * Writes the snapshot of a height, which is whole once it has its name.
 * @param isStopped asked now and then; true ends the work.
 * @throws CodedError UNAVAILABLE when it is given up, STORAGE_FULL, or as every database; what was begun is removed.
 */
export function makeSnapshot(setting: SnapshotSetting, isStopped: () => boolean): MadeSnapshot {
  const { file } = setting;
  const [copy, unfinished] = [`${file}${COPY_ENDING}`, `${file}${UNFINISHED_ENDING}`];
  const look = lookAfter(setting, isStopped);
  try {
    const root = copyState(copy, setting, look);
    const records = sortByPath({ copy, unfinished, root }, setting, look);
    renameSync(unfinished, file);
    return { records, bytes: statSync(file).size };
  } catch (error) {
    throw storageError(error, file);
  } finally {
    for (const path of [copy, unfinished]) for (const part of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${part}`, { force: true });
  }
}

/** The state after the height in a file of its own; its root. */
function copyState(copy: string, { directory, height }: SnapshotSetting, look: () => void): HashHex {
  const chain = join(directory, CHAIN_FILE);
  const reader = openSqliteReader(chain, CHAIN_DATABASE);
  const database = openSqliteDatabase(copy, CHAIN_DATABASE);
  try {
    const blocks = new BlockRepository(reader);
    forgetLog(database, false);
    eachRow(database, look);
    database.prepare("ATTACH ? AS chain").run(chain);
    database.exec("BEGIN");
    const tip = database.prepare<[], number | null>("SELECT MAX(height) FROM chain.blocks").pluck().get() ?? 0;
    if (tip < height) throw givenUp(`block ${height} is not there yet`);
    for (const table of ["state", "tree_pages"]) database.exec(`INSERT INTO main.${table} SELECT * FROM chain.${table} WHERE go_on()`);
    database.prepare("INSERT INTO main.undo SELECT * FROM chain.undo WHERE height > ?").run(height);
    database.exec("COMMIT");
    database.exec("DETACH chain");
    const state = new StateRepository(database);
    const undo = new UndoRepository(database);
    if (tip > height && !undo.has(height + 1)) throw givenUp(`the chain is at ${tip} already, and ${height} cannot be rolled back to`);
    rollbackState({ state, undo, rootAfter: (at) => blocks.summary(at)?.stateRoot }, tip, height);
    const root = toHex(stateRoot(state));
    if (root !== blocks.summary(height)?.stateRoot)
      throw new CodedError("STORAGE_CORRUPT", `The state in ${chain} is not that of its blocks`);
    return root;
  } finally {
    database.close();
    reader.close();
  }
}

interface Parts {
  readonly copy: string;
  readonly unfinished: string;
  readonly root: HashHex;
}

/** The finished content, by paths; how many records there are. */
function sortByPath({ copy, unfinished, root }: Parts, { directory, identity, height }: SnapshotSetting, look: () => void): number {
  const database = openSqliteDatabase(unfinished, SNAPSHOT_DATABASE);
  try {
    forgetLog(database, true);
    // More than memory holds is sorted in files.
    database.pragma("temp_store = FILE");
    checkNetwork(database, identity, directory);
    eachRow(database, look);
    database.function("state_path", { deterministic: true }, (namespace, key) => {
      look();
      return statePath(namespace as Namespace, key as Uint8Array, nativeSha256);
    });
    database.prepare("ATTACH ? AS copy").run(copy);
    database.exec("BEGIN");
    database.exec(`INSERT INTO main.tree_pages SELECT ${PAGE_PREFIX}, page FROM copy.tree_pages WHERE go_on() ORDER BY 1`);
    database.exec("INSERT INTO main.leaves SELECT state_path(namespace, key), namespace, key, value FROM copy.state ORDER BY 1");
    const records = database.prepare<[], number>("SELECT COUNT(*) FROM main.leaves").pluck().get() ?? 0;
    const write = database.prepare<[string, string]>("INSERT INTO main.meta (name, value) VALUES (?, ?)");
    for (const [name, value] of Object.entries({ height, state_root: root, records })) write.run(name, String(value));
    database.exec("COMMIT");
    return records;
  } finally {
    database.close();
  }
}

/** What is not finished is removed after a crash: it needs no log. OFF is refused by the driver, and a log as large as the state would stay. */
function forgetLog(database: SqliteDatabase, isDurable: boolean): void {
  database.pragma("journal_mode = MEMORY");
  database.pragma(`synchronous = ${isDurable ? "FULL" : "OFF"}`);
}

/** Lets statements look around at each row. */
function eachRow(database: SqliteDatabase, look: () => void): void {
  database.function("go_on", { deterministic: false }, () => {
    look();
    return 1;
  });
}

function lookAfter({ directory, file, logBytes, reservedBytes }: SnapshotSetting, isStopped: () => boolean): () => void {
  const log = join(directory, `${CHAIN_FILE}-wal`);
  let rows = 0;
  return (): void => {
    rows += 1;
    if (rows % ROWS_BETWEEN_LOOKS !== 1) return;
    if (isStopped()) throw givenUp("the node stops");
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > logBytes) throw givenUp("the log of the chain grew too large meanwhile");
    const { bavail, bsize } = statfsSync(join(file, ".."));
    if (bavail * bsize < reservedBytes) throw new CodedError("STORAGE_FULL", "The disk has too little room for a snapshot of the state");
  };
}

function givenUp(why: string): CodedError {
  return new CodedError("UNAVAILABLE", `The snapshot was given up: ${why}`);
}
