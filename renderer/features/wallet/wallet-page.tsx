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

export function WalletPage(): ReactElement {
  const t = useMessages();
  const { masterPub } = useAccount();
  return (
    <>
      <Page header={<PageHeader title={t("wallet.title")} actions={<AddressChip publicKey={masterPub} />} />}>
        <BalanceHead account={masterPub} />
        <HoldingsSection account={masterPub} />
        <ActivitySection account={masterPub} whenEmpty={<NothingYet />} />
        <MoreSection />
        <AdvancedSection />
      </Page>
      <Outlet />
    </>
  );
}

/** What is about payments, and needed now and then. */
function MoreSection(): ReactElement {
  const t = useMessages();
  return (
    <Section title={t("wallet.more")} bare>
      <div className={shared.buttons}>
        <ButtonLink to="/wallet/send-many" icon={ListPlus} size="small">
          {t("batch.page")}
        </ButtonLink>
        <ButtonLink to="/wallet/statement" icon={FileText} size="small">
          {t("statement.page")}
        </ButtonLink>
        <ButtonLink to="/wallet/watched" icon={Eye} size="small">
          {t("watched.page")}
        </ButtonLink>
        <ButtonLink to="/wallet/proof" icon={FileCheck} size="small">
          {t("proof.page")}
        </ButtonLink>
      </div>
    </Section>
  );
}

function AdvancedSection(): ReactElement {
  const t = useMessages();
  return (
    <Section title={t("wallet.advanced")} bare>
      <div className={shared.buttons}>
        <ButtonLink to="/wallet/assets" icon={Coins} size="small">
          {t("wallet.holdings")}
        </ButtonLink>
        <ButtonLink to="/wallet/escrow" icon={Scale} size="small">
          {t("escrow.page")}
        </ButtonLink>
        <ButtonLink to="/wallet/multisig" icon={UsersRound} size="small">
          {t("multisig.page")}
        </ButtonLink>
        <ButtonLink to="/wallet/channels" icon={Waypoints} size="small">
          {t("wallet.channels")}
        </ButtonLink>
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
