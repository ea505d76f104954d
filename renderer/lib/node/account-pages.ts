// The pages of an account's history that were loaded, and what is newer. Pages are counted from the newest transaction: loading them again
// whenever one arrives would cost more with each page: what is new is put in front of them instead.
import type { InfiniteData } from "@tanstack/react-query";
import type { Output } from "#shared/api/api.ts";
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";

export type HistoryPage = Pick<Output<"getAddress">, "has_more" | "next_offset" | "missing_below"> & {
  readonly transactions: readonly TransactionEntry[];
};

/** Pages by their offsets. */
export type HistoryPages = InfiniteData<HistoryPage, number>;

/** The history of an account that the chain has never seen. */
export const EMPTY_PAGE: HistoryPage = { transactions: [], has_more: false, next_offset: 0 };

/**
 * The pages with what the newest page has beyond them. Where the two do not touch, something between them is unknown: the newest page
 * starts again.
 */
export function withNewest(pages: HistoryPages | undefined, newest: HistoryPage): HistoryPages {
  const restarted: HistoryPages = { pages: [newest], pageParams: [0] };
  const [first, ...rest] = pages?.pages ?? [];
  if (pages === undefined || first === undefined) return restarted;
  const head = first.transactions[0];
  // A page that ended early goes on once the node has older blocks.
  if (head === undefined || first.missing_below !== newest.missing_below) return restarted;
  const known = newest.transactions.findIndex((entry) => isSame(entry, head));
  if (known === -1) return restarted;
  if (known === 0) return pages;
  return { ...pages, pages: [{ ...first, transactions: [...newest.transactions.slice(0, known), ...first.transactions] }, ...rest] };
}

/** Everything in the pages, newest first. Those that were counted before something arrived overlap with those counted after. */
export function entriesOf({ pages }: HistoryPages): readonly TransactionEntry[] {
  return [...new Map(pages.flatMap(({ transactions }) => transactions).map((entry) => [nameOf(entry), entry])).values()];
}

/** Entries of blocks below are not on the node: the pages end before the history does. */
export function missingBelowOf({ pages }: HistoryPages): number | undefined {
  return pages.at(-1)?.missing_below;
}

function isSame(one: TransactionEntry, other: TransactionEntry): boolean {
  return nameOf(one) === nameOf(other);
}

/** A reward has the id of its block. */
function nameOf({ block_index: index, id }: TransactionEntry): string {
  return `${index}:${id}`;
}
