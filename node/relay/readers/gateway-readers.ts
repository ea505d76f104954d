// Boxes that are read at gateways of this node's operator: the node reads them at their keepers as for those who read here. In memory, as
// gateways name them again and again; what no one names any more is read no more after a while.
import { LargestFirst } from "#node/storage/mailbox/largest-first.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { Clock } from "#shared/util/clock.ts";

/** Boxes of all gateways of a node. */
export const MAX_GATEWAY_READERS = 16_384;
/** A box that was not named again for so long is forgotten, ms. */
export const GATEWAY_READER_MS = 1_800_000;

/** Who reads at a gateway. */
export interface GatewayReader {
  readonly box: X25519KeyHex;
  /** The network that it reads from; "" where that is not known. */
  readonly party?: string;
  /** How long ago it read, ms. */
  readonly idleMs?: number;
}

interface Known {
  readonly untilMs: number;
  readonly party: string;
  readonly readAtMs: number;
}

/** Boxes that gateways named. */
export class GatewayReaders {
  readonly #clock: Pick<Clock, "monotonicMs">;
  /** Those that were named longest ago first. */
  readonly #known = new Map<X25519KeyHex, Known>();
  readonly #counts = new Map<string, number>();
  readonly #largest = new LargestFirst<string>([]);

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /**
   * Takes these, as far as there is room; gives how many of them are read now, and whether any was not before. Where all room is taken, the
   * network with most loses the one that read longest ago to one that has fewer, and each network its own to one that read later.
   */
  name(readers: readonly GatewayReader[]): { readonly taken: number; readonly hasNew: boolean } {
    this.#forget();
    const nowMs = this.#clock.monotonicMs();
    const oldest = new OldestFirst(this.#known);
    let taken = 0;
    let hasNew = false;
    for (const { box, party: named = "", idleMs = 0 } of readers) {
      const readAtMs = nowMs - idleMs;
      const known = this.#known.get(box);
      // Who asks what is elsewhere names no network: the reader stays one of its own, or a network would have as much room as is asked for.
      const party = named === "" ? (known?.party ?? "") : named;
      if (known === undefined && this.#known.size >= MAX_GATEWAY_READERS && !this.#makeRoom(party, readAtMs, oldest)) continue;
      if (known !== undefined) this.#remove(box, known.party);
      // Gateways name it by what each of them has seen.
      const lastReadMs = Math.max(readAtMs, known?.readAtMs ?? readAtMs);
      this.#known.set(box, { untilMs: nowMs + GATEWAY_READER_MS, party, readAtMs: lastReadMs });
      this.#count(party, 1);
      hasNew ||= known === undefined;
      taken += 1;
    }
    return { taken, hasNew };
  }

  has(box: X25519KeyHex): boolean {
    return (this.#known.get(box)?.untilMs ?? 0) > this.#clock.monotonicMs();
  }

  list(): readonly X25519KeyHex[] {
    this.#forget();
    return [...this.#known.keys()];
  }

  /** False where one more of the network would take the place of one with as much right to it. */
  #makeRoom(party: string, readAtMs: number, oldest: OldestFirst): boolean {
    const largest = this.#largest.first() ?? "";
    const own = this.#counts.get(party) ?? 0;
    // By two at least: two networks would else take the same place from each other again and again.
    const isOfOther = (this.#counts.get(largest) ?? 0) > own + 1;
    const found = oldest.first(isOfOther ? largest : party);
    if (found === undefined || (!isOfOther && found.readAtMs >= readAtMs)) return false;
    this.#remove(found.box, found.party);
    return true;
  }

  #remove(box: X25519KeyHex, party: string): void {
    this.#known.delete(box);
    this.#count(party, -1);
  }

  #count(party: string, change: number): void {
    const count = (this.#counts.get(party) ?? 0) + change;
    if (count > 0) this.#counts.set(party, count);
    else this.#counts.delete(party);
    this.#largest.set(party, count);
  }

  #forget(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [box, { untilMs, party }] of this.#known) {
      if (untilMs > nowMs) return;
      this.#remove(box, party);
    }
  }
}

interface Place {
  readonly box: X25519KeyHex;
  readonly party: string;
  readonly readAtMs: number;
}

/** Boxes of each network as they were known when the first one was asked for, those that read longest ago first. */
class OldestFirst {
  readonly #known: ReadonlyMap<X25519KeyHex, Known>;
  #byParty: Map<string, Place[]> | undefined;

  constructor(known: ReadonlyMap<X25519KeyHex, Known>) {
    this.#known = known;
  }

  first(party: string): Place | undefined {
    const places = this.#places().get(party);
    for (let place = places?.at(-1); place !== undefined; place = places?.at(-1)) {
      // It went, or was named again, meanwhile.
      const known = this.#known.get(place.box);
      if (known?.party === party && known.readAtMs === place.readAtMs) return place;
      places?.pop();
    }
    return undefined;
  }

  #places(): Map<string, Place[]> {
    if (this.#byParty === undefined) {
      const all = [...this.#known].map(([box, { party, readAtMs }]) => ({ box, party, readAtMs }));
      this.#byParty = Map.groupBy(
        all.toSorted((one, other) => other.readAtMs - one.readAtMs),
        ({ party }) => party,
      );
    }
    return this.#byParty;
  }
}
