// Entry of the thread that stores old blocks: a connection of its own, and one call after the other until it is told to end.
import { parentPort, workerData } from "node:worker_threads";
import { openFillTables } from "#node/storage/snapshots/backfill/fill-tables.ts";
import { storageError } from "#node/storage/storage-error.ts";
import { threadFailure } from "#shared/errors/thread-failure.ts";
import type { BackfillAnswer, BackfillCall, BackfillSetting } from "./backfill-thread.ts";
import { BackfillWork } from "./backfill-work.ts";

const { directory, first } = workerData as BackfillSetting;
const port = parentPort;
if (port === null) throw new Error("This is the entry of a thread");

let opened: { readonly work: BackfillWork; close(): void } | undefined;

port.on("message", (call: BackfillCall) => {
  if (call === undefined) {
    close();
    port.close();
  } else port.postMessage(answer(call));
});

function answer({ method, input }: NonNullable<BackfillCall>): BackfillAnswer {
  try {
    opened ??= open();
    const work = opened.work[method] as (...input: readonly unknown[]) => unknown;
    return { value: work.apply(opened.work, [...input]) };
  } catch (error) {
    return threadFailure(storageError(error, directory));
  }
}

function open(): typeof opened & object {
  const tables = openFillTables(directory);
  return { work: new BackfillWork(tables, first), close: () => tables.close() };
}

function close(): void {
  try {
    opened?.work.abandon();
  } finally {
    opened?.close();
    opened = undefined;
  }
}
