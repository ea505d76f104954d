// The inbox: conversations on the left, one of them on the right.
import { Outlet, useParams } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Panes } from "#renderer/components/layout/panes.tsx";
import { ConversationList } from "./conversations/conversation-list.tsx";

export function InboxPage(): ReactElement {
  const { conversation } = useParams({ strict: false });
  return (
    <Panes shows={conversation === undefined ? "list" : "detail"} list={<ConversationList selected={conversation} />} detail={<Outlet />} />
  );
}
