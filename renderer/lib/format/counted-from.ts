// Numbers that a node does not count from the first block on say from which one.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { NetworkStats } from "#shared/api/schemas/chain.ts";

/** What the number of transactions is called. */
export function transactionsLabel(t: Translate, stats: Pick<NetworkStats, "from_height"> | undefined): string {
  const height = stats?.from_height;
  return height === undefined ? t("explorer.transactions") : t("explorer.transactionsFrom", { height });
}
