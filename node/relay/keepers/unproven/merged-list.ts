// What the keepers of one box list together with this node's mailbox, for readers who prove nothing. Ids alone, in memory; pure.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Positions of one list: it is made anew before it has more. */
export const LIST_POSITIONS = 16_384;

/** More than keepers of a box. */
const MOST_HOLDERS = 64;

/** An envelope of the box. */
export interface MergedEntry {
  readonly id: string;
  /** Position in the order in which envelopes were shown first. */
  readonly seq: number;
  /** Unix seconds at which this node had it, or saw it listed first. */
  readonly atSec: number;
  /** Keepers that list it. */
  readonly holders: readonly PublicKeyHex[];
  /** True for one that lies in this node's mailbox. */
  readonly isHere: boolean;
}

interface Entry {
  readonly atSec: number;
  readonly holders: Set<PublicKeyHex>;
  isHere: boolean;
  /** Undefined until it is shown. */
  seq: number | undefined;
}

/** One list. What no one lists any more leaves it, and has a new position when it comes back: so `after` misses nothing. */
export class MergedList {
  readonly #first: number;
  readonly #mostOfOne: number;
  readonly #entries = new Map<string, Entry>();
  /** Those that have positions, in their order, with some that left; and those that were not shown yet. */
  readonly #placed: (readonly [string, Entry])[] = [];
  readonly #unplaced = new Set<string>();
  /** Ids that those who listed them did not have: they are listed no more. */
  readonly #unreal = new Set<string>();
  #next: number;

  /**
   * @param first Positions begin after this one, which no other list of the box has reached.
   * @param mostOfOne Envelopes that one keeper may list: more are a lie.
   */
  constructor(first: number, mostOfOne: number) {
    this.#first = first;
    this.#next = first + 1;
    this.#mostOfOne = mostOfOne;
  }

  /** Envelopes of the list. */
  get count(): number {
    return this.#entries.size;
  }

  /** Ids that it remembers. */
  get size(): number {
    return this.#entries.size + this.#placed.length + this.#unreal.size;
  }

  /** True when it has used up its positions: another one has to follow. */
  get isSpent(): boolean {
    return this.#next + this.#entries.size - this.#first >= LIST_POSITIONS || this.#unreal.size >= LIST_POSITIONS;
  }

  /** Takes all that a keeper lists now, in place of what it listed before. Gives the ids that are new, or undefined for a lie. */
  take(keeper: PublicKeyHex, ids: readonly string[], nowSec: number): readonly string[] | undefined {
    const isLie = ids.length > this.#mostOfOne;
    const listed = new Set(isLie ? [] : ids);
    for (const [id, entry] of this.#entries) if (!listed.has(id)) this.#leave(id, entry.holders.delete(keeper));
    const fresh: string[] = [];
    for (const id of listed) {
      if (this.isSpent) break;
      if (this.#unreal.has(id)) continue;
      if (!this.#entries.has(id)) fresh.push(id);
      this.#entryOf(id, nowSec).holders.add(keeper);
    }
    return isLie ? undefined : fresh;
  }

  /** The same of this node's mailbox, which holds as much as it holds. */
  takeOwn(own: readonly { readonly id: string; readonly receivedAtSec: number }[]): void {
    const ids = new Set(own.map(({ id }) => id));
    for (const [id, entry] of this.#entries) {
      if (ids.has(id) || !entry.isHere) continue;
      entry.isHere = false;
      this.#leave(id, true);
    }
    for (const { id, receivedAtSec } of own) {
      if (this.isSpent) break;
      this.#entryOf(id, receivedAtSec).isHere = true;
    }
  }

  /** Leaves an envelope out that could not be read. One that may be real is listed again, at a new position. */
  leaveOut(id: string, isReal: boolean): void {
    this.#entries.delete(id);
    if (!isReal) this.#unreal.add(id);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** An envelope of the list. */
  find(id: string): MergedEntry | undefined {
    this.#place();
    const entry = this.#entries.get(id);
    return entry && entryOf(id, entry);
  }

  /** What comes after a position, in order; a position of another list counts as none. */
  *after(seq: number): Generator<MergedEntry, void> {
    this.#place();
    const from = seq > this.#first && seq < this.#next ? seq : this.#first;
    for (const [id, entry] of this.#placed.slice(this.#indexAfter(from))) if (this.#entries.get(id) === entry) yield entryOf(id, entry);
  }

  /** What is here comes first, then what most keepers list: what one of them made up keeps nothing waiting. */
  #place(): void {
    if (this.#unplaced.size === 0) return;
    const waiting = [...this.#unplaced].flatMap((id) => {
      const entry = this.#entries.get(id);
      return entry === undefined ? [] : [[id, entry] as const];
    });
    this.#unplaced.clear();
    const rank = ({ isHere, holders }: Entry): number => (isHere ? MOST_HOLDERS : holders.size);
    for (const [id, entry] of waiting.sort(([, one], [, other]) => rank(other) - rank(one))) {
      entry.seq = this.#next++;
      this.#placed.push([id, entry]);
    }
  }

  /** Index of the first one placed whose position is greater. */
  #indexAfter(seq: number): number {
    let [low, high] = [0, this.#placed.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#placed[middle]?.[1].seq ?? 0) > seq) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #entryOf(id: string, atSec: number): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry = { atSec, holders: new Set<PublicKeyHex>(), isHere: false, seq: undefined };
    this.#entries.set(id, entry);
    this.#unplaced.add(id);
    return entry;
  }

  /** Called where one that listed it does so no more. */
  #leave(id: string, wasListed: boolean): void {
    const entry = this.#entries.get(id);
    if (wasListed && entry?.holders.size === 0 && !entry.isHere) this.#entries.delete(id);
  }
}

function entryOf(id: string, { seq = 0, atSec, holders, isHere }: Entry): MergedEntry {
  return { id, seq, atSec, holders: [...holders], isHere };
}
