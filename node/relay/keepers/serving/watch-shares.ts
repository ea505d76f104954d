// Which watch makes room for another one: those of readers who have not proven that they serve a box go first, those of the party that has
// most of them, and no one displaces a proven one but by being proven and having fewer.

import { Ranking } from "./ranking.ts";

/** What parties have of something. */
export interface Share {
  unproven: number;
  proven: number;
}

/** Who loses, of which kind, and how many at most. */
export interface Losing<T> {
  readonly who: T;
  readonly isProven: boolean;
  readonly most: number;
}

/** What parties have, by kind; who has most is found at once, however many there are. */
export class Shares<T> {
  readonly #ofKind: Readonly<Record<keyof Share, Ranking<T>>> = { unproven: new Ranking(), proven: new Ranking() };

  set(who: T, { unproven, proven }: Share): void {
    this.#ofKind.unproven.set(who, unproven);
    this.#ofKind.proven.set(who, proven);
  }

  countOf(who: T, kind: keyof Share): number {
    return this.#ofKind[kind].countOf(who);
  }

  /** Undefined where no one has any. */
  largest(kind: keyof Share): { readonly who: T; readonly count: number } | undefined {
    const who = this.#ofKind[kind].largest;
    return who === undefined ? undefined : { who, count: this.countOf(who, kind) };
  }
}

/** The party that makes room for `added` more of another one; undefined where that has to do without. */
export function losingParty<T>(shares: Shares<T>, own: T, added: number, isProven: boolean): Losing<T> | undefined {
  const unproven = shares.largest("unproven");
  if (isProven && unproven !== undefined) return { who: unproven.who, isProven: false, most: unproven.count };
  const kind = isProven ? "proven" : "unproven";
  const largest = isProven ? shares.largest(kind) : unproven;
  const most = (largest?.count ?? 0) - shares.countOf(own, kind) - added;
  return largest === undefined || most < 1 ? undefined : { who: largest.who, isProven, most };
}

/** Shares of single watches. */
export function sharesOf<T>(watches: Iterable<{ readonly party: T; readonly isProven: boolean }>): Shares<T> {
  const counts = new Map<T, Share>();
  for (const { party, isProven } of watches) {
    const share = counts.get(party) ?? { unproven: 0, proven: 0 };
    counts.set(party, share);
    share[isProven ? "proven" : "unproven"] += 1;
  }
  const shares = new Shares<T>();
  for (const [party, share] of counts) shares.set(party, share);
  return shares;
}
