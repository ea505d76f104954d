// Room for what nodes watch, and who makes room where it is full. What counts are watches; a node counts as some of them.
import { Ranking } from "./ranking.ts";
import type { Share } from "./watch-shares.ts";

type Kind = keyof Share;

/** Which node loses, of which kind, and how much at most. */
export interface LosingNode {
  readonly node: number;
  readonly isProven: boolean;
  readonly most: number;
}

/** Who comes. */
export interface Coming {
  readonly party: string;
  readonly added: number;
  readonly isProven: boolean;
}

/** Of the room, what is not proven has one part in so many, which what is proven does not take, as the rest is that of what is proven. */
const UNPROVEN_PART = 4;

/** What parties have, and each of their nodes. */
export class WatchRoom {
  readonly #all: number;
  readonly #used: Record<Kind, number> = { unproven: 0, proven: 0 };
  readonly #parties: Record<Kind, Ranking<string>> = { unproven: new Ranking(), proven: new Ranking() };
  readonly #nodes: Record<Kind, Map<string, Ranking<number>>> = { unproven: new Map(), proven: new Map() };

  constructor(all: number) {
    this.#all = all;
  }

  /** How much has to go for so much more; none where it is 0 or below. */
  missing(added: number): number {
    return this.#used.unproven + this.#used.proven + added - this.#all;
  }

  /** What a node of a party has from now on. */
  set(party: string, node: number, share: Share): void {
    this.#setKind("unproven", party, node, share.unproven);
    this.#setKind("proven", party, node, share.proven);
  }

  /**
   * The node that makes room for who comes; undefined where that has to do without. A kind that has more than its part makes room for the
   * other one; within a kind the party that has most makes room for those who will have less. It is each time the node that has most.
   */
  losing({ party, added, isProven }: Coming): LosingNode | undefined {
    const [own, other]: readonly [Kind, Kind] = isProven ? ["proven", "unproven"] : ["unproven", "proven"];
    const spare = this.#used[other] - this.#partOf(other);
    const most = this.#countOf(own, this.#parties[own].largest) - this.#countOf(own, party) - added;
    // What would not be enough is not taken.
    if (spare > 0 && (spare >= this.missing(added) || most >= 1)) return this.#largest(other, spare);
    return most < 1 ? undefined : this.#largest(own, most);
  }

  #partOf(kind: Kind): number {
    const unproven = Math.floor(this.#all / UNPROVEN_PART);
    return kind === "unproven" ? unproven : this.#all - unproven;
  }

  #countOf(kind: Kind, party: string | undefined): number {
    return party === undefined ? 0 : this.#parties[kind].countOf(party);
  }

  #largest(kind: Kind, most: number): LosingNode | undefined {
    const party = this.#parties[kind].largest;
    const node = party === undefined ? undefined : this.#nodes[kind].get(party)?.largest;
    return node === undefined ? undefined : { node, isProven: kind === "proven", most };
  }

  #setKind(kind: Kind, party: string, node: number, count: number): void {
    const nodes = this.#nodes[kind].get(party) ?? new Ranking<number>();
    const change = count - nodes.countOf(node);
    if (change === 0) return;
    nodes.set(node, count);
    const whole = this.#parties[kind].countOf(party) + change;
    this.#parties[kind].set(party, whole);
    this.#used[kind] += change;
    if (whole === 0) this.#nodes[kind].delete(party);
    else this.#nodes[kind].set(party, nodes);
  }
}
