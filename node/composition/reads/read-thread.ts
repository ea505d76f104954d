// Heavy reads on a thread (or in a process) of their own, started with the first one and ended when none has come for a while, for it takes memory. Few are
// under way at once, the others wait in a bounded queue, each address in turn. When it is full, or something waits too long in it, the address
// that has more waiting than others is refused as RATE_LIMITED; one that has no more than its share gets BUSY.
import type { HeavyCaller, HeavyOperation, HeavyReads } from "#node/api/heavy-operations.ts";
import { JsonText } from "#node/api/json/json-text.ts";
import type { TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { ProvenCall, TaskResult } from "#node/light/queries/call-passes.ts";
import type { PassOutcome } from "#node/light/reads/known-state.ts";
import type { ChainRequest } from "#node/light/server/light-reads.ts";
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import { FairQueue, type Queued } from "#node/queries/fair-queue.ts";
import type { SnapshotRead } from "#node/sync/snapshots/snapshot-reads.ts";
import { api } from "#shared/api/api.ts";
import type { AnyEndpoint } from "#shared/api/endpoint.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { errorOfThread } from "#shared/errors/thread-failure.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { Read, ReadResponse, SubmittedTransaction } from "./read-messages.ts";
import type { Reader } from "./reader.ts";

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
  /** Reads that it was sent and has not answered; by default one works, and one is there when it is done. */
  readonly underWay?: number;
  /** A process is ended when a read takes this long, ms. */
  readonly runTimeoutMs?: number;
}

export const READ_THREAD_LIMITS: ReadThreadLimits = { waitingReads: 256, waitingReadsPerAddress: 64, readTimeoutMs: 5_000, idleMs: 30_000 };

/** Trials wait here as well, and a process takes longer to start. One read at a time: what a process ends at is known. */
export const CONTRACT_PROCESS_LIMITS = {
  waitingReads: 512,
  waitingReadsPerAddress: 64,
  readTimeoutMs: 10_000,
  idleMs: 600_000,
  underWay: 1,
  runTimeoutMs: 20_000,
} as const satisfies ReadThreadLimits;

export interface ReadThreadDependencies {
  /** Starts a thread or process; called again after it has ended. */
  readonly start: () => Reader;
  readonly clock: Clock;
  readonly limits?: ReadThreadLimits;
  /** It has ended on its own: what the read that it worked on is refused with, if not with this error. */
  readonly onEnd?: (error: unknown) => unknown;
  /** Hears of each read that failed there. */
  readonly onError?: (error: unknown) => void;
}

/** Heavy reads that can be ended. */
export interface ReadThread extends HeavyReads {
  /** The encoded response to what a light node asks. @throws CodedError BUSY as {@link HeavyReads.response} */
  readLight(request: ChainRequest): Promise<Uint8Array>;
  /** The encoded response to what a joining node asks. @throws CodedError BUSY as {@link HeavyReads.response} */
  readSnapshot(request: SnapshotRead): Promise<Uint8Array>;
  readEvents(position: StreamPosition, caller: Pick<HeavyCaller, "isOwn">): Promise<EventChunk | undefined>;
  /** Why a transaction would fail as the only one of its sender in the next block. @throws CodedError BUSY, at once while none runs */
  readTrial(transaction: SubmittedTransaction): Promise<TransactionProblem | undefined>;
  /** One pass of a call over what is proven; of a trial without a caller. @throws CodedError as {@link HeavyReads.read} and {@link readTrial} */
  readPass(call: ProvenCall, caller?: HeavyCaller): Promise<PassOutcome<TaskResult>>;
  /** Refuses what waits, and ends the thread once it has closed its connection. */
  stop(): Promise<void>;
}

/** A thread for heavy reads; nothing is started yet. */
export function createReadThread(dependencies: ReadThreadDependencies): ReadThread {
  return new WorkerReads(dependencies);
}

/** What comes of a read. */
type ReadResult = string | Uint8Array | EventChunk | TransactionProblem | PassOutcome<TaskResult> | undefined;

interface PendingRead extends Queued {
  readonly read: Read;
  /** When it was sent. */
  sentMs?: number;
  readonly deadlineMs: number;
  /** True when its source is the address of one caller. */
  readonly isOfAddress: boolean;
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (error: unknown) => void;
}

/** One works, one is there when it is done. */
const UNDER_WAY = 2;
/** Delays before another one starts, when one soon after the other ends on its own, ms. */
const FIRST_DELAY_MS = 100;
const LAST_DELAY_MS = 30_000;
/** An end that comes this long after the last one counts from one again, ms. */
const SETTLED_MS = 60_000;
const CHECK_MS = 250;
const TOO_MANY_OF_ALL = "The node has more large requests than it can answer: try again in a moment, or ask for less at once";
const TOO_MANY_OF_ONE = "Too many large requests of this address wait: try again in a moment, or ask for less at once";
/** Sources that are no address; each takes its turns as one address does. */
const OTHER_NODES = "other nodes";
const JOINING_NODES = "joining nodes";
const CATCHING_UP = "catching up";

