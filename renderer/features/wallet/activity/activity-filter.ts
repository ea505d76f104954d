// Narrowing the activity by kind and by text.
import { formatAddress } from "#shared/protocol/primitives/address.ts";
import { formatAmount } from "#shared/protocol/primitives/amount.ts";
import type { ActivityItem } from "./activity-item.ts";

/** Which entries are shown. `other` is everything without a payment. */
export const ACTIVITY_KINDS = ["all", "sent", "received", "other"] as const;

/** One of them. */
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** What the filter needs to know besides the entry: words that only the view has. */
export interface SearchableWords {
  readonly label: string | undefined;
  readonly memo?: string | undefined;
  readonly peerName: string | undefined;
  readonly kindName: string;
  /** The amount in the language. */
  readonly amount: string;
}

/** True when an entry is of the kind. */
export function isOfKind(item: ActivityItem, kind: ActivityKind): boolean {
  const isPayment = item.kind === "transfer" || item.kind === "contactRequest" || item.kind === "blockReward";
  switch (kind) {
    case "all":
      return true;
    case "sent":
      return isPayment && item.direction !== "in";
    case "received":
      return isPayment && item.direction === "in";
    case "other":
      return !isPayment;
  }
}

/** True when every word of the query is in the entry's names, label, address, amount or id. */
export function matchesText(item: ActivityItem, query: string, words: SearchableWords): boolean {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return true;
  const peer = item.peer === undefined ? [] : [item.peer, formatAddress(item.peer)];
  const text = [words.label, words.memo, words.peerName, words.kindName, item.id, formatAmount(item.amountUt), words.amount, ...peer]
    .join(" ")
    .toLowerCase();
  return terms.every((word) => text.includes(word));
}
