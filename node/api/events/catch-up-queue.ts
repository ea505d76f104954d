// Readers of events that catch up, in turn: one chunk at a time, programs of the node's owner first, then one address after the other.
// Between chunks for others the node rests, so that no number of readers takes more than a part of a processor.
import type { EventChunk, StreamPosition } from "#node/queries/chain-events.ts";
import { FairQueue, type Queued } from "#node/queries/fair-queue.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { Reader } from "../security/client-address.ts";

/** Reads a chunk; undefined when there is no such block yet. */
export type ReadChunk = (position: StreamPosition, reader: Reader) => Promise<EventChunk | undefined>;

/** What the queue needs. */
export interface CatchUpDependencies {
  readonly read: ReadChunk;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
}

interface Waiting extends Queued {
  readonly reader: Reader;
  readonly position: StreamPosition;
  readonly resolve: (chunk: EventChunk | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Rest after a chunk by the time that it took: a quarter of a processor is worked. */
const REST_SHARE = 3;
/** Rest for each reader that got the chunk: sending it costs too, ms. */
const REST_PER_READER_MS = 0.5;
const LONGEST_REST_MS = 1_000;

/** The queue. Each stream has at most one request in it. */
export class CatchUpQueue {
  readonly #dependencies: CatchUpDependencies;
  /** Streams have a limit of their own. */
  readonly #waiting = new FairQueue<Waiting>({ all: Number.POSITIVE_INFINITY, perSource: Number.POSITIVE_INFINITY });
  #isReading = false;
  #isResting = false;

  constructor(dependencies: CatchUpDependencies) {
    this.#dependencies = dependencies;
  }

  /** The chunk from a position on, when it is this reader's turn. */
  next(reader: Reader, position: StreamPosition): Promise<EventChunk | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ source: reader.address, isOwn: reader.isOwn, reader, position, resolve, reject });
      this.#serve();
    });
  }

  #serve(): void {
    if (this.#isReading) return;
    const turn = this.#waiting.next(this.#isResting);
    if (turn === undefined) return;
    this.#isReading = true;
    void this.#read(turn).finally(() => {
      this.#isReading = false;
      this.#serve();
    });
  }

  async #read(turn: Waiting): Promise<void> {
    const { read, clock } = this.#dependencies;
    const startedMs = clock.monotonicMs();
    try {
      const chunk = await read(turn.position, turn.reader);
      // Blocks are final: all who wait for the same get it now.
      const { height, skip } = turn.position;
      const readers = [turn, ...this.#waiting.take(({ position }) => position.height === height && position.skip === skip)];
      if (!turn.reader.isOwn) this.#rest((clock.monotonicMs() - startedMs) * REST_SHARE + readers.length * REST_PER_READER_MS);
      for (const { resolve } of readers) resolve(chunk);
    } catch (error) {
      turn.reject(error);
    }
  }

  #rest(restMs: number): void {
    this.#isResting = true;
    this.#dependencies.timers.setTimer(Math.min(restMs, LONGEST_REST_MS), () => {
      this.#isResting = false;
      this.#serve();
    });
  }
}
