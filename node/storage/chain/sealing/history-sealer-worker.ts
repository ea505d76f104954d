// Entry of the thread that seals blocks: a connection of its own, one segment after the other, until too few blocks are deep enough.
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { type SealSource, sealNext } from "../../history/sealing/seal-segment.ts";
import { closeHistory, sealedHistory } from "../../history/sealing/sealed-history.ts";
import type { SealableBlock } from "../../history/segments/segment-block.ts";
import { openSqliteDatabase, type SqliteDatabase } from "../../sqlite-database.ts";
import { storageError } from "../../storage-error.ts";
import type { SealResponse, SealSetting } from "./history-sealer.ts";
import { sealSource } from "./seal-source.ts";

class Stopped extends Error {}

const { file, limits } = workerData as SealSetting;
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
  const [history, source] = [sealedHistory(database), stoppable(sealSource(database))];
  for (;;) {
    const sealed = attempt(() => sealNext(history.files, source, history, limits));
    if (sealed === undefined) return;
    respond({ last: sealed.last });
  }
}

/** The same blocks, until the thread is to end: the next start removes what was begun. */
function stoppable(source: SealSource): SealSource {
  const block = (height: Height): SealableBlock => {
    if (isStopped()) throw new Stopped();
    return source.block(height);
  };
  return { ...source, block };
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
