// Reads of blocks that this node does not hold, from peers that do, within bounds: what anyone requests here is work of others.
import { AsyncLocalStorage } from "node:async_hooks";
import { LRUCache } from "lru-cache";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import type { ArchiveRead, ArchiveReads } from "#node/queries/archive-reads.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import { Deadline } from "../deadline.ts";
import { ARCHIVE_LIMITS } from "./archive-limits.ts";

export interface ArchiveDependencies extends Pick<ArchiveReads, "queries" | "entriesBelow" | "entriesOf"> {
  /** The first block of this node. */
  readonly firstHeight: () => Height;
  /** Connected nodes that say that they have older ones. */
  readonly nodes: () => number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** Called with an error that is none of a peer. */
  readonly onError: (error: unknown) => void;
}

interface Address {
  readonly requests: TokenBucket;
  underWay: number;
}

const TOO_MANY = "Too many reads of blocks that this node has to fetch from others: try again in a moment";

/** Reads within the limits. */
export class Archive implements ArchiveReads {
  readonly #dependencies: ArchiveDependencies;
  readonly #addresses = new LRUCache<string, Address>({ max: ARCHIVE_LIMITS.addresses });
  /** Until when a read is not tried again. */
  readonly #misses = new LRUCache<string, number>({ max: ARCHIVE_LIMITS.misses });
  readonly #requests: TokenBucket;
  readonly #bytes: TokenBucket;
  /** The time of the read that a request to a peer is made for. */
  readonly #time = new AsyncLocalStorage<Deadline>();
  #underWay = 0;

  constructor(dependencies: ArchiveDependencies) {
    this.#dependencies = dependencies;
    const { clock } = dependencies;
    const nowMs = clock.monotonicMs();
    const { requestsPerSecond, requestBurst, bytesPerSecond, byteBurst } = ARCHIVE_LIMITS;
    this.#requests = new TokenBucket({ perSecond: requestsPerSecond, burst: requestBurst }, nowMs);
    this.#bytes = new TokenBucket({ perSecond: bytesPerSecond, burst: byteBurst }, nowMs);
  }

  get queries(): ArchiveReads["queries"] {
    return this.#dependencies.queries;
  }

  get entriesBelow(): ArchiveReads["entriesBelow"] {
    return this.#dependencies.entriesBelow;
  }

  get entriesOf(): ArchiveReads["entriesOf"] {
    return this.#dependencies.entriesOf;
  }

  get firstHeight(): Height {
    return this.#dependencies.firstHeight();
  }

  get nodes(): number {
    return this.firstHeight > 1 ? this.#dependencies.nodes() : 0;
  }

  get canRead(): boolean {
    return this.nodes > 0;
  }

  /** True in the work of a read whose time has passed: it makes no more requests, so that a peer that drips holds up no other read. */
  get isOver(): boolean {
    return this.#time.getStore()?.isPassed === true;
  }

  /** Counts what peers have sent. */
  noteBytes(bytes: number): void {
    this.#bytes.spend(bytes, this.#dependencies.clock.monotonicMs());
  }

  async read<T>(read: ArchiveRead, work: () => Promise<T>): Promise<T | undefined> {
    const { timers, signal, clock } = this.#dependencies;
    if ((this.#misses.get(read.name) ?? 0) > clock.monotonicMs()) return undefined;
    const address = this.#admit(read, clock.monotonicMs());
    const deadline = new Deadline(timers, ARCHIVE_LIMITS.readMs, signal);
    // Who hung up or waited long enough frees nothing: the work counts until it has ended.
    const result = this.#time
      .run(deadline, () => this.#run(work))
      .finally(() => {
        deadline.end();
        this.#underWay -= 1;
        address.underWay -= 1;
      });
    const found = await Promise.race([result, deadline.over]);
    if (found === undefined) this.#misses.set(read.name, clock.monotonicMs() + ARCHIVE_LIMITS.missMs);
    return found;
  }

  /** @throws CodedError RATE_LIMITED, BUSY */
  #admit({ address: name, isOwn, cost }: ArchiveRead, nowMs: number): Address {
    const { requestsPerSecondOfAddress: perSecond, requestBurstOfAddress: burst, readsAtOnce, readsPerAddress } = ARCHIVE_LIMITS;
    const address = this.#addresses.get(name) ?? { requests: new TokenBucket({ perSecond, burst }, nowMs), underWay: 0 };
    this.#addresses.set(name, address);
    if (!isOwn && (address.underWay >= readsPerAddress || !address.requests.has(cost, nowMs)))
      throw new CodedError("RATE_LIMITED", TOO_MANY);
    // The owner's programs find room that others cannot take.
    const hasRoom = this.#underWay < (isOwn ? readsAtOnce : readsAtOnce - readsPerAddress);
    // The rate comes last: what is refused takes nothing of it.
    const isWithin = hasRoom && (isOwn || (this.#bytes.has(0, nowMs) && this.#requests.take(cost, nowMs)));
    if (!isWithin) throw new CodedError("BUSY", TOO_MANY);
    if (!isOwn) address.requests.take(cost, nowMs);
    address.underWay += 1;
    this.#underWay += 1;
    return address;
  }

  /** Undefined for what no peer has or proves. */
  async #run<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const { signal, onError } = this.#dependencies;
      if (!signal.aborted && (!isCodedError(error) || error.code === "INVARIANT")) onError(error);
      return undefined;
    }
  }
}
