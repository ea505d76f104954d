// Who makes blocks, and which changes of the set wait for approvals.
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { ApproveAction, type Approver, useApprover } from "#renderer/components/transactions/approve-action.tsx";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { ValidatorProposal, ValidatorRecord } from "#shared/api/schemas/chain.ts";
import { ExplorerFrame } from "./frame/explorer-frame.tsx";

export function ValidatorsPage(): ReactElement {
  const t = useMessages();
  const query = useQuery(useNodeQueries().validators());
  const { data } = query;
  return (
    <ExplorerFrame title={t("explorer.validators")}>
      <QueryState query={query} rows={3} />
      {data !== undefined && (
        <>
          <Section title={t("explorer.validatorSet", { count: data.count })} hint={t("explorer.validatorsHint")} bare>
            <ValidatorTable validators={data.validators} />
          </Section>
          <Proposals />
        </>
      )}
    </ExplorerFrame>
  );
}

function ValidatorTable(props: { readonly validators: readonly ValidatorRecord[] }): ReactElement {
  const t = useMessages();
  return (
    <DataTable
      label={t("explorer.validators")}
      columns={[
        { title: t("explorer.validator") },
        { title: t("common.status") },
        { title: t("explorer.bond"), end: true },
        { title: t("explorer.recentBlocks"), end: true },
        { title: t("explorer.blocksProduced"), end: true },
        { title: t("explorer.penalties"), end: true },
      ]}
      rows={props.validators.map(({ pub_key: key }) => ({ key, cells: <ValidatorCells publicKey={key} /> }))}
    />
  );
}

function ValidatorCells({ publicKey }: { readonly publicKey: string }): ReactElement {
  const { locale, t } = useLanguage();
  const { data } = useQuery(useNetworkQueries().nodeStats(publicKey));
  const number = new Intl.NumberFormat(locale);
  const unknown = data === undefined ? "…" : t("common.none");
  return (
    <>
      <td>
        <AddressChip publicKey={publicKey} />
      </td>
      <td>{data ? `${rankName(t, data.reputation_rank)} · ${number.format(data.reputation_score)}` : unknown}</td>
      <td data-end>{data?.validator === undefined ? unknown : <Amount amountUt={data.validator.bond_ut} />}</td>
      <td data-end>{data ? t("explorer.ofBlocks", { made: data.recent_blocks_produced, blocks: data.recent_window_blocks }) : unknown}</td>
      <td data-end>{data ? number.format(data.blocks_produced) : unknown}</td>
      <td data-end>{data ? number.format(data.slash_count) : unknown}</td>
    </>
  );
}

function rankName(t: ReturnType<typeof useMessages>, rank: string): string {
  const names = {
    Observer: "explorer.rank.observer",
    Active: "explorer.rank.active",
    Trusted: "explorer.rank.trusted",
    Validator: "explorer.validator",
  } as const;
  return Object.hasOwn(names, rank) ? t(names[rank as keyof typeof names]) : rank;
}

function Proposals(): ReactElement {
  const t = useMessages();
  const { data, error } = useQuery(useNetworkQueries().proposals());
  const approver = useApprover();
  return (
    <Section
      title={t("explorer.proposals")}
      hint={t(approver === undefined ? "explorer.proposalsHint" : "explorer.proposalsHintValidator")}
      bare
    >
      {data === undefined && error === null && <SkeletonRows count={1} />}
      {data === undefined && error !== null && <ErrorState error={error} />}
      {data?.length === 0 && <EmptyState icon={ShieldCheck} title={t("explorer.noProposals")} text={t("explorer.noProposalsText")} />}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label={t("explorer.proposals")}
          columns={[
            { title: t("explorer.proposalKind") },
            { title: t("explorer.validator") },
            { title: t("explorer.approvals"), end: true },
            { title: t("explorer.proposalAction"), end: true },
          ]}
          rows={data.map((proposal) => ({
            key: `${proposal.action}:${proposal.pub_key}`,
            cells: <ProposalCells proposal={proposal} approver={approver} />,
          }))}
        />
      )}
    </Section>
  );
}

interface ProposalCellsProps {
  readonly proposal: ValidatorProposal;
  readonly approver: Approver | undefined;
}

function ProposalCells({ proposal, approver }: ProposalCellsProps): ReactElement {
  const t = useMessages();
  const isApproved = proposal.approvals.some(({ pub_key: key }) => key === approver?.publicKey);
  return (
    <>
      <td>
        <Badge tone={proposal.action === "add" ? "success" : "warning"}>
          {t(proposal.action === "add" ? "explorer.proposalAdd" : "explorer.proposalRemove")}
        </Badge>
      </td>
      <td>
        <AddressChip publicKey={proposal.pub_key} />
      </td>
      <td data-end>{t("explorer.approvalsOf", { given: proposal.approval_count, needed: proposal.approvals_required })}</td>
      <td>
        {isApproved ? (
          <Badge tone="neutral">{t("explorer.approvedByYou")}</Badge>
        ) : (
          <ApproveAction action={proposal.action} publicKey={proposal.pub_key} label={t("explorer.approve")} isSmall />
        )}
      </td>
    </>
  );
}
