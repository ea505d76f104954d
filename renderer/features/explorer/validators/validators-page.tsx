// Who makes blocks, and which changes of the set wait for approvals.
import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactElement } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { ErrorState } from "#renderer/components/feedback/error-state.tsx";
import { Pending } from "#renderer/components/feedback/pending.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { DataTable } from "#renderer/components/layout/data-table.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import { ApproveAction, type Approver, useApprover } from "#renderer/components/transactions/approve-action.tsx";
import { reputationInWords } from "#renderer/lib/format/node-standing.ts";
import { type Language, useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { useNodeQueries } from "#renderer/lib/node/queries.ts";
import type { AbsentValidator, ValidatorProposal, ValidatorRecord } from "#shared/api/schemas/chain.ts";
import type { NodeStats } from "#shared/api/schemas/nodes.ts";
import { ExplorerFrame } from "../frame/explorer-frame.tsx";
import { VotesSection } from "./votes-section.tsx";

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
          <VotesSection validators={data.validators} />
          {data.set_aside !== undefined && data.set_aside.length > 0 && <SetAside validators={data.set_aside} />}
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
        { title: t("explorer.missedCommits"), end: true },
        { title: t("explorer.penalties"), end: true },
      ]}
      rows={props.validators.map((validator) => ({ key: validator.pub_key, cells: <ValidatorCells validator={validator} /> }))}
    />
  );
}

/** Those that were set aside for their absence: they may return by themselves. */
function SetAside(props: { readonly validators: readonly AbsentValidator[] }): ReactElement {
  const { locale, t } = useLanguage();
  const number = new Intl.NumberFormat(locale);
  return (
    <Section title={t("explorer.setAside")} hint={t("explorer.setAsideHint")} bare>
      <DataTable
        label={t("explorer.setAside")}
        columns={[{ title: t("explorer.validator") }, { title: t("explorer.setAsideSince"), end: true }]}
        rows={props.validators.map(({ pub_key: key, since_block: height }) => ({
          key,
          cells: (
            <>
              <td>
                <AddressChip publicKey={key} />
              </td>
              <td data-end>{number.format(height)}</td>
            </>
          ),
        }))}
      />
    </Section>
  );
}

function ValidatorCells({ validator }: { readonly validator: ValidatorRecord }): ReactElement {
  const { pub_key: publicKey, missed_commits: missed = 0 } = validator;
  const { locale, t } = useLanguage();
  const { data, isPending } = useQuery(useNetworkQueries().nodeStats(publicKey));
  const number = new Intl.NumberFormat(locale);
  const unknown = data === undefined ? "…" : t("common.none");
  return (
    <>
      <td>
        <AddressChip publicKey={publicKey} />
        {isPending && <Pending />}
      </td>
      <td>{data ? reputationInWords(t, data) : unknown}</td>
      <td data-end>{data?.validator === undefined ? unknown : <Amount amountUt={data.validator.bond_ut} />}</td>
      <td data-end>{data ? t("explorer.ofBlocks", { made: data.recent_blocks_produced, blocks: data.recent_window_blocks }) : unknown}</td>
      <td data-end>{data ? producedInWords({ t, locale }, data) : unknown}</td>
      <td data-end>{data?.validator === undefined ? unknown : missedInWords(t, data.validator, missed)}</td>
      <td data-end>{data ? number.format(data.slash_count) : unknown}</td>
    </>
  );
}

/** As far as the node counts them. */
function producedInWords({ t, locale }: Language, { blocks_produced: blocks, from_height: height }: NodeStats): string {
  if (height !== undefined) return t("node.blocksCountedText", { blocks, height });
  return new Intl.NumberFormat(locale).format(blocks);
}

/** Of the newest blocks, and of the present thousand where any was missed. */
function missedInWords(
  t: ReturnType<typeof useMessages>,
  { commits_expected: blocks, commits_signed: signed }: NonNullable<NodeStats["validator"]>,
  missed: number,
): string {
  const recent = t("explorer.ofBlocks", { made: blocks - signed, blocks });
  return missed === 0 ? recent : `${recent} · ${t("explorer.missedOfThousand", { count: missed })}`;
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
