// Which watch makes room for another one: those of readers who have not proven that they serve a box go first, those of the party that has
// most of them, and no one displaces a proven one but by being proven and having fewer.

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

/** The party that makes room for `added` more of another one; undefined where that has to do without. */
export function losingParty<T>(shares: ReadonlyMap<T, Share>, own: T, added: number, isProven: boolean): Losing<T> | undefined {
  const unproven = largestOf(shares, "unproven");
  if (isProven && unproven !== undefined) return { who: unproven.who, isProven: false, most: unproven.count };
  const kind = isProven ? "proven" : "unproven";
  const largest = isProven ? largestOf(shares, kind) : unproven;
  const most = (largest?.count ?? 0) - (shares.get(own)?.[kind] ?? 0) - added;
  return largest === undefined || most < 1 ? undefined : { who: largest.who, isProven, most };
}

function largestOf<T>(shares: ReadonlyMap<T, Share>, kind: keyof Share): { readonly who: T; readonly count: number } | undefined {
  let largest: { readonly who: T; readonly count: number } | undefined;
  for (const [who, { [kind]: count }] of shares) if (count > (largest?.count ?? 0)) largest = { who, count };
  return largest;
}

/** Shares of single watches. */
export function sharesOf<T>(watches: Iterable<{ readonly party: T; readonly isProven: boolean }>): Map<T, Share> {
  const shares = new Map<T, Share>();
  for (const { party, isProven } of watches) {
    const share = shares.get(party) ?? { unproven: 0, proven: 0 };
    shares.set(party, share);
    share[isProven ? "proven" : "unproven"] += 1;
  }
  return shares;
}
