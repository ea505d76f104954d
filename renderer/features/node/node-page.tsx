// The node at a glance: chain, state, version, network figures, peers, validators, latest blocks.
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { Time } from "#renderer/components/basics/time.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { UnverifiedNote } from "#renderer/components/feedback/unverified-note.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import { LightNotice } from "./light/light-notice.tsx";
import styles from "./node.module.css";
import { NodeFrame } from "./node-frame.tsx";
import { PeersSection } from "./peers/peers-section.tsx";
import { ModeSection } from "./status/mode-section.tsx";
import { NodeFigures } from "./status/node-figures.tsx";
import { NodeOverview } from "./status/node-overview.tsx";
import { StorageSection } from "./status/storage-section.tsx";
import { SyncSection } from "./status/sync-section.tsx";
import { UpgradeNotice } from "./status/upgrade-notice.tsx";

export function NodePage(): ReactElement {
  const t = useMessages();
  const queries = useNodeQueries();
  const status = useQuery(queries.status());
  const network = useQuery(queries.networkInfo());
  const error = status.error ?? network.error;
  const isMissing = status.data === undefined || network.data === undefined;
  const retry = (): void => void Promise.all([status.refetch(), network.refetch()]);
  return (
    <NodeFrame>
      {isMissing && (error === null ? <SkeletonRows /> : <ErrorState error={error} onRetry={retry} />)}
      {status.data !== undefined && network.data !== undefined && (
        <>
          {network.data.development && <Banner isLasting>{t("node.development")}</Banner>}
          <UpgradeNotice upgrade={status.data.upgrade} />
          <LightNotice status={status.data} />
          <NodeFigures status={status.data} />
          <UnverifiedNote kind="figures" />
          <SyncSection status={status.data} />
          <div className={styles.columns}>
            <NodeOverview status={status.data} network={network.data} />
            <div className={styles.column}>
              <LatestBlocks />
              <Validators />
            </div>
          </div>
          <PeersSection />
          <ModeSection status={status.data} />
          <StorageSection status={status.data} />
        </>
      )}
    </NodeFrame>
  );
}

function LatestBlocks(): ReactElement {
  const t = useMessages();
  const query = useQuery(useNodeQueries().blocks());
  const blocks = query.data;
  return (
    <Section title={t("explorer.latestBlocks")}>
      <QueryState query={query} rows={3} />
      <ul className={styles.rows}>
        {blocks?.slice(0, 5).map((block) => (
          <li key={block.index}>
            <ListRowLink
              to="/explorer/block/$height"
              params={{ height: String(block.index) }}
              heading={t("explorer.blockTitle", { height: block.index })}
              subtitle={t("node.blockTransactions", { count: block.tx_count })}
              meta={<Time at={block.time} />}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Validators(): ReactElement {
  const t = useMessages();
  const query = useQuery(useNodeQueries().validators());
  const { data } = query;
  return (
    <Section title={t("explorer.validators")} hint={t("node.validatorsHint")}>
      {data === undefined ? (
        <QueryState query={query} rows={1} />
      ) : (
        <KeyValueList
          rows={data.validators.map((validator, index) => ({
            label: String(index + 1),
            value: <AddressChip publicKey={validator.pub_key} />,
          }))}
        />
      )}
    </Section>
  );
}
