// Whether a transaction is in a block yet, as the newest page of its account tells it. A node has no answer but an error for one that is not,
// so it is asked for the transaction itself only where the page cannot know. Pure.
import type { TransactionEntry } from "#shared/api/schemas/chain.ts";
import { TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { HistoryPage } from "../node/account-pages.ts";

/** `unknown`: the page does not reach back far enough. */
export type Sighting = { readonly kind: "found"; readonly entry: TransactionEntry } | { readonly kind: "missing" | "unknown" };

/** What a page says of a transaction that was made at some time, milliseconds since 1970. */
export function findOnPage(page: HistoryPage, id: string, madeMs: number): Sighting {
  const entry = page.transactions.find((transaction) => transaction.id === id);
  if (entry !== undefined) return { kind: "found", entry };
  const oldest = page.transactions.at(-1);
  // Times are those that signers state: they differ from their blocks by the window in which a transaction is valid, at most.
  const isWhole = !page.has_more && page.missing_below === undefined;
  const reachesBack = isWhole || (oldest !== undefined && Date.parse(oldest.time) < madeMs - 2 * TX_WINDOW_MS);
  return { kind: reachesBack ? "missing" : "unknown" };
}
