// Large blocks are written on a thread of their own, so that the main thread takes in transactions while the disk works. Small ones are
// not worth the way. The thread starts with the first large block, which does not wait for it, and ends when none has come for a while.
import { Worker } from "node:worker_threads";
import { CodedError } from "#shared/errors/coded-error.ts";
import { errorOfThread, type ThreadFailure } from "#shared/errors/thread-failure.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { ChainIdentity } from "../network-identity.ts";
import { type BlockMessage, blockMessage } from "./block-message.ts";
import type { StoredBlock } from "./stored-block.ts";

/** Transactions from which on a block is worth the way. */
export const LEAST_WRITTEN_TXS = 64;
/** The thread ends this long after its last block, ms. */
const IDLE_MS = 30_000;

/** What the thread is started with. */
export interface WriterSetting {
  readonly directory: string;
  readonly identity: ChainIdentity;
}

/** Blocks to write, with a mark when others have written the tables since the last ones; `undefined` ends the thread. */
export type WriterRequest = { readonly messages: readonly BlockMessage[]; readonly hasOthers: boolean } | undefined;
/** What the thread says: it can take blocks, they are durable, or why they are not. */
export type WriterResponse = "ready" | "written" | ThreadFailure;

/** Writes blocks on another thread, those of one call in one transaction. One call at a time. */
export interface BlockWriter {
  /** True when it will write so many transactions; else the caller had better do so. Many set the thread going. */
  takes(transactions: number): boolean;
  /** Writes blocks without gaps that it takes. Resolves when all are durable; none is before. @throws what the storage reports. */
  write(blocks: readonly StoredBlock[]): Promise<void>;
  /** The caller wrote a block. */
  wroteHere(): void;
  /** Ends the thread after what it writes. */
  stop(): Promise<void>;
}

export interface BlockWriterDependencies extends WriterSetting {
  /** File of the worker, for tests. */
  readonly workerFile?: URL;
  readonly leastTransactions?: number;
  readonly idleMs?: number;
}

/** A writer whose thread starts with the first large block. */
export function createBlockWriter(dependencies: BlockWriterDependencies): BlockWriter {
  return new ThreadedWriter(dependencies);
}

class ThreadedWriter implements BlockWriter {
  readonly #dependencies: BlockWriterDependencies;
  #worker: Worker | undefined;
  #isReady = false;
  #isStopped = false;
  #hasOthers = true;
  #writing: PromiseWithResolvers<void> | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #ending = new Set<Promise<void>>();

  constructor(dependencies: BlockWriterDependencies) {
    this.#dependencies = dependencies;
  }

  takes(transactions: number): boolean {
    if (this.#isStopped || transactions < (this.#dependencies.leastTransactions ?? LEAST_WRITTEN_TXS)) return false;
    this.#worker ??= this.#start();
    this.#rest();
    return this.#isReady && this.#writing === undefined;
  }

  write(blocks: readonly StoredBlock[]): Promise<void> {
    const worker = this.#worker;
    assertInvariant(worker !== undefined && this.#isReady && this.#writing === undefined, "The writer takes no block now");
    this.#writing = Promise.withResolvers<void>();
    const messages = blocks.map(blockMessage);
    const request: WriterRequest = { messages, hasOthers: this.#hasOthers };
    this.#hasOthers = false;
    worker.ref();
    worker.postMessage(
      request,
      messages.flatMap(({ bytes, lengths }) => [bytes.buffer, lengths.buffer]),
    );
    return this.#writing.promise;
  }

  wroteHere(): void {
    this.#hasOthers = true;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writing?.promise.catch(() => undefined);
    this.#end();
    await Promise.all(this.#ending);
  }

  #start(): Worker {
    const { directory, identity, workerFile = ownWorkerFile() } = this.#dependencies;
    const worker = new Worker(workerFile, { name: "blocks", workerData: { directory, identity } satisfies WriterSetting });
    worker.on("message", (response: WriterResponse) => this.#take(response));
    worker.on("error", (error) => this.#ended(worker, error));
    worker.on("exit", (code) => this.#ended(worker, new Error(`exit code ${code}`)));
    // A worker without work must not keep alive a process that has nothing else to do.
    worker.unref();
    this.#hasOthers = true;
    return worker;
  }

  #take(response: WriterResponse): void {
    if (response === "ready") {
      this.#isReady = true;
      return;
    }
    const writing = this.#writing;
    this.#writing = undefined;
    this.#worker?.unref();
    if (response === "written") writing?.resolve();
    else writing?.reject(errorOfThread(response));
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), this.#dependencies.idleMs ?? IDLE_MS).unref();
  }

  /** Never terminates the thread: it closes its connection when it comes to this. */
  #end(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    this.#isReady = false;
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve())).then(() => void this.#ending.delete(ended));
    this.#ending.add(ended);
    worker.ref();
    worker.postMessage(undefined satisfies WriterRequest);
  }

  /** Where it ended on its own, it is unknown whether the block is durable: all that wait for it must stop. */
  #ended(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isReady = false;
    const writing = this.#writing;
    this.#writing = undefined;
    writing?.reject(new CodedError("INVARIANT", "The thread that writes blocks ended on its own", { cause }));
  }
}

/** The worker beside this module: its source, or what a bundle made of it. */
function ownWorkerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./block-writer-worker.ts" : "./block-writer-worker.mjs", import.meta.url);
}
