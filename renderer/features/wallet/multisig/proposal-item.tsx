// One proposal: what it would do, how many approved it, and what the account can do about it.
import { type ReactElement, useState } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { Time } from "#renderer/components/basics/time.tsx";
import { Button } from "#renderer/components/controls/button.tsx";
import { KeyValueList, type KeyValueRow } from "#renderer/components/layout/key-value-list.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { CallSheet } from "#renderer/components/transactions/call-sheet.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLabelOf } from "#renderer/lib/people/names/use-label.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { MemberChip, MemberChips } from "./member-chip.tsx";
import styles from "./multisig.module.css";
import { isKey, type Proposal, type Purse } from "./purses.ts";

const CLOCK_MS = 10_000;

type Action = "approve" | "revoke" | "execute";

export interface ProposalItemProps {
  readonly purse: Purse;
  readonly proposal: Proposal;
}

export function ProposalItem({ purse, proposal }: ProposalItemProps): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  const now = useNow(CLOCK_MS);
  const [open, setOpen] = useState<Action>();
  const { approvals, expires } = proposal;
  const sentence = useSentence(proposal);
  const isExpired = expires * 1_000 < now;
  const isReady = approvals >= purse.needed;
  const actions = isExpired ? [] : actionsOf({ purse, proposal }, masterPub);
  return (
    <article className={styles.proposal}>
      <div className={shared.between}>
        <strong>{sentence}</strong>
        <Badge tone={isExpired ? "neutral" : isReady ? "success" : "accent"}>
          {isExpired ? t("wallet.expired") : t("multisig.approvals", { approvals, needed: purse.needed })}
        </Badge>
      </div>
      <Details proposal={proposal} isExpired={isExpired} />
      {actions.length > 0 && (
        <div className={shared.buttons}>
          {actions.map((action, index) => (
            <Button
              key={action}
              size="small"
              variant={index === 0 && action !== "revoke" ? "primary" : "secondary"}
              onClick={(): void => setOpen(action)}
            >
              {t(`multisig.action.${action}`)}
            </Button>
          ))}
        </div>
      )}
      {open !== undefined && (
        <CallSheet
          call={{ contractId: purse.id, method: open, args: [BigInt(proposal.id)] }}
          danger={open === "execute"}
          title={t(`multisig.ask.${open}`)}
          sentence={t(`multisig.sentence.${open}`, { what: sentence })}
          rows={[{ label: t("explorer.contractId"), value: purse.id, mono: true }]}
          confirmLabel={t(`multisig.sign.${open}`)}
          onClose={(): void => setOpen(undefined)}
        />
      )}
    </article>
  );
}

/** What a member can do now, the next step first. */
function actionsOf({ purse, proposal }: ProposalItemProps, account: PublicKeyHex): readonly Action[] {
  const isMember = purse.members.includes(account);
  const hasApproved = proposal.approvedBy.includes(account);
  return [
    ...(isMember && proposal.approvals >= purse.needed ? (["execute"] as const) : []),
    ...(isMember && !hasApproved ? (["approve"] as const) : []),
    ...(hasApproved ? (["revoke"] as const) : []),
  ];
}

function Details({ proposal, isExpired }: { readonly proposal: Proposal; readonly isExpired: boolean }): ReactElement {
  const t = useMessages();
  const { kind, to, args, by, approvedBy, expires } = proposal;
  const what: Readonly<Record<Proposal["kind"], readonly KeyValueRow[]>> = {
    pay: isKey(to) ? [{ label: t("common.address"), value: formatAddress(to), mono: true }] : [],
    call: [{ label: t("explorer.arguments"), value: visibleText(JSON.stringify(args)), mono: true }],
    members: [{ label: t("multisig.members"), value: <MemberChips members={args.map(String)} /> }],
  };
  return (
    <KeyValueList
      rows={[
        ...what[kind],
        { label: t("multisig.proposedBy"), value: <MemberChip member={by} /> },
        { label: t("multisig.approvedBy"), value: <MemberChips members={approvedBy} /> },
        { label: t(isExpired ? "wallet.expired" : "wallet.expires"), value: <Time at={expires * 1_000} /> },
      ]}
    />
  );
}

/** What a proposal would do, in one sentence. */
function useSentence({ kind, to, amount, method, args }: Proposal): string {
  const t = useMessages();
  const { masterPub } = useAccount();
  const name = useLabelOf(isKey(to) ? to : masterPub);
  const person = isKey(to) ? name : to;
  if (kind === "pay") return t("multisig.what.pay", { amount: amountText(t, amount), person });
  if (kind === "members") return t("multisig.what.members", { members: args.length, needed: amount });
  return t("multisig.what.call", { method: visibleText(method), id: to, amount: amountText(t, amount) });
}
