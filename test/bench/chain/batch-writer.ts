// Hands the blocks of a chain that is being made to the thread that stores them. They are durable a batch at a time: who breaks off loses the
// blocks of the last batch, and nothing else.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { PageChange } from "#node/state/state-tree.ts";
import { blockMessage } from "#node/storage/chain/block-message.ts";
import type { BlockWriter, WriterSetting } from "#node/storage/chain/block-writer.ts";
import type { StoredBlock } from "#node/storage/chain/stored-block.ts";
import type { StoreRequest } from "./store-worker.ts";

/** Transactions of a batch. */
const BATCH_TXS = 500_000;
/** Batches that are not durable yet, before the next block waits. */
const MAX_BATCHES = 1;

/** A writer that says so before a block is durable. */
export class BatchWriter implements BlockWriter {
  readonly #worker: Worker;
  readonly #onStored: (transactions: number) => void;
  #held: StoredBlock | undefined;
  /** Pages that blocks of this batch changed. */
  readonly #pages = new Map<string, PageChange>();
  #transactions = 0;
  /** Transactions of each batch that is not durable yet. */
  readonly #unstored: number[] = [];
  #change = Promise.withResolvers<void>();

  /** @param onStored hears how many transactions more are durable. */
  constructor(setting: WriterSetting, onStored: (transactions: number) => void) {
    this.#onStored = onStored;
    this.#worker = new Worker(new URL("./store-worker.ts", import.meta.url), { name: "storing", workerData: setting });
    this.#worker.on("message", () => {
      this.#onStored(this.#unstored.shift() ?? 0);
      this.#change.resolve();
      this.#change = Promise.withResolvers<void>();
    });
  }

  takes(): boolean {
    return true;
  }

  /** Resolves when the next block may come. */
  async write(blocks: readonly StoredBlock[]): Promise<void> {
    for (const block of blocks) {
      for (const page of block.pages) this.#pages.set(page.prefix, page);
      this.#send(false);
      this.#held = { ...block, pages: [] };
      this.#transactions += block.summary.txCount;
    }
    if (this.#transactions < BATCH_TXS) return;
    this.#send(true);
    while (this.#unstored.length > MAX_BATCHES) await this.#change.promise;
  }

  wroteHere(): void {
    throw new Error("Every block is written by the thread");
  }

  /** Resolves when every block is durable and sealed as far as it is old enough. */
  async stop(): Promise<void> {
    this.#send(true);
    while (this.#unstored.length > 0) await this.#change.promise;
    const ended = once(this.#worker, "exit");
    this.#worker.postMessage(undefined satisfies StoreRequest);
    await ended;
  }

  /** The block that came last: with it go the pages of the batch when it is the last of it. */
  #send(isLast: boolean): void {
    if (this.#held === undefined) return;
    const pages = isLast ? [...this.#pages.values()] : [];
    const message = blockMessage({ ...this.#held, pages });
    this.#worker.postMessage({ message, isLast } satisfies StoreRequest, [message.bytes.buffer, message.lengths.buffer]);
    this.#held = undefined;
    if (!isLast) return;
    this.#pages.clear();
    this.#unstored.push(this.#transactions);
    this.#transactions = 0;
  }
}
