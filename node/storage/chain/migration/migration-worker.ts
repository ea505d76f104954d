// Entry of the thread that brings a chain up to date, says how far it is, and ends.
import { parentPort, workerData } from "node:worker_threads";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import { migrateFile } from "./migrate-file.ts";
import type { MigrationResponse, MigrationThreadData } from "./migration-thread.ts";

/** Blocks between two reports, at least: what is shown need not be newer. */
const REPORT_BLOCKS = 100;

const { file, stopping } = workerData as MigrationThreadData;
const stopped = new Int32Array(stopping);
let reported = Number.NEGATIVE_INFINITY;

try {
  migrateFile(file, {
    isStopped: () => Atomics.load(stopped, 0) === 1,
    onProgress: (done, total) => {
      if (done < reported + REPORT_BLOCKS && done < total) return;
      reported = done;
      report({ done, total });
    },
  });
} catch (error) {
  report(threadFailure(error));
}

function report(response: MigrationResponse): void {
  parentPort?.postMessage(response);
}
