// The chain at a glance: numbers, newest blocks and transactions, validators.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { BlockRow } from "../blocks/block-row.tsx";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { TransactionRow } from "../transactions/transaction-row.tsx";
import { ChartsSection } from "./charts-section.tsx";
import { NetworkStats } from "./network-stats.tsx";
import styles from "./overview-page.module.css";

/** Rows of each list. */
const SHOWN = 8;

/** The page. Without any response there is one error, not one a section. */
export function OverviewPage(): ReactElement {
  const t = useMessages();
  const cache = useQueryClient();
  const { data, error, isFetching } = useQuery(useNodeQueries().blocks());
  const hasFailed = data === undefined && error !== null;
  return (
    <ExplorerFrame hasStrip title={t("explorer.title")} isOverview>
      {hasFailed ? (
        <ErrorState error={error} onRetry={(): void => void cache.invalidateQueries()} isRetrying={isFetching} />
      ) : (
        <>
          <NetworkStats />
          <ChartsSection />
          <LatestTransactions />
          <div className={styles.halves}>
            <LatestBlocks />
            <Validators />
          </div>
        </>
      )}
    </ExplorerFrame>
  );
}

function LatestTransactions(): ReactElement {
  const t = useMessages();
  const query = useQuery(useNodeQueries().recentTransactions());
  const { data } = query;
  return (
    <Section title={t("explorer.latestTransactions")} bare>
      <QueryState query={query} rows={4} />
      {data?.length === 0 && <p className={shared.muted}>{t("explorer.noTransactions")}</p>}
      <div className={shared.outdented}>
        {data?.slice(0, SHOWN).map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} />
        ))}
      </div>
    </Section>
  );
}

function LatestBlocks(): ReactElement {
  const t = useMessages();
  const query = useQuery(useNodeQueries().blocks());
  const { data } = query;
  return (
    <Section
      title={t("explorer.latestBlocks")}
      bare
      actions={
        <Link to="/explorer/blocks" className={styles.all}>
          {t("explorer.allBlocks")}
        </Link>
      }
    >
      <QueryState query={query} rows={4} />
      <div className={shared.outdented}>
        {data?.slice(0, SHOWN).map((block) => (
          <BlockRow key={block.hash} block={block} />
        ))}
      </div>
    </Section>
  );
}

function Validators(): ReactElement | null {
  const t = useMessages();
  const { data, error } = useQuery(useNodeQueries().validators());
  if (data === undefined && error !== null) return null;
  return (
    <Section title={t("explorer.validators")} bare>
      {data === undefined && <SkeletonRows count={2} />}
      <ul className={shared.stack2}>
        {data?.validators.map(({ pub_key: publicKey }) => (
          <li key={publicKey}>
            <AddressChip publicKey={publicKey} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
