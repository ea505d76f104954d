// Ed25519 verification beside the main thread: what one turn of the event loop brings travels to a worker as one batch.
// Few signatures with nothing under way are checked at once, for the way to the worker costs more than they do; so a node at rest
// has no worker, and one transaction waits for no thread. While the worker has enough to do, checks gather: the busier it is, the larger
// are its batches and the less each signature costs here. Results come in the order of the checks.
import { Worker } from "node:worker_threads";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { type BatchRecord, encodeBatch, fitsBatch, resultAt } from "./signature-batch.ts";
import { createKeyCheck } from "./verify-signature.ts";

/** Records that leave without waiting for the end of the turn: waking the worker costs as much as a signature. */
const FULL_BATCH = 256;
/** As many leave at once for a worker that has nothing to do: it checks them while this thread reads the next ones. */
const FIRST_BATCH = 8;
/** Batches at the worker at once: it finds the next one when it has done one. */
const MAX_IN_FLIGHT = 2;
/** Fewer than this are checked here when the worker has nothing to do. */
const LEAST_BATCH = 4;

/** Checks signatures and keys later. */
export interface ThreadedVerifier {
  /** The result of {@link VerifySignature}. @throws CodedError INVARIANT when the worker has failed. */
  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean>;
  /** Whether an Ed25519 key is a usable one. @throws CodedError INVARIANT when the worker has failed. */
  isAcceptableKey(publicKey: Uint8Array): Promise<boolean>;
  /** Finishes pending checks, then ends the worker. */
  stop(): Promise<void>;
}

export interface ThreadedVerifierDependencies {
  /** Checks on the calling thread. */
  readonly verifyHere: VerifySignature;
  /** The worker ended on its own: signatures cannot be checked any more. */
  readonly onFatal: (error: unknown) => void;
  /** File of the worker, for tests. */
  readonly workerFile?: URL;
}

/** A verifier with the results of `verifyHere`. Its worker starts with the first batch. */
export function createThreadedVerifier(dependencies: ThreadedVerifierDependencies): ThreadedVerifier {
  return new WorkerVerifier(dependencies);
}

interface PendingCheck {
  readonly record: BatchRecord;
  readonly resolve: (isGood: boolean) => void;
  readonly reject: (error: unknown) => void;
}

class WorkerVerifier implements ThreadedVerifier {
  readonly #dependencies: ThreadedVerifierDependencies;
  readonly #isAcceptableKey = createKeyCheck();
  #waiting: PendingCheck[] = [];
  /** Batches at the worker, oldest first. */
  readonly #inFlight: (readonly PendingCheck[])[] = [];
  #flush: NodeJS.Immediate | undefined;
  #worker: Worker | undefined;
  #failure: CodedError | undefined;
  #stopped: PromiseWithResolvers<void> | undefined;

  constructor(dependencies: ThreadedVerifierDependencies) {
    this.#dependencies = dependencies;
  }

  verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): Promise<boolean> {
    return this.#enqueue({ signature, message, publicKey });
  }

  isAcceptableKey(publicKey: Uint8Array): Promise<boolean> {
    return this.#enqueue({ publicKey });
  }

  async stop(): Promise<void> {
    this.#send();
    if (this.#worker === undefined) return;
    this.#stopped ??= Promise.withResolvers<void>();
    this.#endWhenIdle();
    await this.#stopped.promise;
  }

  #enqueue(record: BatchRecord): Promise<boolean> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ record, resolve, reject });
    if (this.#inFlight.length >= MAX_IN_FLIGHT) return promise;
    if (this.#waiting.length >= (this.#inFlight.length === 0 ? FIRST_BATCH : FULL_BATCH)) this.#send();
    else this.#flush ??= setImmediate(() => this.#send());
    return promise;
  }

  #send(): void {
    clearImmediate(this.#flush);
    this.#flush = undefined;
    if (this.#waiting.length === 0 || this.#inFlight.length >= MAX_IN_FLIGHT) return;
    const checks = this.#waiting;
    this.#waiting = [];
    const isWorkerBusy = this.#inFlight.length > 0;
    if (!isWorkerBusy && (checks.length < LEAST_BATCH || this.#stopped !== undefined)) this.#checkHere(checks);
    else this.#post(checks);
  }

  #checkHere(checks: readonly PendingCheck[]): void {
    for (const { record, resolve } of checks) {
      const { signature, publicKey } = record;
      resolve(
        signature === undefined ? this.#isAcceptableKey(publicKey) : this.#dependencies.verifyHere(signature, record.message, publicKey),
      );
    }
  }

  #post(checks: readonly PendingCheck[]): void {
    const batch = encodeBatch(checks.map(({ record }) => record).filter(fitsBatch));
    this.#worker ??= this.#startWorker();
    if (this.#inFlight.push(checks) === 1) this.#worker.ref();
    this.#worker.postMessage(batch, [batch]);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#dependencies.workerFile ?? workerFile(), { name: "signatures" });
    worker.on("message", (batch: ArrayBuffer) => this.#resolveBatch(batch));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", (code) => this.#fail(new Error(`exit code ${code}`)));
    return worker;
  }

  #resolveBatch(batch: ArrayBuffer): void {
    let position = 0;
    for (const { record, resolve } of this.#inFlight.shift() ?? []) {
      const isFitting = fitsBatch(record);
      resolve(isFitting && resultAt(batch, position));
      if (isFitting) position += 1;
    }
    this.#send();
    if (this.#inFlight.length > 0) return;
    // A worker without work must not keep alive a process that has nothing else to do.
    this.#worker?.unref();
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (this.#stopped === undefined || this.#inFlight.length > 0 || this.#waiting.length > 0) return;
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.removeAllListeners();
    // It holds no file and no connection, so there is nothing that it could leave half done.
    worker?.terminate().then(() => this.#stopped?.resolve(), this.#stopped.reject);
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    const failure = new CodedError("INVARIANT", "The thread that checks signatures ended on its own", { cause });
    this.#failure = failure;
    clearImmediate(this.#flush);
    for (const check of [...this.#inFlight.flat(), ...this.#waiting]) check.reject(failure);
    this.#inFlight.length = 0;
    this.#waiting = [];
    this.#worker = undefined;
    this.#stopped?.resolve();
    this.#dependencies.onFatal(failure);
  }
}

/** The worker beside this module: its source, or what a bundle made of it. */
function workerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./verify-worker.ts" : "./verify-worker.mjs", import.meta.url);
}
