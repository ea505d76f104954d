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

  /** False when too many wait, of all or of this source. */
  add(item: T): boolean {
    const queue = item.isOwn ? this.#own : (this.#others.get(item.source) ?? []);
    const isShareUsed = item.source !== undefined && !item.isOwn && queue.length >= this.#limits.perSource;
    if (isShareUsed || this.items().length >= this.#limits.all) return false;
    queue.push(item);
    if (!item.isOwn) this.#others.set(item.source, queue);
    return true;
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

  items(): readonly T[] {
    return [...this.#own, ...[...this.#others.values()].flat()];
  }
}
