// A snapshot is made on a thread of its own: it takes seconds to a minute, and blocks go on meanwhile.
import { Worker } from "node:worker_threads";
import { errorOfThread, type ThreadFailure } from "#shared/errors/thread-failure.ts";
import type { MadeSnapshot, SnapshotSetting } from "./make-snapshot.ts";

/** What the thread is started with. */
export interface SnapshotThreadData {
  readonly setting: SnapshotSetting;
  /** One number of 32 bits, 1 once it is to stop. */
  readonly stopping: SharedArrayBuffer;
}

/** What the thread says in the end. */
export type SnapshotThreadResponse = { readonly made: MadeSnapshot } | ThreadFailure;

/** A snapshot that is being made. */
export interface SnapshotMaking {
  /** @throws CodedError as {@link makeSnapshot} */
  readonly done: Promise<MadeSnapshot>;
  /** Ends it soon; `done` rejects, unless it was finished. */
  stop(): void;
}

/** Starts the thread. It is never terminated, since it has open files, but asked to end. */
export function startSnapshot(setting: SnapshotSetting, workerFile: URL = ownWorkerFile()): SnapshotMaking {
  const stopping = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const { promise, resolve, reject } = Promise.withResolvers<MadeSnapshot>();
  const worker = new Worker(workerFile, { name: "snapshot", workerData: { setting, stopping } satisfies SnapshotThreadData });
  let response: SnapshotThreadResponse = { failure: new Error("The thread that makes a snapshot ended on its own") };
  worker.on("message", (message: SnapshotThreadResponse) => {
    response = message;
  });
  worker.on("error", (error) => {
    response = { failure: error };
  });
  worker.on("exit", () => {
    if ("made" in response) resolve(response.made);
    else reject(errorOfThread(response));
  });
  return { done: promise, stop: () => void Atomics.store(new Int32Array(stopping), 0, 1) };
}

/** The worker beside this module: its source, or what a bundle made of it. */
function ownWorkerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./snapshot-worker.ts" : "./snapshot-worker.mjs", import.meta.url);
}
