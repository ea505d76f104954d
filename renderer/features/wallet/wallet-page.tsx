// The wallet: balance, actions, activity. Sending, receiving and single entries open above it.

import { Outlet, useNavigate } from "@tanstack/react-router";
import { Coins, Ellipsis, Eye, FileCheck, FileText, ListPlus, Scale, UsersRound, Wallet, Waypoints } from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Page } from "#renderer/components/layout/panes.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import { AddressChip } from "#renderer/components/people/address-chip.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { amountText } from "#renderer/lib/format/amount.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useLeastFee } from "#renderer/lib/transactions/sending/use-least-fee.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
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
      <Page header={<PageHeader title={t("wallet.title")} actions={<Actions account={masterPub} />} />}>
        <BalanceHead account={masterPub} />
        <WaitingPayments />
        <HoldingsSection account={masterPub} />
        <PaymentLinks />
        <ActivitySection account={masterPub} whenEmpty={<NothingYet />} />
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

/** The address, and views that few need. Nothing stands below the activity: that loads on at its end. */
function Actions({ account }: { readonly account: PublicKeyHex }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const advanced = ADVANCED.map(({ to, icon, label }) => ({
    label: t(label),
    icon,
    movesFocus: true,
    onSelect: (): void => void navigate({ to }),
  }));
  return (
    <>
      <AddressChip publicKey={account} />
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("wallet.advanced")} />} groups={[advanced]} />
    </>
  );
}

function PaymentLinks(): ReactElement {
  const t = useMessages();
  return (
    <nav aria-label={t("wallet.more")} className={shared.buttons}>
      {MORE.map(({ to, icon, label }) => (
        <ButtonLink key={to} to={to} icon={icon} size="small">
          {t(label)}
        </ButtonLink>
      ))}
    </nav>
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
