// A copy of a data folder, made while its node runs: a folder that a node can start from. It has no memory of what the key has signed: a
// copy of that memory would be older than the signatures that came after it, and a validator that relied on it could contradict itself.
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { dataFolderPaths, readFolderNetwork } from "#node/config/files/data-folder.ts";
import { fileError, systemErrorCode } from "#node/config/files/file-errors.ts";
import { syncFolder } from "#node/config/files/write-file-atomic.ts";
import { CHAIN_FILE } from "#node/storage/chain/chain-database.ts";
import { CHAIN_DATABASE } from "#node/storage/chain-schema.ts";
import { checkHistoryFiles, readChainTip, readHistoryNames } from "#node/storage/folder-readers.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { LIGHT_DATABASE, LIGHT_FILE } from "#node/storage/light-database.ts";
import { MAILBOX_FILE } from "#node/storage/mailbox/mailbox-repository.ts";
import { MAILBOX_DATABASE } from "#node/storage/mailbox/mailbox-schema.ts";
import { MAIL_QUEUE_DATABASE, MAIL_QUEUE_FILE } from "#node/storage/messages/mail-queue.ts";
import { createPrivateFile } from "#node/storage/private-file.ts";
import { type DatabaseKind, openSqliteReader } from "#node/storage/sqlite-database.ts";
import { storageError } from "#node/storage/storage-error.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";

/** What is copied beside the chain. */
export interface BackupOptions {
  /** False leaves the node's keys out: a node that starts from the copy makes new ones. */
  readonly hasKeys: boolean;
  /** Called behind each copy of a database; tests change the folder there. */
  readonly onCopied?: () => void;
}

/** What was copied. */
export interface Backup {
  /** Height of the newest block; null for a light node, and after genesis alone. */
  readonly height: Height | null;
}

const DATABASES: readonly (readonly [file: string, kind: DatabaseKind])[] = [
  [CHAIN_FILE, CHAIN_DATABASE],
  [MAILBOX_FILE, MAILBOX_DATABASE],
  [MAIL_QUEUE_FILE, MAIL_QUEUE_DATABASE],
  [LIGHT_FILE, LIGHT_DATABASE],
];
const FILES = ["config.json", "genesis.state", "checkpoint", "pending.json", "peers.json"];
const KEYS = "keys";
/** How often the database is copied once more because files were merged or dropped meanwhile. */
const MERGES_MET = 3;
/** Files of old blocks, and of what finds them. */
const HISTORY_FILES = /^\d+-\d+\.(?:seg|ids|acc)$/;

/**
 * Copies the folder of a node, which may run, into a new or empty one. The genesis file comes last: a copy that has one is complete.
 * @throws CodedError CONFIG_INVALID without a node, or for a place that is taken, STORAGE_FULL, STORAGE_UNWRITABLE, or as every database of
 * the folder, STORAGE_CORRUPT also for a file of old blocks that is missing or cut off; nothing is left behind then.
 */
export function backupFolder(path: string, out: string, { hasKeys, onCopied = (): void => undefined }: BackupOptions): Backup {
  readFolderNetwork(path);
  const isNew = prepare(path, out);
  try {
    // Before the database: what the node drops while that is copied is here already.
    linkFiles(path, out, presentFiles(path));
    for (const [file, kind] of DATABASES) copyDatabase(join(path, file), join(out, file), kind);
    onCopied();
    for (let left = MERGES_MET; !linkHistory(path, out); left -= 1) {
      if (left === 0) throw missingFiles(path, out);
      rmSync(join(out, CHAIN_FILE));
      linkFiles(path, out, presentFiles(path));
      copyDatabase(join(path, CHAIN_FILE), join(out, CHAIN_FILE), CHAIN_DATABASE);
      onCopied();
    }
    for (const name of FILES) copyFile(join(path, name), join(out, name));
    if (hasKeys) copyKeys(join(path, KEYS), join(out, KEYS));
    copyFile(dataFolderPaths(path).genesis, dataFolderPaths(out).genesis);
    syncFolder(out);
    syncFolder(dirname(resolve(out)));
    return { height: readChainTip(out)?.height ?? null };
  } catch (error) {
    for (const name of readdirSync(out)) rmSync(join(out, name), { recursive: true, force: true });
    if (isNew) rmSync(out, { recursive: true, force: true });
    throw error;
  }
}

