// Entry of the thread that checks signatures: a batch in, the same buffer with the verdicts out.
import { parentPort } from "node:worker_threads";
import { verifyBatch } from "./signature-batch.ts";
import { createNativeVerifier } from "./verify-signature.ts";

const verify = createNativeVerifier();
parentPort?.on("message", (batch: ArrayBuffer) => {
  verifyBatch(batch, verify);
  parentPort?.postMessage(batch, [batch]);
});
