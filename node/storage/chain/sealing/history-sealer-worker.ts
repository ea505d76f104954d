// Entry of the thread that seals blocks: a connection of its own, one segment after the other, until too few blocks are deep enough. Then what
// is older than the node keeps is dropped.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import type { FileLayer, WritableFile } from "../../history/files/file-layer.ts";
import { OwnRepository } from "../../history/records/own-repository.ts";
import { dropSegments } from "../../history/sealing/drop-segments.ts";
import { DroppedRows } from "../../history/sealing/dropped-rows.ts";
import { indexSegments } from "../../history/sealing/index-segments.ts";
import { type KeptReads, KeptRows } from "../../history/sealing/kept-rows.ts";
import { type RebuildWork, rebuildRuns } from "../../history/sealing/rebuild-runs.ts";
import type { Border } from "../../history/sealing/retention-border.ts";
import { removeUnnamed, sealNext } from "../../history/sealing/seal-segment.ts";
import { closeHistory, type SealedHistory, sealedHistory } from "../../history/sealing/sealed-history.ts";
import { openSqliteDatabase, type SqliteDatabase } from "../../sqlite-database.ts";
import { storageError } from "../../storage-error.ts";
import { headerSource } from "./header-source.ts";
import type { SealResponse, SealSetting } from "./history-sealer.ts";
import { indexSource } from "./index-source.ts";
import { keptSource } from "./kept-source.ts";
import { sealSource } from "./seal-source.ts";
import { sealedIndexSource } from "./sealed-index-source.ts";

class Stopped extends Error {}

const { file, limits, border, own, damagedRuns } = workerData as SealSetting;
const port = parentPort;
if (port === null) throw new Error("This is the entry of a thread");

try {
  const database = openSqliteDatabase(file, CHAIN_DATABASE);
  try {
    seal(database);
  } finally {
    closeHistory(database);
    database.close();
  }
} catch (cause) {
  if (!(cause instanceof Stopped)) respondWith(cause);
}
port.close();

function respondWith(cause: unknown): void {
  respond(threadFailure(storageError(cause, file)));
}

function seal(database: SqliteDatabase): void {
  const history = sealedHistory(database);
  const [files, source, index] = [stoppable(history.files), sealSource(database), indexSource(database)];
  // What the thread merged before it started again, readers have let go since.
  removeUnnamed(files, history, history.runs);
  const failure = damagedRuns.length === 0 ? undefined : rebuild(database, files);
  const maxRunBlocks = border?.maxRunBlocks;
  for (;;) {
    attempt(() => indexSegments(files, { source: index, segments: history.all(), list: history.runs, maxRunBlocks }));
    const sealed = attempt(() => sealNext(files, source, history, limits));
    if (sealed === undefined) break;
    respond({ last: sealed.last });
  }
  if (border !== undefined) drop(database, history, files, border);
  if (failure !== undefined) throw failure;
}

/** Makes damaged runs once more. @returns why that cannot be, which keeps no block from being sealed: blocks that they cover are damaged as well */
function rebuild(database: SqliteDatabase, files: FileLayer): unknown {
  const source: RebuildWork["source"] = (numberAbove) => sealedIndexSource(database, numberAbove);
  try {
    attempt(() => rebuildRuns(files, { list: sealedHistory(database).runs, damaged: damagedRuns, source }));
    return undefined;
  } catch (error) {
    if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
    return error;
  }
}

/** What is damaged stays until it is replaced: its headers are needed. */
function drop(database: SqliteDatabase, history: SealedHistory, files: FileLayer, border: Border): void {
  // Sealing took its time.
  if (isStopped()) throw new Stopped();
  const kept = new KeptRows(database, keptReads(database), ({ first, last }, entries) => {
    if (isStopped()) throw new Stopped();
    respond({ kept: { first, last, entries } });
  });
  const tables = new DroppedRows(database, history, { header: headerSource(database), kept });
  try {
    const droppedTo = attempt(() => dropSegments(files, tables, border));
    attempt(() => tables.thin(border.headersFrom, isStopped));
    if (droppedTo !== undefined) respond({ droppedTo });
  } catch (error) {
    if (!isCodedError(error, "STORAGE_CORRUPT")) throw error;
    respond({ damaged: error.message });
  }
}

/** The accounts are those of the moment: programs name more while the thread is at work. */
function keptReads(database: SqliteDatabase): KeptReads {
  const named = new OwnRepository(database);
  const accounts = (): readonly string[] => [...new Set([...own, ...named.all().map(({ publicKey }) => publicKey)])];
  return { own: accounts, entries: keptSource(database) };
}

/** The same files, until the thread is to end: the next start removes what was begun. */
function stoppable(files: FileLayer): FileLayer {
  const create = (name: string): WritableFile => {
    const file = files.create(name);
    const append = (bytes: Uint8Array): void => {
      if (isStopped()) throw new Stopped();
      file.append(bytes);
    };
    return { ...file, append };
  };
  const syncFolder = (): void => {
    files.syncFolder();
    if (isStopped()) throw new Stopped();
  };
  return { ...files, create, syncFolder };
}

/** Blocks are written meanwhile: a writer that is in the way is gone a moment later. Each attempt waits for seconds by itself. */
function attempt<T>(work: () => T): T {
  for (let left = 20; ; left -= 1) {
    try {
      return work();
    } catch (error) {
      if (left === 0 || !isCodedError(error, "STORAGE_LOCKED")) throw error;
    }
  }
}

function isStopped(): boolean {
  return port !== null && receiveMessageOnPort(port) !== undefined;
}

function respond(response: SealResponse): void {
  port?.postMessage(response);
}
