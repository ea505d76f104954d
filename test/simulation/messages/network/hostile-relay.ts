// A relay that wishes ill: it lays old envelopes into mailboxes again, withholds some for weeks or for good, hands some to another mailbox,
// changes bytes, turns orders round, and gives public cards whose time is over. It opens nothing.
import { createRandom, type Random } from "#test/support/host/random.ts";
import type { SimulatedEnvelope } from "./mail-network.ts";

const DAY_MS = 86_400_000;
/** Own draws: a schedule without such a relay is the same as before there was one. */
const STREAM = 0x7e1a;
/** Envelopes that it remembers. */
const MOST_RECORDED = 2_000;

/** What it did. */
export interface HostileFigures {
  readonly replayed: number;
  readonly withheld: number;
  readonly misdelivered: number;
  readonly changed: number;
  readonly reordered: number;
}

/** An envelope in a mailbox, from a time on. */
export interface LyingEnvelope {
  readonly mailbox: string;
  readonly envelope: SimulatedEnvelope;
  readonly atMs: number;
}

export class HostileRelay {
  readonly #random: Random;
  readonly #recorded: Pick<LyingEnvelope, "mailbox" | "envelope">[] = [];
  readonly figures = { replayed: 0, withheld: 0, misdelivered: 0, changed: 0, reordered: 0 };
  /** Texts that it made up. */
  readonly forged = new Set<string>();
  isActive = true;

  constructor(seed: number) {
    this.#random = createRandom(seed ^ STREAM);
  }

  /** What it makes of an envelope for a mailbox; undefined where it does nothing to it. Beside that it may lay others somewhere. */
  meddle(
    mailbox: string,
    envelope: SimulatedEnvelope,
    nowMs: number,
  ): { readonly instead?: readonly LyingEnvelope[]; readonly more: readonly LyingEnvelope[] } {
    const more = this.#replay(nowMs);
    this.#record(mailbox, envelope);
    const draw = this.#random.next();
    if (draw < 0.04) {
      this.figures.withheld += 1;
      const isForGood = draw < 0.015;
      return { instead: isForGood ? [] : [{ mailbox, envelope, atMs: nowMs + this.#random.between(1, 28) * DAY_MS }], more };
    }
    if (draw < 0.055) return { instead: [{ mailbox, envelope: this.#changed(envelope), atMs: nowMs }], more };
    const other = draw < 0.07 ? this.#any() : undefined;
    if (other === undefined || other.mailbox === mailbox) return { more };
    this.figures.misdelivered += 1;
    return { instead: [{ mailbox: other.mailbox, envelope, atMs: nowMs }], more };
  }

  /** In which order a device finds what has come. */
  ordered<Item>(items: readonly Item[]): readonly Item[] {
    if (items.length < 2 || !this.#random.chance(0.3)) return items;
    this.figures.reordered += 1;
    return items.toReversed();
  }

  /** Some card of all that were ever published; undefined where it gives what honest nodes do. */
  cardOf<Card>(cards: readonly Card[]): Card | undefined {
    return this.#random.chance(0.3) ? cards[this.#random.between(0, cards.length - 1)] : undefined;
  }

  #replay(nowMs: number): readonly LyingEnvelope[] {
    const old = this.#random.chance(0.06) ? this.#any() : undefined;
    if (old === undefined) return [];
    this.figures.replayed += 1;
    return [{ ...old, atMs: nowMs + this.#random.next() * DAY_MS }];
  }

  /** The box around it opens no more, whatever is in it. */
  #changed(envelope: SimulatedEnvelope): SimulatedEnvelope {
    this.figures.changed += 1;
    const text = `forged ${this.forged.size}`;
    this.forged.add(text);
    return { ...envelope, outer: "", body: { text } };
  }

  #any(): Pick<LyingEnvelope, "mailbox" | "envelope"> | undefined {
    return this.#recorded[this.#random.between(0, this.#recorded.length - 1)];
  }

  #record(mailbox: string, envelope: SimulatedEnvelope): void {
    if (this.#recorded.length < MOST_RECORDED) this.#recorded.push({ mailbox, envelope });
    else this.#recorded[this.#random.between(0, MOST_RECORDED - 1)] = { mailbox, envelope };
  }
}
