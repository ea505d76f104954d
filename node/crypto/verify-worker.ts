// Entry of the thread that checks signatures and keys: a batch in, the same buffer with the verdicts out.
import { parentPort } from "node:worker_threads";
import { answerBatch } from "./signature-batch.ts";
import { createNativeVerifier } from "./verify-signature.ts";

/** Some 25 MiB of keys at most: a node that needs this thread hears from many senders. */
const CACHED_KEYS = 16_384;

const verify = createNativeVerifier(CACHED_KEYS);
parentPort?.on("message", (batch: ArrayBuffer) => {
  answerBatch(batch, verify);
  parentPort?.postMessage(batch, [batch]);
});
