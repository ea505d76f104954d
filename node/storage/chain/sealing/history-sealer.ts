// Moves old blocks into files of their own, on a thread that lives as long as there is something to move: rows of a block cost several times
// the bytes of a sealed one. It also drops those that are older than what the node keeps. Who commits blocks says so, and a node that catches up waits when too many blocks stay unsealed.
import { Worker } from "node:worker_threads";
import { errorOfThread, type ThreadFailure } from "#shared/errors/thread-failure.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Border } from "../../history/sealing/retention-border.ts";
import { type OnDamagedSegment, openHistoryFolder, SEAL_LIMITS, type SealLimits } from "../../history/sealing/seal-segment.ts";
import type { SealedHistory } from "../../history/sealing/sealed-history.ts";

/** Segments' worth of unsealed blocks at which catching up waits. */
export const MAX_UNSEALED = 4;

/** Pause before a sealing that failed is tried again, ms, and the longest one: it doubles each time. */
export const SEAL_RETRY_MS = 60_000;
export const LONGEST_SEAL_RETRY_MS = 3_600_000;

/** How often it is looked whether blocks became too old, in blocks. */
export const LOOK_BLOCKS = 64;

/** What the thread is started with. */
export interface SealSetting {
  /** The database of the chain. */
  readonly file: string;
  readonly limits: SealLimits;
  /** What may be dropped; undefined where everything stays. */
  readonly border: Border | undefined;
  /** Names of damaged files that find transactions: they are made once more before anything else. */
  readonly damagedRuns: readonly string[];
  /** Accounts whose entries stay when their blocks are dropped, beside those that the database names. */
  readonly own: readonly string[];
}

/**
 * What the thread says: a segment is named, blocks up to a height are dropped, a file that was to be dropped is damaged, or why it cannot go on.
 * It ends when no more blocks fill a segment, and what is old is dropped.
 */
export type SealResponse =
  | { readonly last: Height }
  | { readonly droppedTo: Height }
  | { readonly kept: KeptProgress }
  | { readonly damaged: string }
  | ThreadFailure;

/** How many entries of own accounts are kept of a file that is to be dropped. */
export interface KeptProgress {
  readonly first: Height;
  readonly last: Height;
  readonly entries: number;
}

/** Seals the blocks of a running node. */
export interface HistorySealer {
  /** A block of so many bytes is durable. */
  committed(height: Height, bytes: number): void;
  /** Looks whether there is something to drop, or a thread drops what is no longer to be dropped. */
  look(): void;
  /** Resolves when few enough blocks are unsealed, or sealing fails; undefined when they are few enough now. */
  room(): Promise<void> | undefined;
  /** Runs work on the files of old blocks while the thread does not. One such work at a time; what it throws comes out. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the thread is done with what there was to do. */
  settled(): Promise<void>;
  /** Ends the thread; a segment that is not whole is written again after the next start. */
  stop(): Promise<void>;
}

export interface HistorySealerDependencies {
  readonly file: string;
  /** That of the connection that the node reads with. */
  readonly history: SealedHistory;
  readonly tipHeight: Height;
  readonly limits?: SealLimits | undefined;
  /** Sealing failed; the blocks stay where they are, and it is tried again after so many ms. */
  readonly onFailure: (error: unknown, retryMs: number) => void;
  /** What may be dropped now; undefined, as without it, where everything stays. */
  readonly border?: (() => Border | undefined) | undefined;
  /** Accounts whose entries stay with their proofs, beside those that the database names. */
  readonly own?: readonly string[] | undefined;
  /** Many entries are being kept before their file goes. */
  readonly onKept?: ((progress: KeptProgress) => void) | undefined;
  /** Blocks up to a height were dropped. */
  readonly onDropped?: ((to: Height) => void) | undefined;
  /** Old blocks stay because their file, which the text names, is damaged. */
  readonly onDamagedDrop?: ((text: string) => void) | undefined;
  /** Takes files that are damaged; without it the first of them keeps the node from starting. */
  readonly onDamaged?: OnDamagedSegment;
  /** Takes names of files that no table names and that stay. */
  readonly onOthers?: ((names: readonly string[]) => void) | undefined;
  /** Other pauses, for tests. */
  readonly retryMs?: readonly [first: number, longest: number];
  /** File of the worker, for tests. */
  readonly workerFile?: URL;
}

/**
 * Tidies up and checks the files of a folder, then seals what is deep enough.
 * @throws CodedError STORAGE_CORRUPT for a file that is missing, cut off or another one, unless `onDamaged` takes it.
 */
export function startHistorySealer(dependencies: HistorySealerDependencies): HistorySealer {
  const { history, onDamaged, onOthers } = dependencies;
  openHistoryFolder(history.files, history, { runs: history.runs, onDamaged, onOthers });
  return new ThreadedSealer(dependencies);
}

class ThreadedSealer implements HistorySealer {
  readonly #dependencies: HistorySealerDependencies;
  readonly #limits: SealLimits;
  #worker: Worker | undefined;
  /** The thread was started with something below its border. */
  #mayDrop = false;
  /** Since the thread was started it sealed something, or something was to be done: what it was started with does not hold any more. */
  #looksAgain = false;
  #ended: PromiseWithResolvers<void> = Promise.withResolvers();
  #sealedTo: Height;
  #tip: Height;
  /** Bytes of blocks since the thread began to look last. */
  #bytes = 0;
  /** Runs in a row that failed, the pause behind the last of them, ms, and what ends it. */
  #failures = 0;
  #pauseMs: number | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Ends with the last of the works that keep the thread from starting. */
  #exclusive: Promise<unknown> | undefined;
  #waiting: (() => void)[] = [];

