// What the network thinks of a node, in words: whether a relay keeps mail, its rank and its score.
import type { PlainMessageKey, Translate } from "#renderer/lib/messages/catalogue.ts";
import type { NodeStats, RegisteredRelay } from "#shared/api/schemas/nodes.ts";

const WORDS = {
  waiting: "explorer.relayStanding.waiting",
  in: "explorer.relayStanding.in",
  out: "explorer.relayStanding.out",
} as const satisfies Readonly<Record<string, PlainMessageKey>>;

/** Words for where a relay stands; one without a bond keeps none, nor does what a later node may say. */
export function relayStanding(t: Translate, keeper: RegisteredRelay["keeper"]): string {
  if (keeper?.suspended_until !== undefined) return t("explorer.relayStanding.suspended");
  const standing = keeper?.standing ?? "";
  return t(Object.hasOwn(WORDS, standing) ? WORDS[standing as keyof typeof WORDS] : "explorer.relayStanding.none");
}

const RANKS = {
  Observer: "explorer.rank.observer",
  Active: "explorer.rank.active",
  Trusted: "explorer.rank.trusted",
  Validator: "explorer.validator",
} as const satisfies Readonly<Record<string, PlainMessageKey>>;

/** "Validator, 1,215 points". A rank of a later version stays as it is named. */
export function reputationInWords(
  t: Translate,
  { reputation_rank: rank, reputation_score: count }: Pick<NodeStats, "reputation_rank" | "reputation_score">,
): string {
  return t("explorer.reputation", { rank: Object.hasOwn(RANKS, rank) ? t(RANKS[rank as keyof typeof RANKS]) : rank, count });
}
