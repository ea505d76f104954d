// One block: header, transactions, the blocks before and after.
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Blocks, ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactElement, useEffect } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { VirtualRows } from "#renderer/components/layout/virtual-rows.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { formatExactTime } from "#renderer/lib/format/time.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { BlockDetail } from "#shared/api/schemas/chain.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { parseAddress } from "#shared/protocol/primitives/address.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { TransactionRow } from "../transactions/transaction-row.tsx";

const ROW_HEIGHT = 44;

export function BlockPage(): ReactElement {
  const { height: text } = useParams({ from: "/shell/explorer/block/$height" });
  const { locale, t } = useLanguage();
  if (!/^\d{1,15}$/.test(text)) {
    return (
      <ExplorerFrame title={t("explorer.block")}>
        <EmptyState icon={Blocks} title={t("explorer.malformedHeightTitle")} text={t("explorer.malformedHeight")} />
      </ExplorerFrame>
    );
  }
  const height = Number(text);
  return (
    <ExplorerFrame title={t("explorer.blockTitle", { height: new Intl.NumberFormat(locale).format(height) })}>
      <Block key={height} height={height} />
    </ExplorerFrame>
  );
}

function Block(props: { readonly height: number }): ReactElement {
  const { height } = props;
  const t = useMessages();
  const queries = useNodeQueries();
  const tip = useQuery(queries.status()).data?.sync.height;
  const query = useQuery(queries.block(height));
  const { data, error, refetch } = query;
  const isMissing = isCodedError(error, "NOT_FOUND");
  useEffect(() => {
    if (isMissing && tip !== undefined && tip >= height) void refetch();
  }, [isMissing, tip, height, refetch]);
  if (data !== undefined) return <BlockContent block={data} {...(tip !== undefined && { tip })} />;
  const missing = (
    <EmptyState
      icon={Blocks}
      title={t("explorer.blockMissingTitle")}
      text={tip === undefined ? t("explorer.blockMissing") : t("explorer.blockMissingAt", { height: tip })}
      actions={<ButtonLink to="/explorer">{t("explorer.toOverview")}</ButtonLink>}
    />
  );
  return <QueryState query={query} missing={missing} />;
}

function BlockContent(props: { readonly block: BlockDetail; readonly tip?: number }): ReactElement {
  const { block, tip } = props;
  const t = useMessages();
  return (
    <>
      <Section title={t("explorer.header")} actions={<Neighbours height={block.index} {...(tip !== undefined && { tip })} />}>
        <KeyValueList rows={useHeaderRows(block)} />
      </Section>
      <Section title={t("explorer.transactionsOf", { count: block.transactions.length })} bare>
        {block.transactions.length === 0 && <p className={shared.muted}>{t("explorer.emptyBlock")}</p>}
        <div className={shared.outdented}>
          <VirtualRows
            label={t("explorer.transactions")}
            items={block.transactions}
            keyOf={(transaction): string => transaction.id}
            estimateSize={ROW_HEIGHT}
            renderItem={(transaction): ReactElement => <TransactionRow transaction={transaction} />}
          />
        </div>
      </Section>
    </>
  );
}

function useHeaderRows(block: BlockDetail): readonly KeyValueRow[] {
  const { locale, t } = useLanguage();
  const proposer = parseAddress(block.validator);
  const time = `${formatExactTime(locale, Date.parse(block.time))}`;
  return [
    {
      label: t("explorer.blockTime"),
      value: (
        <>
          {time} · <Time at={block.time} />
        </>
      ),
    },
    { label: t("explorer.blockHash"), value: <Copyable text={block.hash} label={t("explorer.copyHash")} /> },
    {
      label: t("explorer.parentHash"),
      value:
        block.index === 0 ? (
          <Copyable text={block.prev_hash} label={t("explorer.copyHash")} />
        ) : (
          <Copyable text={block.prev_hash} label={t("explorer.copyHash")}>
            <Link to="/explorer/block/$height" params={{ height: String(block.index - 1) }}>
              {block.prev_hash}
            </Link>
          </Copyable>
        ),
    },
    { label: t("explorer.stateRoot"), value: <Copyable text={block.state_root} label={t("explorer.copyHash")} /> },
    { label: t("explorer.proposer"), value: proposer === undefined ? block.validator : <AddressChip publicKey={proposer} /> },
    { label: t("explorer.fees"), value: <Amount amountUt={block.total_fees_ut} /> },
  ];
}

function Neighbours(props: { readonly height: number; readonly tip?: number }): ReactElement {
  const { height, tip } = props;
  const t = useMessages();
  return (
    <nav className={shared.row2} aria-label={t("explorer.neighbours")}>
      {height > 0 && (
        <ButtonLink size="small" icon={ChevronLeft} to="/explorer/block/$height" params={{ height: String(height - 1) }}>
          {t("explorer.previousBlock")}
        </ButtonLink>
      )}
      {tip !== undefined && height < tip && (
        <ButtonLink size="small" to="/explorer/block/$height" params={{ height: String(height + 1) }}>
          {t("explorer.nextBlock")}
          <ChevronRight size={16} aria-hidden="true" />
        </ButtonLink>
      )}
    </nav>
  );
}
