// The chain of a folder of an older version is brought up to date on a thread of its own: it takes seconds to minutes, and the node is to
// hear meanwhile that it is to end.
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { errorOfThread, type ThreadFailure } from "#shared/errors/thread-failure.ts";
import { CHAIN_DATABASE } from "../../chain-schema.ts";
import { openSqliteReader } from "../../sqlite-database.ts";
import type { RewriteProgress } from "./rewrite-database.ts";

/** What the thread is started with. */
export interface MigrationThreadData {
  readonly file: string;
  /** One number of 32 bits, 1 once it is to stop. */
  readonly stopping: SharedArrayBuffer;
}

/** What the thread says: how far it is, in blocks, or why it cannot. */
export type MigrationResponse = { readonly done: number; readonly total: number } | ThreadFailure;

/** How it is watched and ended. */
export interface MigrationOptions {
  readonly onProgress: RewriteProgress;
  /** Ends it soon: the file stays as it was. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings a file of the chain up to date where it is of an older version; one that is missing is made by its opening.
 * @throws CodedError as `openChainDatabase`; STORAGE_FAILED when it was ended before.
 */
export async function migrateChain(
  file: string,
  { onProgress, signal }: MigrationOptions,
  workerFile: URL = ownWorkerFile(),
): Promise<void> {
  if (!isOlder(file)) return;
  const stopping = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const stop = (): void => void Atomics.store(new Int32Array(stopping), 0, 1);
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const worker = new Worker(workerFile, { name: "migration", workerData: { file, stopping } satisfies MigrationThreadData });
  let failure: ThreadFailure | undefined;
  worker.on("message", (response: MigrationResponse) => {
    if ("done" in response) onProgress(response.done, response.total);
    else failure = response;
  });
  worker.on("error", (error) => {
    failure = { failure: error };
  });
  worker.on("exit", () => (failure === undefined ? resolve() : reject(errorOfThread(failure))));
  try {
    await promise;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function isOlder(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    openSqliteReader(file, CHAIN_DATABASE).close();
    return false;
  } catch (error) {
    // Whatever else is wrong with it, its opening says.
    return isCodedError(error, "STORAGE_OLDER");
  }
}

/** The worker beside this module: its source, or what a bundle made of it. */
function ownWorkerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./migration-worker.ts" : "./migration-worker.mjs", import.meta.url);
}
