// The newest blocks as a strip that moves as the chain grows.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { memo, type ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Skeleton } from "#renderer/components/feedback/skeleton.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { classNames } from "#renderer/lib/browser/class-names.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { BlockSummary } from "#shared/api/schemas/chain.ts";
import styles from "./block-strip.module.css";
import { NextBlockCard } from "./next-block-card.tsx";

const SHOWN = 16;
const PLACEHOLDERS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Four lines of a card, its padding and its edges. */
const CARD_HEIGHT = "calc(5.53125rem + 4px)";

/** The strip; nothing where no block is known. */
export function BlockStrip(): ReactElement | null {
  const t = useMessages();
  const { data, error } = useQuery(useNodeQueries().blocks());
  if (data === undefined && error !== null) return null;
  return (
    <nav className={styles.strip} data-sideways aria-label={t("explorer.strip")}>
      {data === undefined && PLACEHOLDERS.map((key) => <Skeleton key={key} width="7.5rem" height={CARD_HEIGHT} />)}
      {data !== undefined && <NextBlockCard />}
      {data?.slice(0, SHOWN).map((block) => (
        <BlockCard key={block.hash} block={block} />
      ))}
    </nav>
  );
}

const BlockCard = memo(function BlockCard({ block }: { readonly block: BlockSummary }): ReactElement {
  const { locale, t } = useLanguage();
  return (
    <Link
      to="/explorer/block/$height"
      params={{ height: String(block.index) }}
      className={classNames(styles.card, block.tx_count === 0 && styles.empty)}
    >
      <span className={styles.height}>{new Intl.NumberFormat(locale).format(block.index)}</span>
      <span>{t("explorer.transactionCount", { count: block.tx_count })}</span>
      <span className={shared.muted}>{t("explorer.feesOf", { amount: amountText(t, block.total_fees_ut) })}</span>
      <span className={shared.muted}>
        <Time at={block.time} />
      </span>
    </Link>
  );
});
