// The last step of joining: the file that has become a chain takes the place of the chain. A crash before or after each step is harmless:
// whole files are found by what is in them, and the next start does the rest.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { BlockRepository } from "../chain/block-repository.ts";
import { CHAIN_FILE } from "../chain/chain-database.ts";
import { CHAIN_DATABASE } from "../chain-schema.ts";
import { diskFiles } from "../history/files/disk-files.ts";
import { closeHistory } from "../history/sealing/sealed-history.ts";
import { closeSqliteDatabase, openSqliteDatabase, type SqliteDatabase, settleLog } from "../sqlite-database.ts";
import { isUseless, removeJoin } from "./join-store.ts";

const JOIN_FILE = /^join-([1-9]\d{0,14})\.db$/;

/** Heights of the states that were begun or completed in a data folder. */
export function begunJoins(directory: string): readonly Height[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).flatMap((name) => {
    const height = JOIN_FILE.exec(name)?.[1];
    return height === undefined ? [] : [Number(height)];
  });
}

/**
 * True when a folder has no block above genesis: only then may a joined chain take its place. One of an older version has a chain, which is
 * brought up to date when it is opened. @throws CodedError of the storage
 */
export function hasNoChain(directory: string): boolean {
  try {
    return (tipOf(join(directory, CHAIN_FILE)) ?? 0) === 0;
  } catch (error) {
    if (isCodedError(error, "STORAGE_OLDER")) return false;
    throw error;
  }
}

/**
 * Puts a joined chain in its place where there is a whole one, and removes what else was begun once a chain is there. Call it with the lock of
 * the folder. What was begun and is damaged is removed: it can be fetched once more.
 * @returns its height; undefined when none was whole @throws CodedError of the storage
 */
export function placeJoined(directory: string): Height | undefined {
  const joins = begunJoins(directory).map((height) => ({ height, name: `join-${height}.db` }));
  if (joins.length === 0) return undefined;
  let placed: Height | undefined;
  if (hasNoChain(directory)) {
    const whole = joins.find(({ name }) => isWhole(join(directory, name)));
    if (whole === undefined) return undefined;
    const files = diskFiles(directory);
    // The log of a chain must not meet the file of another one.
    removeLogs(join(directory, CHAIN_FILE));
    removeLogs(join(directory, whole.name));
    files.rename(whole.name, CHAIN_FILE);
    files.syncFolder();
    placed = whole.height;
  }
  for (const { name } of joins) removeJoin(join(directory, name));
  return placed;
}

/** True for a file that is a chain, with all of it in the file itself. */
function isWhole(file: string): boolean {
  try {
    return (tipOf(file, settleLog) ?? 0) > 0;
  } catch (error) {
    if (!isUseless(error)) throw error;
    removeJoin(file);
    return false;
  }
}

/** The newest block of a file, which is closed in order. */
function tipOf(file: string, before: (database: SqliteDatabase) => void = () => undefined): Height | undefined {
  if (!existsSync(file)) return undefined;
  const database = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    before(database);
    return new BlockRepository(database).tipHeight();
  } finally {
    closeHistory(database);
    closeSqliteDatabase(database);
  }
}

function removeLogs(file: string): void {
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
}
