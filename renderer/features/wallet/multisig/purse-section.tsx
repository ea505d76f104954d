// One multisig: its balance, its members, what is proposed, and what the account can do.
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { Amount } from "#renderer/components/basics/amount.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { QueryState } from "#renderer/components/feedback/query-state.tsx";
import { KeyValueList } from "#renderer/components/layout/key-value-list.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { Copyable } from "#renderer/components/people/copyable.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { DepositDialog } from "./deposit-dialog.tsx";
import { MemberChips } from "./member-chip.tsx";
import { ProposalItem } from "./proposal-item.tsx";
import { ProposeMembersDialog } from "./propose-members-dialog.tsx";
import { ProposePaymentDialog } from "./propose-payment-dialog.tsx";
import { type Purse, useProposals } from "./purses.ts";

type Open = "none" | "deposit" | "payment" | "members";

export interface PurseSectionProps {
  readonly purse: Purse;
  /** Takes it off the list of those that were found. */
  readonly onRemove?: () => void;
}

export function PurseSection({ purse, onRemove }: PurseSectionProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const proposals = useProposals(purse.id);
  const [open, setOpen] = useState<Open>("none");
  const { id, members, needed, balanceUt, isKnownCode } = purse;
  const isMember = members.includes(masterPub);
  const close = (): void => setOpen("none");
  return (
    <Section title={t("multisig.title", { needed, count: members.length })}>
      {!isKnownCode && (
        <Banner tone="warning" title={t("multisig.unknownCode")}>
          {t("multisig.unknownCodeText")}
        </Banner>
      )}
      <KeyValueList
        rows={[
          { label: t("wallet.balance"), value: <Amount amountUt={balanceUt} />, strong: true },
          { label: t("multisig.members"), value: <MemberChips members={members} /> },
          { label: t("explorer.contractId"), value: <Copyable text={id} label={t("explorer.copyId")} /> },
        ]}
      />
      <div className={shared.buttons}>
        <Button onClick={(): void => setOpen("deposit")}>{t("multisig.deposit")}</Button>
        {isMember && <Button onClick={(): void => setOpen("payment")}>{t("multisig.proposePayment")}</Button>}
        {isMember && <Button onClick={(): void => setOpen("members")}>{t("multisig.proposeMembers")}</Button>}
        {!isMember && onRemove !== undefined && (
          <Button variant="ghost" onClick={onRemove}>
            {t("wallet.removeFound")}
          </Button>
        )}
      </div>
      <h3 className={shared.strong}>{t("multisig.proposals")}</h3>
      <QueryState query={proposals} rows={1} />
      {proposals.data?.length === 0 && <p className={shared.muted}>{t("multisig.noProposals")}</p>}
      {proposals.data?.map((proposal) => (
        <ProposalItem key={proposal.id} purse={purse} proposal={proposal} />
      ))}
      <p className={shared.hint}>
        <Link to="/explorer/contract/$id" params={{ id }}>
          {t("multisig.allMethods")}
        </Link>
      </p>
      {open === "deposit" && <DepositDialog purse={purse} onClose={close} />}
      {open === "payment" && <ProposePaymentDialog purse={purse} onClose={close} />}
      {open === "members" && <ProposeMembersDialog purse={purse} onClose={close} />}
    </Section>
  );
}
