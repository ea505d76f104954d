// The left side: chats, and apart from them what strangers wrote.
import { useNavigate } from "@tanstack/react-router";
import { Archive, ArrowDown, ArrowUp, Download, Ellipsis, Inbox, MessageSquareText, Search, SquarePen, Star, Upload } from "lucide-react";
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type ReactElement,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { ButtonLink } from "#renderer/components/controls/button-link.tsx";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { SegmentedControl } from "#renderer/components/controls/segmented-control.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { GrowingList } from "#renderer/components/layout/growing-list.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { Menu } from "#renderer/components/overlays/menu.tsx";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { addCommands } from "#renderer/lib/commands/command-store.ts";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useAllWords, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import type { ConversationSummary, MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { StarredDialogProps } from "../chat/starred/starred-dialog.tsx";
import styles from "../inbox.module.css";
import { type InboxTab, showTab, useInboxStore } from "../model/inbox-store.ts";
import type { BackupDialogProps } from "./backup-dialog.tsx";
import { conversationsOf, listInstead, listOf, neighbourOf } from "./conversation-order.ts";
import { ConversationRow } from "./conversation-row.tsx";
import type { RowMenusProps } from "./row-menu.tsx";
import type { SearchResultsProps } from "./search-results.tsx";

const BackupDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<BackupDialogProps> }> => ({
    default: (await import("./backup-dialog.tsx")).BackupDialog,
  }),
);
const SearchResults = lazy(
  async (): Promise<{ readonly default: ComponentType<SearchResultsProps> }> => ({
    default: (await import("./search-results.tsx")).SearchResults,
  }),
);

const StarredDialog = lazy(
  async (): Promise<{ readonly default: ComponentType<StarredDialogProps> }> => ({
    default: (await import("../chat/starred/starred-dialog.tsx")).StarredDialog,
  }),
);
const RowMenus = lazy(
  async (): Promise<{ readonly default: ComponentType<RowMenusProps> }> => ({ default: (await import("./row-menu.tsx")).RowMenus }),
);

const ROW_HEIGHT = 60;
/** Hardly ever shown. */
const StoreNote = lazy(async () => ({ default: (await import("./store-note.tsx")).StoreNote }));

/** Header, choice of list, list. */
export function ConversationList({ selected }: { readonly selected: ConversationId | undefined }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  const snapshot = useMessengerSnapshot();
  const messenger = useMessenger();
  const list = useRef<HTMLDivElement>(null);
  const isIdle = useIdle();
  const tab = useTab(snapshot, selected);
  const requests = conversationsOf("requests", snapshot.conversations);
  const archived = conversationsOf("archived", snapshot.conversations);
  const shown = conversationsOf(tab, snapshot.conversations);
  const [query, setQuery] = useState("");
  const isSearching = query.trim() !== "" && snapshot.phase === "running";
  useChatKeys(shown, selected);
  return (
    <>
      <PageHeader
        level="pane"
        title={t("inbox.title")}
        actions={
          <>
            <IconButton icon={SquarePen} label={t("inbox.new")} onClick={(): void => void navigate({ to: "/inbox/new" })} />
            <ListMenu isRunning={snapshot.phase === "running"} />
          </>
        }
      />
      {snapshot.phase === "running" && <SearchField query={query} onChange={setQuery} />}
      {!isSearching && (requests.length + archived.length > 0 || tab !== "chats") && (
        <div className={styles.tabs}>
          <SegmentedControl
            label={t("common.show")}
            value={tab}
            onChange={showTab}
            options={[
              { value: "chats", label: t("inbox.chats"), count: snapshot.totalUnread },
              ...(requests.length > 0 || tab === "requests"
                ? [{ value: "requests" as const, label: t("inbox.requests"), count: requests.length }]
                : []),
              ...(archived.length > 0 || tab === "archived" ? [{ value: "archived" as const, label: t("inbox.archived") }] : []),
            ]}
          />
        </div>
      )}
      <ConnectionNote snapshot={snapshot} />
      <div ref={list} className={styles.list}>
        {isSearching ? (
          <Suspense fallback={<SkeletonRows />}>
            <SearchResults text={query} conversations={snapshot.conversations} />
          </Suspense>
        ) : (
          <Rows tab={tab} conversations={shown} snapshot={snapshot} />
        )}
      </div>
      <Suspense fallback={null}>
        {isIdle && messenger !== undefined && snapshot.phase === "running" && (
          <RowMenus area={list} conversations={snapshot.conversations} messenger={messenger} />
        )}
      </Suspense>
    </>
  );
}

/** The chosen list; it follows the open conversation into the chats, and an empty list gives way to them. */
function useTab({ phase, conversations }: MessengerSnapshot, selected: ConversationId | undefined): InboxTab {
  const chosen = useInboxStore((store) => store.tab);
  const open = conversations.find(({ id }) => id === selected);
  const list = open && listOf(open);
  const before = useRef({ id: selected, list });
  const instead =
    phase === "running"
      ? listInstead(chosen, conversations, { before: before.current.id === selected ? before.current.list : undefined, now: list })
      : undefined;
  useEffect(() => {
    before.current = { id: selected, list };
    if (instead !== undefined) showTab(instead);
  }, [selected, list, instead]);
  return instead ?? chosen;
}

