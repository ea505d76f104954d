// Entry of the thread that checks signatures and keys: a batch in, the same buffer with the results out.
import { parentPort } from "node:worker_threads";
import { checkBatch } from "./signature-batch.ts";
import { createKeyCheck, createNativeVerifier } from "./verify-signature.ts";

/** Where libsodium is missing: some 25 MiB of keys at most, for a node that needs this thread has many senders. */
const CACHED_KEYS = 16_384;

const checks = { verify: createNativeVerifier(CACHED_KEYS), isAcceptableKey: createKeyCheck() };
parentPort?.on("message", (batch: ArrayBuffer) => {
  checkBatch(batch, checks);
  parentPort?.postMessage(batch, [batch]);
});
