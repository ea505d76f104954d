// A queue that serves its sources in turn, programs of the node's owner first: who asks much waits longer, and keeps no one else waiting.

/** What waits. */
export interface Queued {
  /** Name under which its share is counted; undefined for work that no single caller asks for. */
  readonly source: string | undefined;
  /** True for a program of the node's owner. */
  readonly isOwn: boolean;
}

/** How much may wait. */
export interface QueueLimits {
  readonly all: number;
  readonly perSource: number;
}

/** Items of all sources, those of one in their order. */
export class FairQueue<T extends Queued> {
  readonly #limits: QueueLimits;
  #own: T[] = [];
  /** By source; the one whose turn it is comes first. */
  readonly #others = new Map<string | undefined, T[]>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Adds an item. When too many wait, of all or of this source, one has to go: the newest of the source that has most, which may be the new
   * item itself. @returns the one that does not wait, undefined when all do
   */
  add(item: T): T | undefined {
    const queue = item.isOwn ? this.#own : (this.#others.get(item.source) ?? []);
    const isShareUsed = item.source !== undefined && !item.isOwn && queue.length >= this.#limits.perSource;
    if (isShareUsed) return item;
    const displaced = this.items().length >= this.#limits.all ? this.#displaceFor(item, queue.length) : undefined;
    if (displaced === item) return item;
    queue.push(item);
    if (!item.isOwn) this.#others.set(item.source, queue);
    return displaced;
  }

  /** Takes the next one out; of the owner's programs alone when asked for that. */
  next(ownOnly = false): T | undefined {
    const own = this.#own.shift();
    if (own !== undefined || ownOnly) return own;
    const [source, queue = []] = this.#others.entries().next().value ?? [];
    const item = queue.shift();
    this.#others.delete(source);
    if (queue.length > 0) this.#others.set(source, queue);
    return item;
  }

  /** Takes out what fits, and gives it. */
  take(isTaken: (item: T) => boolean): readonly T[] {
    const taken = this.items().filter(isTaken);
    if (taken.length === 0) return taken;
    this.#own = this.#own.filter((item) => !isTaken(item));
    for (const [source, queue] of this.#others) {
      const rest = queue.filter((item) => !isTaken(item));
      if (rest.length > 0) this.#others.set(source, rest);
      else this.#others.delete(source);
    }
    return taken;
  }

  /** The owner's programs displace others; these displace only those that have two more than they. */
  #displaceFor(item: T, own: number): T {
    let [most, length] = [undefined as readonly [string | undefined, T[]] | undefined, item.isOwn ? 0 : own + 1];
    for (const entry of this.#others) if (entry[1].length > length) [most, length] = [entry, entry[1].length];
    const displaced = most?.[1].pop();
    if (most === undefined || displaced === undefined) return item;
    if (most[1].length === 0) this.#others.delete(most[0]);
    return displaced;
  }

  items(): readonly T[] {
    return [...this.#own, ...[...this.#others.values()].flat()];
  }
}
