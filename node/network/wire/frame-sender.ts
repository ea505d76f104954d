// A long-lived stream to one peer for frames in one direction. What does not fit into a bounded queue is dropped, oldest first.
import type { Connection, Stream } from "@libp2p/interface";
import type { Clock } from "#shared/util/clock.ts";
import { dropStream, writeFrame } from "./frames.ts";

/** A frame, and whether it may go before others when there is no room. */
export interface OutgoingFrame {
  readonly bytes: Uint8Array;
  readonly isExpendable: boolean;
  /** What is sent in its stead on a stream of another of the protocols, by its name. */
  readonly otherwise?: Readonly<Record<string, Uint8Array>>;
}

/** Where the frames go. */
export interface FrameSenderDependencies {
  /** The first one that the peer speaks is used. */
  readonly protocol: string | readonly string[];
  readonly queuedFrames: number;
  readonly queuedBytes: number;
  readonly openTimeoutMs: number;
  readonly clock: Clock;
  /** The connection to use now. */
  readonly connection: () => Connection | undefined;
}

/** A stream that the peer refused or broke is not relied on for this long, ms. */
const DISTRUST_MS = 10_000;

/** Opens its stream with the first frame, and again after it broke, with the next one. */
export class FrameSender {
  readonly #dependencies: FrameSenderDependencies;
  #queue: OutgoingFrame[] = [];
  #bytes = 0;
  #stream: Stream | undefined;
  #isOpening = false;
  #isClosed = false;
  #brokenAtMs = Number.NEGATIVE_INFINITY;

  constructor(dependencies: FrameSenderDependencies) {
    this.#dependencies = dependencies;
  }

  /** True when a frame would leave over an open stream. */
  get isOpen(): boolean {
    return this.#stream?.writeStatus === "writable";
  }

  /** True when the stream did not break lately: what is sent will probably arrive. */
  get isSound(): boolean {
    return this.#dependencies.clock.monotonicMs() - this.#brokenAtMs >= DISTRUST_MS;
  }

  /** Frames that wait. */
  get size(): number {
    return this.#queue.length;
  }

  send(frame: OutgoingFrame): void {
    if (this.#isClosed) return;
    this.#queue.push(frame);
    this.#bytes += frame.bytes.length;
    while (this.#queue.length > this.#dependencies.queuedFrames || this.#bytes > this.#dependencies.queuedBytes) this.#dropOne();
    if (this.isOpen) this.#pump();
    else void this.open();
  }

  /** Opens the stream before there is something to send. */
  async open(): Promise<void> {
    if (this.#isOpening || this.#isClosed || this.isOpen) return;
    this.#isOpening = true;
    try {
      const stream = await this.#openStream();
      if (stream !== undefined) this.#use(stream);
    } catch {
      this.#brokenAtMs = this.#dependencies.clock.monotonicMs();
      // What waits is worth nothing to a peer that does not take it now; the sender repeats it.
      this.#clear();
    } finally {
      this.#isOpening = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#clear();
    if (this.#stream !== undefined) dropStream(this.#stream, "The sender was closed");
  }

  async #openStream(): Promise<Stream | undefined> {
    const { connection, protocol, openTimeoutMs } = this.#dependencies;
    const found = connection();
    if (found === undefined) {
      this.#clear();
      return undefined;
    }
    return await found.newStream(typeof protocol === "string" ? protocol : [...protocol], {
      signal: AbortSignal.timeout(openTimeoutMs),
      runOnLimitedConnection: true,
    });
  }

  #use(stream: Stream): void {
    if (this.#isClosed) {
      dropStream(stream, "The sender was closed");
      return;
    }
    // An idle chain has nothing to say for hours.
    stream.inactivityTimeout = Number.POSITIVE_INFINITY;
    this.#stream = stream;
    stream.addEventListener("drain", () => this.#pump());
    stream.addEventListener("close", () => {
      if (this.#stream !== stream) return;
      this.#stream = undefined;
      this.#brokenAtMs = this.#dependencies.clock.monotonicMs();
    });
    this.#pump();
  }

  #pump(): void {
    const stream = this.#stream;
    if (stream === undefined) return;
    try {
      while (this.#queue.length > 0 && !stream.writableNeedsDrain && stream.writeStatus === "writable") {
        const frame = this.#queue.shift();
        if (frame === undefined) return;
        this.#bytes -= frame.bytes.length;
        writeFrame(stream, frame.otherwise?.[stream.protocol] ?? frame.bytes);
      }
    } catch {
      this.#stream = undefined;
      dropStream(stream, "The peer takes no frames");
    }
  }

  #dropOne(): void {
    const index = this.#queue.findIndex(({ isExpendable }) => isExpendable);
    const [dropped] = this.#queue.splice(Math.max(0, index), 1);
    this.#bytes -= dropped?.bytes.length ?? 0;
  }

  #clear(): void {
    this.#queue = [];
    this.#bytes = 0;
  }
}
