// Entry of the thread that makes one snapshot, says how it went, and ends.
import { parentPort, workerData } from "node:worker_threads";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import { makeSnapshot } from "./make-snapshot.ts";
import type { SnapshotThreadData, SnapshotThreadResponse } from "./snapshot-thread.ts";

const { setting, stopping } = workerData as SnapshotThreadData;
const stopped = new Int32Array(stopping);

parentPort?.postMessage(make());

function make(): SnapshotThreadResponse {
  try {
    return { made: makeSnapshot(setting, () => Atomics.load(stopped, 0) === 1) };
  } catch (error) {
    return threadFailure(error);
  }
}
