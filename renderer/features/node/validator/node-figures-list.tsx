// What a key has done as a node: reputation, blocks, rewards, its bond.
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { reputationInWords } from "#renderer/lib/format/node-standing.ts";
import { useLanguage } from "#renderer/lib/messages/messages-context.tsx";
import type { NodeStats } from "#shared/api/schemas/nodes.ts";

/** The list. */
export function NodeFiguresList({ stats }: { readonly stats: NodeStats }): ReactElement {
  const { t, locale } = useLanguage();
  const number = new Intl.NumberFormat(locale);
  const recordRows = (record: NodeStats["validator"]): readonly KeyValueRow[] => {
    if (record === undefined) return [];
    const {
      bond_ut: bondUt,
      bond_available_at: freeAt,
      set_aside: isSetAside,
      banned_until: bannedUntil,
      commits_signed: signed,
      commits_expected: expected,
    } = record;
    return [
      { label: t("explorer.bond"), value: <Amount amountUt={bondUt} /> },
      ...(freeAt === undefined ? [] : [{ label: t("node.bondFree"), value: <Time at={freeAt * 1_000} /> }]),
      ...(isSetAside === true ? [{ label: t("node.setAside"), value: t("node.setAsideText") }] : []),
      ...(bannedUntil === undefined ? [] : [{ label: t("node.bannedUntil"), value: <Time at={bannedUntil * 1_000} /> }]),
      { label: t("node.commitsSigned"), value: t("explorer.ofBlocks", { made: signed, blocks: expected }) },
    ];
  };
  const { counted_blocks: counted, from_height: from, blocks_produced: produced } = stats;
  const countedRows: readonly KeyValueRow[] =
    counted === undefined || counted.since_height <= 1
      ? []
      : [{ label: t("node.blocksCounted"), value: t("node.blocksCountedText", { blocks: counted.blocks, height: counted.since_height }) }];
  const share = stats.recent_window_blocks === 0 ? 0 : stats.recent_blocks_produced / stats.recent_window_blocks;
  return (
    <KeyValueList
      rows={[
        { label: t("node.reputation"), value: reputationInWords(t, stats) },
        {
          label: t("explorer.recentBlocks"),
          value: t("node.uptimeRecentText", {
            made: stats.recent_blocks_produced,
            blocks: stats.recent_window_blocks,
            percent: new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }).format(share),
          }),
        },
        { label: t("node.rewardsRecent"), value: <Amount isLive amountUt={stats.recent_rewards_ut} /> },
        {
          label: t("node.blocksProduced"),
          value: from === undefined ? number.format(produced) : t("node.blocksCountedText", { blocks: produced, height: from }),
        },
        ...countedRows,
        { label: t("node.heartbeats"), value: number.format(stats.heartbeats) },
        { label: t("explorer.penalties"), value: number.format(stats.slash_count) },
        ...recordRows(stats.validator),
        { label: t("wallet.balance"), value: <Amount isLive amountUt={stats.node_balance_ut} /> },
      ]}
    />
  );
}
