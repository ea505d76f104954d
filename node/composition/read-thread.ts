// Heavy reads on a thread of their own, started with the first one and ended when none has come for a while, for it takes memory. Few are
// under way at once, the others wait in a bounded queue, each address in turn. When it is full, or something waits too long in it, the address
// that has more waiting than others is refused as RATE_LIMITED; one that has no more than its share gets BUSY.
import { Worker } from "node:worker_threads";
import type { HeavyCaller, HeavyOperation, HeavyReads } from "#node/api/heavy-operations.ts";
import { JsonText } from "#node/api/json-text.ts";
import type { ChainRequest } from "#node/light/server/light-reads.ts";
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import { FairQueue, type Queued } from "#node/queries/fair-queue.ts";
import { api } from "#shared/api/api.ts";
import type { AnyEndpoint } from "#shared/api/endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Limits of the thread; docs/limits.md lists them. */
export interface ReadThreadLimits {
  /** Reads that wait for their turn; more are refused. */
  readonly waitingReads: number;
  /** Of them those of one address; all when absent. */
  readonly waitingReadsPerAddress?: number;
  /** A read is given up this long after it was asked, ms. */
  readonly readTimeoutMs: number;
  /** The thread ends this long after the last read, ms. */
  readonly idleMs: number;
}

export const READ_THREAD_LIMITS: ReadThreadLimits = { waitingReads: 256, waitingReadsPerAddress: 64, readTimeoutMs: 5_000, idleMs: 30_000 };

/** What is read: an operation of the interface, or what a light node asks, decoded. */
export type Read =
  | { readonly operation: HeavyOperation; readonly input: unknown; readonly isExact: boolean }
  | { readonly light: ChainRequest }
  | { readonly events: StreamPosition };
/** A request to the thread; `undefined` ends it. */
export type ReadRequest = (Read & { readonly id: number }) | undefined;
/** What the thread answers: text, or bytes for a light node, or the code and words of an expected failure, or what went wrong inside. */
export type ReadResponse =
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly chunk: EventChunk | undefined }
  | { readonly id: number; readonly code: ErrorCode; readonly message: string }
  | { readonly id: number; readonly failure: unknown };

export interface ReadThreadDependencies {
  readonly workerFile: URL;
  /** Data folder whose chain is read. */
  readonly directory: string;
  readonly clock: Clock;
  readonly limits?: ReadThreadLimits;
}

/** Heavy reads that can be ended. */
export interface ReadThread extends HeavyReads {
  /** The encoded response to what a light node asks. @throws CodedError BUSY as {@link HeavyReads.response} */
  readLight(request: ChainRequest): Promise<Uint8Array>;
  /** Refuses what waits, and ends the thread once it has closed its connection. */
  stop(): Promise<void>;
}

/** A thread for heavy reads; nothing is started yet. */
export function createReadThread(dependencies: ReadThreadDependencies): ReadThread {
  return new WorkerReads(dependencies);
}

/** What comes of a read. */
type ReadResult = string | Uint8Array | EventChunk | undefined;

interface PendingRead extends Queued {
  readonly read: Read;
  readonly deadlineMs: number;
  /** True when its source is the address of one caller. */
  readonly isOfAddress: boolean;
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (error: unknown) => void;
}

/** One works, one is there when it is done. */
const UNDER_WAY = 2;
/** The thread holds one page of responses and a small cache of the database. */
const MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
const CHECK_MS = 250;
const TOO_MANY_OF_ALL = "The node has more large requests than it can answer: try again in a moment, or ask for less at once";
const TOO_MANY_OF_ONE = "Too many large requests of this address wait: try again in a moment, or ask for less at once";
/** Sources that are no address; each takes its turns as one address does. */
const OTHER_NODES = "other nodes";
const CATCHING_UP = "catching up";

class WorkerReads implements ReadThread {
  readonly #dependencies: ReadThreadDependencies;
  readonly #limits: ReadThreadLimits;
  readonly #waiting: FairQueue<PendingRead>;
  readonly #pending = new Map<number, PendingRead>();
  #lastId = 0;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Threads that were asked to end, until they have. */
  readonly #ending = new Map<Worker, Promise<unknown>>();
  #isStopped = false;

  constructor(dependencies: ReadThreadDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? READ_THREAD_LIMITS;
    const { waitingReads, waitingReadsPerAddress = waitingReads } = this.#limits;
    this.#waiting = new FairQueue({ all: waitingReads, perSource: waitingReadsPerAddress });
  }