class WorkerReads implements ReadThread {
  readonly #dependencies: ReadThreadDependencies;
  readonly #limits: ReadThreadLimits;
  readonly #waiting: FairQueue<PendingRead>;
  readonly #pending = new Map<number, PendingRead>();
  #lastId = 0;
  #worker: Reader | undefined;
  /** Ends on its own, one soon after the other, and when the last one was. */
  #failures = 0;
  #failedMs = Number.NEGATIVE_INFINITY;
  #restart: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** Threads that were asked to end, until they have. */
  readonly #ending = new Map<Reader, Promise<unknown>>();
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

  async readSnapshot(snapshot: SnapshotRead): Promise<Uint8Array> {
    return (await this.#ask({ snapshot }, { source: JOINING_NODES, isOwn: false })) as Uint8Array;
  }

  async readTrial(trial: SubmittedTransaction): Promise<TransactionProblem | undefined> {
    this.#refuseTrialWithout();
    return (await this.#ask({ trial }, { source: undefined, isOwn: false })) as TransactionProblem | undefined;
  }

  async readPass(call: ProvenCall, caller?: HeavyCaller): Promise<PassOutcome<TaskResult>> {
    if (caller === undefined) this.#refuseTrialWithout();
    return (await this.#ask({ pass: call }, sourceOf(caller), caller)) as PassOutcome<TaskResult>;
  }

  /** No sender waits for another process. @throws CodedError BUSY while none runs */
  #refuseTrialWithout(): void {
    if (this.#restart !== undefined) throw new CodedError("BUSY", TOO_MANY_OF_ALL);
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
    clearTimeout(this.#restart);
    this.#end();
    for (const worker of this.#ending.keys()) {
      worker.holdProcess(true);
      // It holds nothing that must be closed, and may be in the middle of a call.
      worker.kill?.();
    }
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
        worker.onEnd(() => {
          this.#ending.delete(worker);
          resolve();
        });
      }),
    );
    worker.post(undefined);
  }

  #send(): void {
    if (this.#restart !== undefined) return;
    while (this.#pending.size < (this.#limits.underWay ?? UNDER_WAY)) {
      const next = this.#waiting.next();
      if (next === undefined) break;
      clearTimeout(this.#idle);
      this.#lastId += 1;
      next.sentMs = this.#dependencies.clock.monotonicMs();
      this.#pending.set(this.#lastId, next);
      const worker = this.#running();
      if (worker === undefined) return;
      if (this.#pending.size === 1) worker.holdProcess(true);
      worker.post({ id: this.#lastId, ...next.read });
    }
    this.#watch();
  }

  /** Looks after what waits too long. */
  #watch(): void {
    if (this.#pending.size > 0 || this.#restart !== undefined) this.#timer ??= setInterval(() => this.#giveUp(), CHECK_MS).unref();
  }

  /** Undefined where none can be started, for want of memory for example: what was to be read is refused by then. */
  #running(): Reader | undefined {
    try {
      this.#worker ??= this.#startWorker();
    } catch (error) {
      this.#failed(error);
    }
    return this.#worker;
  }

  #startWorker(): Reader {
    const worker = this.#dependencies.start();
    worker.onResponse((response) => this.#take(response));
    worker.onEnd((error) => this.#ended(worker, error));
    return worker;
  }

  #take(response: ReadResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ("text" in response) pending?.resolve(response.text);
    else if ("bytes" in response) pending?.resolve(response.bytes);
    else if ("chunk" in response) pending?.resolve(response.chunk);
    else if ("problem" in response) pending?.resolve(response.problem);
    else if ("outcome" in response) pending?.resolve(response.outcome);
    else this.#reject(pending, errorOfThread(response));
    this.#send();
    this.#rest();
  }

  #reject(pending: PendingRead | undefined, error: unknown): void {
    this.#dependencies.onError?.(error);
    pending?.reject(error);
  }

  /** Without work the thread must not keep alive a process that has nothing else to do. */
  #rest(): void {
    if (this.#pending.size > 0 || this.#restart !== undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#worker?.holdProcess(false);
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
    const { runTimeoutMs = Number.POSITIVE_INFINITY } = this.#limits;
    for (const { sentMs = nowMs } of this.#pending.values()) if (nowMs - sentMs >= runTimeoutMs) this.#worker?.kill?.();
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

  #ended(worker: Reader, error: unknown): void {
    if (this.#worker === worker) this.#failed(error);
  }

  /** What waits is read by another one: at once, and after a growing while where one after the other ends. */
  #failed(error: unknown): void {
    this.#worker = undefined;
    const reason = this.#dependencies.onEnd?.(error) ?? error;
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
    const nowMs = this.#dependencies.clock.monotonicMs();
    this.#failures = nowMs - this.#failedMs > SETTLED_MS ? 1 : this.#failures + 1;
    this.#failedMs = nowMs;
    if (this.#failures === 1) this.#send();
    else if (!this.#isStopped) this.#sendLater(Math.min(LAST_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.#failures - 2)));
    this.#rest();
  }

  #sendLater(delayMs: number): void {
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#send();
    }, delayMs).unref();
    this.#watch();
  }
}

function sourceOf({ address, isOwn = false }: Partial<HeavyCaller> = {}): Queued {
  return { source: address, isOwn };
}
