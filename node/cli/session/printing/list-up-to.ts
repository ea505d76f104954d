// Reads a list of the node page by page, up to a number of entries.

/** One page; without `next` it is the last one. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
}

/** What is wanted of a list. */
export interface ListWish<T> {
  /** Entries at most. */
  readonly limit: number;
  /** Only those after this cursor. */
  readonly after?: string | undefined;
  /** Entries of one page at most, as the node allows. */
  readonly pageSize: number;
  /** Which entries count; all without it. */
  readonly filter?: ((item: T) => boolean) | undefined;
}

/** The first entries that fit; `next` is the cursor behind the last of them where the list has more entries. */
export async function listUpTo<T>(
  read: (query: { readonly limit: number; readonly after?: string }) => Promise<ListPage<T>>,
  { limit, after, pageSize, filter }: ListWish<T>,
): Promise<{ readonly found: readonly T[]; readonly next: string | undefined }> {
  const found: T[] = [];
  for (let from = after; ; ) {
    const place = from === undefined ? {} : { after: from };
    // What a filter leaves out is not asked for entry by entry.
    const { items, next } = await read({ limit: filter === undefined ? Math.min(pageSize, limit - found.length) : pageSize, ...place });
    const fits = items.filter((item) => filter === undefined || filter(item)).slice(0, limit - found.length);
    found.push(...fits);
    const last = fits.at(-1);
    if (found.length < limit && next !== undefined) {
      from = next;
      continue;
    }
    const seen = last === undefined || found.length < limit ? items.length : items.indexOf(last) + 1;
    // A cursor inside of the page is that of a shorter one.
    return { found, next: seen === items.length ? next : (await read({ limit: seen, ...place })).next };
  }
}

/** Words that name the next page. */
export function moreAfter(next: string): string {
  return `There are more: --after ${next}`;
}
