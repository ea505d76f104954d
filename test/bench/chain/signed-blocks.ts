// Signed blocks from a thread of their own.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { SignedBlock, SigningWork } from "./sign-worker.ts";

/** Blocks that are signed ahead. */
const AHEAD = 4;

/** Blocks of a recipe that are not there yet, in their order. */
export async function* signedBlocks(work: SigningWork): AsyncGenerator<NonNullable<SignedBlock>, void> {
  const worker = new Worker(new URL("./sign-worker.ts", import.meta.url), { name: "signing", workerData: work });
  const waiting: SignedBlock[] = [];
  worker.on("message", (block: SignedBlock) => waiting.push(block));
  for (let block = 0; block < AHEAD; block += 1) worker.postMessage("next");
  try {
    for (;;) {
      if (waiting.length === 0) await once(worker, "message");
      const block = waiting.shift();
      if (block === undefined) return;
      worker.postMessage("next");
      yield block;
    }
  } finally {
    await worker.terminate();
  }
}
