// The view "Wallet".
import type { ReactElement } from "react";
import { PageHeader } from "#renderer/components/page-header.tsx";
import { Page } from "#renderer/components/panes.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** The view. */
export function WalletPage(): ReactElement {
  const t = useMessages();
  return <Page header={<PageHeader title={t("wallet.title")} />}>{null}</Page>;
}
