// The view "Inbox".
import type { ReactElement } from "react";
import { PageHeader } from "#renderer/components/page-header.tsx";
import { Page } from "#renderer/components/panes.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";

/** The view. */
export function InboxPage(): ReactElement {
  const t = useMessages();
  return <Page header={<PageHeader title={t("inbox.title")} />}>{null}</Page>;
}