/** Makes the place. Returns whether it is new. */
function prepare(path: string, out: string): boolean {
  if (`${resolve(out)}${sep}`.startsWith(`${resolve(path)}${sep}`))
    throw new CodedError("CONFIG_INVALID", `${out} is inside the data folder itself: choose another place for the copy`);
  const isNew = !existsSync(out);
  try {
    mkdirSync(out, { recursive: true, mode: 0o700 });
    if (readdirSync(out).length === 0) return isNew;
  } catch (error) {
    throw fileError(out, error);
  }
  throw new CodedError("CONFIG_INVALID", `${out} is not empty: choose a new folder for the copy`);
}

/** One state of the database, whatever is written meanwhile, without the room of removed rows. */
function copyDatabase(from: string, to: string, kind: DatabaseKind): void {
  if (!existsSync(from)) return;
  const database = openSqliteReader(from, kind);
  try {
    createPrivateFile(to);
    database.prepare("VACUUM INTO ?").run(to);
  } catch (error) {
    const isSource = error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CORRUPT");
    throw storageError(error, isSource ? from : to);
  } finally {
    database.close();
  }
  sync(to);
}

/**
 * Files of old blocks that the copy of the database names, and no others. They never change, so that they are linked where both folders are
 * on one disk. False when one is gone: the node merged or dropped some since, and its database names others.
 * @throws CodedError STORAGE_CORRUPT for one that is cut off or another one
 */
function linkHistory(path: string, out: string): boolean {
  if (!existsSync(join(out, CHAIN_FILE))) return true;
  const names = new Set(readHistoryNames(out));
  linkFiles(path, out, [...names]);
  const to = join(out, HISTORY_FOLDER);
  const copied = existsSync(to) ? readdirSync(to) : [];
  if (copied.filter((name) => names.has(name)).length < names.size) return false;
  for (const name of copied) if (!names.has(name)) rmSync(join(to, name));
  if (names.size === 0) rmSync(to, { recursive: true, force: true });
  else {
    // A copy with a damaged one would be found out when it is needed.
    checkHistoryFiles(out, to);
    syncFolder(to);
  }
  return true;
}

/** Links or copies files that are not in the copy yet; one that went meanwhile is left out. */
function linkFiles(path: string, out: string, names: readonly string[]): void {
  const [from, to] = [path, out].map((folder) => join(folder, HISTORY_FOLDER)) as [string, string];
  if (names.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of names) {
    if (existsSync(join(to, name))) continue;
    try {
      linkSync(join(from, name), join(to, name));
    } catch {
      copyFile(join(from, name), join(to, name));
    }
  }
}

function presentFiles(path: string): readonly string[] {
  const folder = join(path, HISTORY_FOLDER);
  return existsSync(folder) ? readdirSync(folder).filter((name) => HISTORY_FILES.test(name)) : [];
}

/** Why files that the database names are not to be had. @throws CodedError STORAGE_CORRUPT naming the first one */
function missingFiles(path: string, out: string): CodedError {
  const folder = join(path, HISTORY_FOLDER);
  checkHistoryFiles(out, folder);
  return new CodedError("STORAGE_FAILED", `Files of ${folder} are missing: look at it with parley check`);
}

function copyKeys(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { mode: 0o700 });
  for (const name of readdirSync(from)) if (name.endsWith(".json")) copyFile(join(from, name), join(to, name));
  syncFolder(to);
}

/** With its permissions, and durable; nothing where there is none. */
function copyFile(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT" && !existsSync(from)) return;
    throw fileError(to, error);
  }
  sync(to);
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
