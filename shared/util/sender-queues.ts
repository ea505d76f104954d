// A queue for each sender, served in turn: who sends much waits for itself, and delays no other. Turns are those of start-time fair
// queueing (Goyal, Vin, Cheng 1996): the queue that was served least goes first, and one that was empty begins level with the others.

/** How much may wait. */
export interface SenderQueueLimits {
  /** Messages of one sender; the oldest goes first. */
  readonly messages: number;
  /** Bytes of one sender. */
  readonly bytes: number;
  /** Bytes of all; the oldest of the largest queue goes first. */
  readonly totalBytes: number;
  /** Messages of all; the oldest of the longest queue goes first. No bound of its own by default. */
  readonly totalMessages?: number;
}

interface Entry<T> {
  readonly item: T;
  readonly bytes: number;
}

interface Queue<T> {
  readonly entries: Entry<T>[];
  bytes: number;
  /** What was served so far, in turns; never behind the others when it was empty. */
  turns: number;
}

/** Bytes that cost as much as a message of none. */
const BYTES_PER_TURN = 65_536;

export class SenderQueues<T> {
  readonly #limits: SenderQueueLimits;
  readonly #onDrop: (item: T) => void;
  readonly #queues = new Map<string, Queue<T>>();
  #size = 0;
  #bytes = 0;
  /** Turns of the queue that was served last. */
  #turns = 0;

  /** `onDrop` gets what had to make room, and what {@link drop} takes out. */
  constructor(limits: SenderQueueLimits, onDrop: (item: T) => void = () => undefined) {
    this.#limits = limits;
    this.#onDrop = onDrop;
  }

  /** Items that wait. */
  get size(): number {
    return this.#size;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  push(sender: string, item: T, bytes: number): void {
    const queue = this.#queues.get(sender) ?? this.#open(sender);
    if (queue.entries.length === 0) queue.turns = Math.max(queue.turns, this.#turns);
    queue.entries.push({ item, bytes });
    queue.bytes += bytes;
    this.#size += 1;
    this.#bytes += bytes;
    const { messages, bytes: senderBytes, totalBytes, totalMessages = Number.POSITIVE_INFINITY } = this.#limits;
    while (queue.entries.length > messages || queue.bytes > senderBytes) this.#dropOldest(queue);
    while (this.#bytes > totalBytes) this.#dropOldest(this.#greatest((other) => other.bytes) ?? queue);
    while (this.#size > totalMessages) this.#dropOldest(this.#greatest((other) => other.entries.length) ?? queue);
  }

  /** The next item of the sender whose turn it is. */
  shift(): T | undefined {
    let next: Queue<T> | undefined;
    for (const queue of this.#queues.values())
      if (queue.entries.length > 0 && (next === undefined || queue.turns < next.turns)) next = queue;
    if (next === undefined) return undefined;
    this.#turns = next.turns;
    const entry = this.#take(next);
    next.turns += 1 + (entry?.bytes ?? 0) / BYTES_PER_TURN;
    return entry?.item;
  }

  /** Drops what waits of a sender. */
  drop(sender: string): void {
    const queue = this.#queues.get(sender);
    while (queue !== undefined && queue.entries.length > 0) this.#dropOldest(queue);
  }

  clear(): void {
    this.#queues.clear();
    this.#size = 0;
    this.#bytes = 0;
  }

  #open(sender: string): Queue<T> {
    for (const [name, queue] of this.#queues) if (queue.entries.length === 0 && queue.turns <= this.#turns) this.#queues.delete(name);
    const queue: Queue<T> = { entries: [], bytes: 0, turns: this.#turns };
    this.#queues.set(sender, queue);
    return queue;
  }

  #take(queue: Queue<T>): Entry<T> | undefined {
    const entry = queue.entries.shift();
    if (entry === undefined) return undefined;
    queue.bytes -= entry.bytes;
    this.#size -= 1;
    this.#bytes -= entry.bytes;
    return entry;
  }

  #dropOldest(queue: Queue<T>): void {
    const entry = this.#take(queue);
    if (entry !== undefined) this.#onDrop(entry.item);
  }

  #greatest(measure: (queue: Queue<T>) => number): Queue<T> | undefined {
    let greatest: Queue<T> | undefined;
    for (const queue of this.#queues.values()) if (measure(queue) > (greatest === undefined ? 0 : measure(greatest))) greatest = queue;
    return greatest;
  }
}