  async read(operation: HeavyOperation, input: unknown, caller?: HeavyCaller): Promise<JsonText> {
    const isExact = (api[operation] as AnyEndpoint).hasBigIntegers === true;
    return new JsonText((await this.#ask({ operation, input, isExact }, sourceOf(caller), caller)) as string);
  }

  async readLight(request: ChainRequest): Promise<Uint8Array> {
    return (await this.#ask({ light: request }, { source: OTHER_NODES, isOwn: false })) as Uint8Array;
  }

  async readEvents(position: StreamPosition, caller: Pick<HeavyCaller, "isOwn">): Promise<EventChunk | undefined> {
    return (await this.#ask({ events: position }, { source: CATCHING_UP, isOwn: caller.isOwn ?? false })) as EventChunk | undefined;
  }

  #ask(read: Read, { source, isOwn }: Queued, caller?: HeavyCaller): Promise<ReadResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
    const deadlineMs = this.#dependencies.clock.monotonicMs() + this.#limits.readTimeoutMs;
    const isOfAddress = caller?.address !== undefined;
    const pending: PendingRead = { source, isOwn, read, deadlineMs, isOfAddress, resolve, reject };
    if (this.#isStopped) reject(new CodedError("UNAVAILABLE", "The node is stopping"));
    else {
      const refused = this.#waiting.add(pending);
      refused?.reject(this.#refusalOf(refused));
      this.#send();
      if (this.#waiting.items().includes(pending)) caller?.onHangUp(() => this.#drop(pending));
    }
    return promise;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#refuse(
      () => true,
      () => new CodedError("UNAVAILABLE", "The node is stopping"),
    );
    this.#end();
    for (const worker of this.#ending.keys()) worker.ref();
    await Promise.all(this.#ending.values());
  }

  /** Never terminates the thread: it closes its connection when it comes to this. */
  #end(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    this.#ending.set(
      worker,
      new Promise<void>((resolve) => {
        worker.once("exit", () => {
          this.#ending.delete(worker);
          resolve();
        });
      }),
    );
    worker.postMessage(undefined);
  }

  #send(): void {
    while (this.#pending.size < UNDER_WAY) {
      const next = this.#waiting.next();
      if (next === undefined) break;
      clearTimeout(this.#idle);
      this.#worker ??= this.#startWorker();
      if (this.#pending.size === 0) this.#worker.ref();
      this.#lastId += 1;
      this.#pending.set(this.#lastId, next);
      this.#worker.postMessage({ id: this.#lastId, ...next.read } satisfies ReadRequest);
    }
    if (this.#pending.size > 0) this.#timer ??= setInterval(() => this.#giveUp(), CHECK_MS).unref();
  }

  #startWorker(): Worker {
    const { workerFile, directory } = this.#dependencies;
    const worker = new Worker(workerFile, { name: "reads", workerData: directory, resourceLimits: MEMORY });
    worker.on("message", (response: ReadResponse) => this.#take(response));
    worker.on("error", (error) => this.#ended(worker, error));
    worker.on("exit", (code) => this.#ended(worker, new Error(`The thread for reads ended on its own, exit code ${code}`)));
    return worker;
  }

  #take(response: ReadResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ("text" in response) pending?.resolve(response.text);
    else if ("bytes" in response) pending?.resolve(response.bytes);
    else if ("chunk" in response) pending?.resolve(response.chunk);
    else pending?.reject("code" in response ? new CodedError(response.code, response.message) : response.failure);
    this.#send();
    this.#rest();
  }

  /** Without work the thread must not keep alive a process that has nothing else to do. */
  #rest(): void {
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#worker?.unref();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#end(), this.#limits.idleMs).unref();
  }

  /** The caller does not wait for this any more; what the thread was asked already it answers. */
  #drop(pending: PendingRead): void {
    if (this.#waiting.take((waiting) => waiting === pending).length === 0) return;
    pending.reject(new CodedError("UNAVAILABLE", "The client hung up"));
  }

  /** What takes too long is answered now; what the thread says of it later is dropped. */
  #giveUp(): void {
    const nowMs = this.#dependencies.clock.monotonicMs();
    this.#refuse(
      ({ deadlineMs }) => deadlineMs <= nowMs,
      (pending) => this.#refusalOf(pending),
    );
  }

  #refuse(isRefused: (pending: PendingRead) => boolean, errorOf: (pending: PendingRead) => CodedError): void {
    const refused = [...this.#pending.values(), ...this.#waiting.items()].filter(isRefused);
    const errors = refused.map(errorOf);
    this.#waiting.take(isRefused);
    for (const [index, pending] of refused.entries()) pending.reject(errors[index]);
  }

  /** An address with other reads here is refused for having asked too much; for a single one the node is to blame. */
  #refusalOf(pending: PendingRead): CodedError {
    const { source, isOwn, isOfAddress } = pending;
    const all = [...this.#pending.values(), ...this.#waiting.items()];
    const hasOthers = all.some((other) => other !== pending && other.source === source && !other.isOwn);
    return !isOwn && isOfAddress && hasOthers ? new CodedError("RATE_LIMITED", TOO_MANY_OF_ONE) : new CodedError("BUSY", TOO_MANY_OF_ALL);
  }

  /** The next read starts another thread. */
  #ended(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#rest();
    if (!this.#isStopped) this.#send();
  }
}

function sourceOf({ address, isOwn = false }: Partial<HeavyCaller> = {}): Queued {
  return { source: address, isOwn };
}
