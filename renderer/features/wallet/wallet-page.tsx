// The wallet: balance, actions, activity. Sending, receiving and single entries open above it.

import { Outlet } from "@tanstack/react-router";
import { Coins, Eye, FileCheck, FileText, ListPlus, Scale, UsersRound, Wallet, Waypoints } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { Section } from "#renderer/components/layout/section.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import { ActivitySection } from "./activity/activity-section.tsx";
import { HoldingsSection } from "./assets/holdings-section.tsx";
import { BalanceHead } from "./balance-head.tsx";
import { FaucetButton } from "./faucet-button.tsx";
import { WaitingPayments } from "./send/waiting-payments.tsx";

export function WalletPage(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  return (
    <>
      <Page header={<PageHeader title={t("wallet.title")} actions={<AddressChip publicKey={masterPub} />} />}>
        <BalanceHead account={masterPub} />
        <WaitingPayments />
        <HoldingsSection account={masterPub} />
        <ActivitySection account={masterPub} whenEmpty={<NothingYet />} />
        <Links title={t("wallet.more")} links={MORE} />
        <Links title={t("wallet.advanced")} links={ADVANCED} />
      </Page>
      <Outlet />
    </>
  );
}

/** What is about payments, and needed now and then. */
const MORE = [
  { to: "/wallet/send-many", icon: ListPlus, label: "batch.page" },
  { to: "/wallet/statement", icon: FileText, label: "statement.page" },
  { to: "/wallet/watched", icon: Eye, label: "watched.page" },
  { to: "/wallet/proof", icon: FileCheck, label: "proof.page" },
] as const;

const ADVANCED = [
  { to: "/wallet/assets", icon: Coins, label: "wallet.holdings" },
  { to: "/wallet/escrow", icon: Scale, label: "escrow.page" },
  { to: "/wallet/multisig", icon: UsersRound, label: "multisig.page" },
  { to: "/wallet/channels", icon: Waypoints, label: "wallet.channels" },
] as const;

function Links({ title, links }: { readonly title: string; readonly links: typeof MORE | typeof ADVANCED }): ReactElement {
  const t = useMessages();
  return (
    <Section title={title} bare>
      <div className={shared.buttons}>
        {links.map(({ to, icon, label }) => (
          <ButtonLink key={to} to={to} icon={icon} size="small">
            {t(label)}
          </ButtonLink>
        ))}
      </div>
    </Section>
  );
}

function NothingYet(): ReactElement {
  const t = useMessages();
  return (
    <EmptyState
      icon={Wallet}
      title={t("wallet.emptyTitle")}
      text={t("wallet.emptyText", { fee: amountText(t, useLeastFee()) })}
      actions={
        <>
          <ButtonLink to="/wallet/receive">{t("wallet.showAddress")}</ButtonLink>
          <FaucetButton variant="primary" />
        </>
      }
    />
  );
}
