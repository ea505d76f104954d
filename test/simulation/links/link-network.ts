// Carries frames between machines of which each has one link of a given rate and latency. What waits for several receivers shares the
// sender's rate evenly, as connections do.
import type { VirtualTime } from "#test/support/host/virtual-time.ts";

/** Bytes that one receiver gets before the next one has its turn. */
const TURN_BYTES = 16_384;
/** Bytes that a frame costs besides its content: headers of packets, encryption, multiplexing. */
const FRAME_OVERHEAD_BYTES = 80;

/** A machine's way to the others. */
export interface LinkOptions {
  readonly megabitsPerSecond: number;
  readonly latencyMs: number;
}

interface Frame {
  readonly bytes: number;
  readonly deliver: () => void;
  left: number;
}

/** Links of machines by number. */
export class LinkNetwork {
  readonly #time: VirtualTime;
  readonly #bytesPerMs: number;
  readonly #latencyMs: number;
  /** What each machine sends, by receiver; a receiver's turn is its place in the map. */
  readonly #queues: readonly Map<number, Frame[]>[];
  readonly #isSending: boolean[];
  readonly #receivedUntilMs: number[];
  /** Bytes that each machine has sent. */
  readonly sent: number[];

  constructor(size: number, { megabitsPerSecond, latencyMs }: LinkOptions, time: VirtualTime) {
    this.#time = time;
    this.#bytesPerMs = (megabitsPerSecond * 1_000_000) / 8 / 1_000;
    this.#latencyMs = latencyMs;
    this.#queues = Array.from({ length: size }, () => new Map<number, Frame[]>());
    this.#isSending = Array.from({ length: size }, () => false);
    this.#receivedUntilMs = Array.from({ length: size }, () => 0);
    this.sent = Array.from({ length: size }, () => 0);
  }

  /** Sends a frame of so many bytes. */
  send(from: number, to: number, bytes: number, deliver: () => void): void {
    const queues = this.#queues[from];
    const frame: Frame = { bytes: bytes + FRAME_OVERHEAD_BYTES, deliver, left: bytes + FRAME_OVERHEAD_BYTES };
    const queue = queues?.get(to);
    if (queue === undefined) queues?.set(to, [frame]);
    else queue.push(frame);
    if (this.#isSending[from] !== true) this.#sendNext(from);
  }

  #sendNext(from: number): void {
    const queues = this.#queues[from];
    const next = queues?.entries().next();
    this.#isSending[from] = next !== undefined && next.done !== true;
    if (queues === undefined || next === undefined || next.done === true) return;
    const [to, queue] = next.value;
    queues.delete(to);
    let room = TURN_BYTES;
    const done: Frame[] = [];
    while (room > 0 && queue[0] !== undefined) {
      const taken = Math.min(room, queue[0].left);
      queue[0].left -= taken;
      room -= taken;
      if (queue[0].left === 0) done.push(queue.shift() as Frame);
    }
    if (queue.length > 0) queues.set(to, queue);
    const bytes = TURN_BYTES - room;
    this.sent[from] = (this.sent[from] ?? 0) + bytes;
    const durationMs = bytes / this.#bytesPerMs;
    this.#time.setTimer(durationMs, () => this.#sendNext(from));
    this.#time.setTimer(durationMs + this.#latencyMs, () => this.#receive(to, bytes, done));
  }

  #receive(to: number, bytes: number, done: readonly Frame[]): void {
    const startMs = Math.max(this.#time.nowMs, this.#receivedUntilMs[to] ?? 0);
    const endMs = startMs + bytes / this.#bytesPerMs;
    this.#receivedUntilMs[to] = endMs;
    if (done.length === 0) return;
    this.#time.setTimer(endMs - this.#time.nowMs, () => {
      for (const { deliver } of done) deliver();
    });
  }
}