function ListMenu({ isRunning }: { readonly isRunning: boolean }): ReactElement | null {
  const t = useMessages();
  const messenger = useMessenger();
  const [backup, setBackup] = useState<"save" | "restore">();
  const [hasStarred, setStarred] = useState(false);
  const hasWords = useAllWords();
  if (messenger === undefined || !isRunning) return null;
  const starred = hasWords ? [{ label: t("chat.starred"), icon: Star, movesFocus: true, onSelect: (): void => setStarred(true) }] : [];
  const actions = [
    { label: t("inbox.backupSave"), icon: Download, onSelect: (): void => setBackup("save") },
    { label: t("inbox.backupRestore"), icon: Upload, onSelect: (): void => setBackup("restore") },
  ];
  return (
    <>
      <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t("inbox.moreAboutAll")} />} groups={[starred, actions]} />
      <Suspense fallback={null}>
        {hasStarred && <StarredDialog messenger={messenger} onClose={(): void => setStarred(false)} />}
        {backup !== undefined && <BackupDialog messenger={messenger} kind={backup} onClose={(): void => setBackup(undefined)} />}
      </Suspense>
    </>
  );
}

/** Mod, Shift and F lead into it, Escape empties it. */
function SearchField({ query, onChange }: { readonly query: string; readonly onChange: (text: string) => void }): ReactElement {
  const t = useMessages();
  const field = useRef<HTMLInputElement>(null);
  useShortcut("mod+shift+f", () => field.current?.focus());
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || query === "") return;
    event.stopPropagation();
    onChange("");
  };
  return (
    <search className={styles.search} onKeyDown={onKeyDown}>
      <TextField
        ref={field}
        label={t("inbox.search")}
        hideLabel
        type="search"
        value={query}
        onChange={onChange}
        placeholder={t("inbox.search")}
        affix={<Search size={15} aria-hidden="true" />}
      />
    </search>
  );
}

interface RowsProps {
  readonly tab: InboxTab;
  readonly conversations: readonly ConversationSummary[];
  readonly snapshot: MessengerSnapshot;
}

function Rows({ tab, conversations, snapshot }: RowsProps): ReactElement | null {
  const t = useMessages();
  if (snapshot.phase === "idle" || snapshot.phase === "starting") return <SkeletonRows />;
  if (snapshot.phase !== "running") return null;
  if (conversations.length === 0) return <NoConversations tab={tab} />;
  return (
    <GrowingList
      key={tab}
      label={t(`inbox.${tab}`)}
      items={conversations}
      keyOf={({ id }): string => id}
      estimateSize={ROW_HEIGHT}
      renderItem={(conversation): ReactElement => <ConversationRow conversation={conversation} />}
    />
  );
}

function NoConversations({ tab }: { readonly tab: InboxTab }): ReactElement {
  const t = useMessages();
  if (tab === "requests") return <EmptyState icon={Inbox} title={t("contacts.noRequests")} text={t("inbox.noRequestsText")} />;
  if (tab === "archived") return <EmptyState icon={Archive} title={t("inbox.noArchived")} text={t("inbox.noArchivedText")} />;
  return (
    <EmptyState
      icon={MessageSquareText}
      title={t("inbox.emptyTitle")}
      text={t("inbox.emptyText")}
      actions={<ButtonLink to="/contacts/new">{t("contacts.add")}</ButtonLink>}
    />
  );
}

function ConnectionNote({ snapshot }: { readonly snapshot: MessengerSnapshot }): ReactElement | null {
  const t = useMessages();
  if (snapshot.phase !== "running") return null;
  const [finding] = snapshot.storeFindings;
  if (finding !== undefined)
    return (
      <Suspense>
        <StoreNote finding={finding} />
      </Suspense>
    );
  const note = connectionNote(snapshot);
  if (note === undefined) return null;
  return (
    <div className={styles.note}>
      <Banner tone={WARNINGS.includes(note) ? "warning" : "neutral"}>{t(note)}</Banner>
    </div>
  );
}

const WARNINGS: readonly PlainMessageKey[] = ["inbox.problem", "inbox.ownDeviceCopied"];

function connectionNote({ problem, isOnline, isDevicePublished, isOwnDeviceCopied }: MessengerSnapshot): PlainMessageKey | undefined {
  if (isOwnDeviceCopied) return "inbox.ownDeviceCopied";
  if (problem !== null) return "inbox.problem";
  if (!isOnline) return "inbox.offline";
  return isDevicePublished === false ? "inbox.notPublished" : undefined;
}

/** Alt and an arrow lead to the chat above or below, with Shift to the next unread one. */
function useChatKeys(conversations: readonly ConversationSummary[], selected: ConversationId | undefined): void {
  const t = useMessages();
  const navigate = useNavigate();
  const go = useEffectEvent((step: 1 | -1, isUnreadOnly: boolean): void => {
    const next = neighbourOf(conversations, selected, { step, isUnreadOnly });
    if (next !== undefined) void navigate({ to: "/inbox/$conversation", params: { conversation: next } });
  });
  useEffect(
    () =>
      addCommands([
        {
          id: "chat-next",
          group: "go",
          label: t("inbox.commandNext"),
          icon: ArrowDown,
          shortcut: "alt+arrowdown",
          run: () => go(1, false),
        },
        {
          id: "chat-previous",
          group: "go",
          label: t("inbox.commandPrevious"),
          icon: ArrowUp,
          shortcut: "alt+arrowup",
          run: () => go(-1, false),
        },
      ]),
    [t],
  );
  useShortcut("alt+shift+arrowdown", () => go(1, true));
  useShortcut("alt+shift+arrowup", () => go(-1, true));
}