  constructor(dependencies: HistorySealerDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? SEAL_LIMITS;
    this.#sealedTo = dependencies.history.lastHeight();
    this.#tip = dependencies.tipHeight;
    this.#ended.resolve();
    // How many bytes the rows of an earlier run have, the thread finds out.
    const isBehind = this.#deep > 0 || dependencies.history.runs.coveredTo() < this.#sealedTo;
    if (isBehind || this.#hasDamage || this.#isDropDue()) this.#start();
  }

  committed(height: Height, bytes: number): void {
    this.#tip = height;
    this.#bytes += bytes;
    if (this.#isFull || this.#hasDamage || (height % LOOK_BLOCKS === 0 && this.#isDropDue())) this.#start();
  }

  look(): void {
    const border = this.#dependencies.border?.();
    if (border !== undefined && this.#dependencies.history.hasBelow(border.bodiesFrom)) this.#start();
    // What the thread was about to drop stays now.
    else if (this.#mayDrop && (border?.bodiesFrom ?? 0) === 0) this.#worker?.postMessage("stop");
  }

  room(): Promise<void> | undefined {
    return this.#mustWait ? this.#waitForRoom() : undefined;
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#exclusive !== undefined) await this.#exclusive.catch(() => undefined);
    const running = this.#whileIdle(work);
    this.#exclusive = running;
    try {
      return await running;
    } finally {
      this.#exclusive = undefined;
      // Blocks below the first one may be the first in a file.
      this.#sealedTo = this.#dependencies.history.lastHeight();
      this.#startIfDue();
    }
  }

  async settled(): Promise<void> {
    while (this.#worker !== undefined) {
      this.#worker.ref();
      await this.#ended.promise;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    this.#worker?.ref();
    this.#worker?.postMessage("stop");
    await this.#ended.promise;
  }

  async #whileIdle<T>(work: () => Promise<T>): Promise<T> {
    while (this.#worker !== undefined) await this.#ended.promise;
    return await work();
  }

  /** Blocks that are deep enough and not sealed. */
  get #deep(): number {
    return this.#tip - this.#limits.depth - this.#sealedTo;
  }

  get #isFull(): boolean {
    return this.#deep >= this.#limits.maxBlocks || (this.#bytes >= this.#limits.maxBytes && this.#deep > 0);
  }

  #startIfDue(): void {
    if (this.#isFull || this.#hasDamage || this.#isDropDue()) this.#start();
  }

  #isDropDue(): boolean {
    const border = this.#dependencies.border?.();
    return border !== undefined && this.#dependencies.history.hasBelow(border.bodiesFrom);
  }

  get #hasDamage(): boolean {
    return this.#dependencies.history.runs.damaged().length > 0;
  }

  get #mustWait(): boolean {
    const isCrowded = this.#deep >= MAX_UNSEALED * this.#limits.maxBlocks || this.#bytes >= MAX_UNSEALED * this.#limits.maxBytes;
    return isCrowded && this.#worker !== undefined;
  }

  async #waitForRoom(): Promise<void> {
    while (this.#mustWait) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #start(): void {
    this.#looksAgain = true;
    if (this.#worker !== undefined || this.#exclusive !== undefined || this.#pauseMs !== undefined || this.#isStopped) return;
    const { file, history, border, own = [], workerFile = ownWorkerFile() } = this.#dependencies;
    const damagedRuns = history.runs.damaged();
    const workerData: SealSetting = { file, limits: this.#limits, border: border?.(), own, damagedRuns };
    this.#mayDrop = (workerData.border?.bodiesFrom ?? 0) > 0;
    const worker = new Worker(workerFile, { name: "history", workerData });
    this.#worker = worker;
    this.#looksAgain = false;
    this.#bytes = 0;
    this.#ended = Promise.withResolvers();
    worker.on("message", (response: SealResponse) => this.#take(response));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#exited());
    // Whatever it writes is worth nothing before it is named: a process that has nothing else to do ends.
    worker.unref();
  }

  #take(response: SealResponse): void {
    if ("last" in response) {
      this.#sealedTo = response.last;
      this.#looksAgain = true;
      this.#failures = 0;
    } else if ("kept" in response) {
      this.#dependencies.onKept?.(response.kept);
    } else if ("droppedTo" in response) {
      this.#dependencies.history.refresh();
      this.#dependencies.onDropped?.(response.droppedTo);
    } else if ("damaged" in response) {
      this.#dependencies.history.refresh();
      this.#dependencies.onDamagedDrop?.(response.damaged);
    } else this.#fail(errorOfThread(response));
    this.#wake();
  }

  /** What was in the way, as a full disk, may be gone later; a broken one is not worn out by it. */
  #fail(error: unknown): void {
    const [first, longest] = this.#dependencies.retryMs ?? [SEAL_RETRY_MS, LONGEST_SEAL_RETRY_MS];
    this.#pauseMs = Math.min(longest, first * 2 ** this.#failures);
    this.#failures += 1;
    // A run that cannot be merged is made once more by the next attempt.
    this.#dependencies.history.noteError(error);
    this.#dependencies.onFailure(error, this.#pauseMs);
  }

  #exited(): void {
    this.#worker = undefined;
    if (this.#pauseMs !== undefined && !this.#isStopped) this.#retry = setTimeout(() => this.#startAgain(), this.#pauseMs).unref();
    const { resolve } = this.#ended;
    // The next block that looks may be long in coming.
    if (this.#looksAgain && this.#pauseMs === undefined && !this.#isStopped) this.#startIfDue();
    resolve();
    this.#wake();
  }

  #startAgain(): void {
    this.#pauseMs = undefined;
    this.#start();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** The worker beside this module: its source, or what a bundle made of it. */
function ownWorkerFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./history-sealer-worker.ts" : "./history-sealer-worker.mjs", import.meta.url);
}
