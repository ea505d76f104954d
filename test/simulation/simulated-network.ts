// Carries messages between nodes with loss, delay, reordering, duplication, bursts and partitions.
import type { Random } from "#test/support/host/random.ts";
import type { VirtualTime } from "#test/support/host/virtual-time.ts";

const BURST_LOSS = 0.8;

/** How bad a network is. */
export interface NetworkFaults {
  readonly loss: number;
  readonly maxDelayMs: number;
  readonly duplication: number;
}

/** True when what one says reaches the other. */
type Links = (from: number, to: number) => boolean;

const ALL_LINKED: Links = () => true;

/** A network among nodes by number. */
export class SimulatedNetwork {
  readonly #faults: NetworkFaults;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #size: number;
  #hasFaults = true;
  #burstEndMs = 0;
  #links: Links = ALL_LINKED;
  /** Messages on their way so far. */
  messages = 0;

  constructor(size: number, faults: NetworkFaults, { time, random }: { readonly time: VirtualTime; readonly random: Random }) {
    this.#size = size;
    this.#faults = faults;
    this.#time = time;
    this.#random = random;
  }

  isLinked(from: number, to: number): boolean {
    return this.#links(from, to);
  }

  /** Carries one message, once or twice, or not at all; a partition that comes up on its way stops it. */
  carry(from: number, to: number, heldBackMs: number, deliver: () => void): void {
    const copies = this.#hasFaults && this.#random.chance(this.#faults.duplication) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      this.messages += 1;
      const loss = this.#time.nowMs < this.#burstEndMs ? BURST_LOSS : this.#faults.loss;
      if (this.#hasFaults && this.#random.chance(loss)) continue;
      this.#time.setTimer(heldBackMs + this.#random.between(1, this.#faults.maxDelayMs), () => {
        if (this.#links(from, to)) deliver();
      });
    }
  }

  /** For a moment almost nothing arrives: some see the end of a round, others do not. */
  burst(): void {
    this.#burstEndMs = this.#time.nowMs + this.#random.between(50, 500);
  }

  /** Another partition, or none; `apart` are pairs of nodes that should not see the same side. */
  partition(apart: readonly (readonly [number, number])[], isAlwaysApart: boolean): void {
    const kind = isAlwaysApart ? 7 : this.#random.between(0, apart.length > 0 ? 7 : 4);
    if (kind === 0) this.#links = ALL_LINKED;
    else if (kind === 1) this.#links = this.#isolated(this.#random.between(0, this.#size - 1));
    else if (kind === 2) this.#links = this.#majoritiesRing();
    else this.#links = this.#split(kind > 4 ? apart : []);
  }

  heal(): void {
    this.#hasFaults = false;
    this.#burstEndMs = 0;
    this.#links = ALL_LINKED;
  }

  #isolated(node: number): Links {
    return (from, to): boolean => from !== node && to !== node;
  }

  /** Each node sees a majority, and no two the same one. */
  #majoritiesRing(): Links {
    const reach = Math.ceil(Math.floor(this.#size / 2) / 2);
    return (from, to): boolean => {
      const distance = Math.abs(from - to);
      return Math.min(distance, this.#size - distance) <= reach;
    };
  }

  #split(apart: readonly (readonly [number, number])[]): Links {
    const sides = Array.from({ length: this.#size }, () => this.#random.between(0, 1));
    for (const [one, other] of apart) sides[other] = 1 - (sides[one] ?? 0);
    return (from, to): boolean => sides[from] === sides[to];
  }
}
