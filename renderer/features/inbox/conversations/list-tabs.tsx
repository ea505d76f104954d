// The choice among all chats, folders and the archive, where there is more than the first, and the way to what strangers wrote.
import { Inbox } from "lucide-react";
import { type ReactElement, useEffect, useEffectEvent, useRef } from "react";
import { Badge } from "#renderer/components/basics/badge.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { ListRowLink } from "#renderer/components/layout/list-row.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useWaitingRequests } from "#renderer/lib/people/contacts/waiting-requests.ts";
import type { ChatFolder } from "#shared/content/chat/folder-content.ts";
import { countedIn, type MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import styles from "../inbox.module.css";
import { folderTab, type InboxTab, isFolderTab, showTab } from "../model/inbox-store.ts";
import { conversationsOf } from "./conversation-order.ts";

const MAX_TAB_CHARS = 24;

export interface ListTabsProps {
  readonly tab: InboxTab;
  readonly snapshot: MessengerSnapshot;
}

/** The tabs; Alt and Page Down or Up lead from one to the next. */
export function ListTabs({ tab, snapshot }: ListTabsProps): ReactElement | null {
  const t = useMessages();
  const { conversations, folders, totalUnread } = snapshot;
  const { count } = useWaitingRequests();
  // Who paid to ask may have written too.
  const hasWritten = count > 0 && conversations.some(({ isRequest, isArchived, isBlocked }) => isRequest && !isArchived && !isBlocked);
  const hasArchived = conversationsOf("archived", conversations).length > 0;
  const nowMs = Date.now();
  const unreadIn = (id: string): number =>
    conversationsOf(folderTab(id), conversations).reduce((sum, conversation) => sum + countedIn(conversation, nowMs), 0);
  const options = [
    { value: "chats" as InboxTab, label: nameOfTab(t, "chats", folders), count: totalUnread },
    ...folders.map(({ id }) => ({ value: folderTab(id), label: fitting(nameOfTab(t, folderTab(id), folders)), count: unreadIn(id) })),
    ...(hasArchived || tab === "archived" ? [{ value: "archived" as const, label: t("inbox.archived") }] : []),
  ];
  const go = (step: 1 | -1): void => {
    const next = options[options.findIndex(({ value }) => value === tab) + step];
    if (next !== undefined) showTab(next.value);
  };
  useShortcut("alt+pagedown", () => go(1));
  useShortcut("alt+pageup", () => go(-1));
  const area = useRef<HTMLDivElement>(null);
  const showChosen = useEffectEvent(() =>
    area.current?.querySelector("label:has(:checked)")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
  );
  useEffect(() => {
    if (tab !== "chats") showChosen();
  }, [tab]);
  return (
    <>
      {options.length > 1 && (
        <div ref={area} className={styles.tabs}>
          <SegmentedControl label={t("common.show")} value={tab} onChange={showTab} options={options} />
        </div>
      )}
      {hasWritten && tab === "chats" && (
        <div className={styles.requests}>
          <ListRowLink
            to="/contacts/requests"
            leading={<Inbox size={17} aria-hidden="true" className={shared.muted} />}
            heading={t("inbox.requests")}
            trailing={<Badge tone="accent">{count}</Badge>}
          />
        </div>
      )}
    </>
  );
}

/** A name may be longer than the column is wide. */
function fitting(name: string): string {
  const characters = [...name];
  return characters.length <= MAX_TAB_CHARS ? name : `${characters.slice(0, MAX_TAB_CHARS).join("")}…`;
}

/** The name of a list. With folders, all chats are the first of them. */
export function nameOfTab(t: Translate, tab: InboxTab, folders: readonly ChatFolder[]): string {
  if (isFolderTab(tab)) return visibleText(folders.find(({ id }) => folderTab(id) === tab)?.name ?? "");
  if (tab === "chats") return t(folders.length > 0 ? "inbox.allChats" : "inbox.chats");
  return t("inbox.archived");
}
