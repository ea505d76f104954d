// The left side: chats, and apart from them what strangers wrote.
import { useNavigate } from "@tanstack/react-router";
import { Archive, ArrowDown, ArrowUp, Ellipsis, Folder, MessageSquareText, Search, SquarePen } from "lucide-react";
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
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { Banner } from "#renderer/components/feedback/banner.tsx";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { GrowingList } from "#renderer/components/layout/growing-list.tsx";
import { PageHeader } from "#renderer/components/layout/page-header.tsx";
import { EmptyPane } from "#renderer/components/layout/panes.tsx";
import { useRowSize } from "#renderer/components/layout/row-size.ts";
import { useIdle } from "#renderer/lib/browser/use-idle.ts";
import { addCommands } from "#renderer/lib/commands/command-store.ts";
import { useShortcut } from "#renderer/lib/commands/use-shortcut.ts";
import type { PlainMessageKey } from "#renderer/lib/messages/catalogue.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { useMessenger, useMessengerSnapshot, useMessengerValue } from "#renderer/lib/messenger/messenger-context.tsx";
import type { ConversationSummary, MessengerSnapshot } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import styles from "../inbox.module.css";
import { ChosenFilters, FilterButton } from "../messages/search/filter-button.tsx";
import { hasFilters, NO_FILTERS, type SearchFilters } from "../messages/search/filter-choice.ts";
import { type InboxTab, isFolderTab, showTab, useInboxStore } from "../model/inbox-store.ts";
import { conversationsOf, listInstead, listOf, neighbourOf } from "./conversation-order.ts";
import { ConversationRow } from "./conversation-row.tsx";
import { ListTabs, nameOfTab } from "./list-tabs.tsx";
import type { RowMenusProps } from "./row-menu.tsx";
import type { SearchResultsProps } from "./search-results.tsx";

const SearchResults = lazy(
  async (): Promise<{ readonly default: ComponentType<SearchResultsProps> }> => ({
    default: (await import("./search-results.tsx")).SearchResults,
  }),
);

const RowMenus = lazy(
  async (): Promise<{ readonly default: ComponentType<RowMenusProps> }> => ({ default: (await import("./row-menu.tsx")).RowMenus }),
);

const ListMenu = lazy(async () => ({ default: (await import("./list-menu.tsx")).ListMenu }));

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
  const shown = conversationsOf(tab, snapshot.conversations);
  const [query, setQuery] = useState("");
  const [filters, setFilters] = useState(NO_FILTERS);
  const isSearching = (query.trim() !== "" || hasFilters(filters)) && snapshot.phase === "running";
  useChatKeys(shown, selected);
  // What is there once the messenger runs has its place from the start.
  const isToRun = snapshot.phase === "idle" || snapshot.phase === "starting" || snapshot.phase === "running";
  return (
    <>
      <PageHeader
        level="pane"
        title={t("inbox.title")}
        actions={
          <>
            <IconButton icon={SquarePen} label={t("inbox.new")} onClick={(): void => void navigate({ to: "/inbox/new" })} />
            {isToRun && (
              <Suspense fallback={<ListMenuToCome />}>
                {isIdle && snapshot.phase === "running" ? <ListMenu /> : <ListMenuToCome />}
              </Suspense>
            )}
          </>
        }
      />
      {isToRun && <SearchField query={query} onChange={setQuery} filters={filters} onFilter={setFilters} />}
      {!isSearching && <ListTabs tab={tab} snapshot={snapshot} />}
      <div ref={list} className={styles.list}>
        {isSearching ? (
          <Suspense fallback={<SkeletonRows />}>
            <SearchResults text={query} filters={filters} conversations={snapshot.conversations} />
          </Suspense>
        ) : (
          <Rows tab={tab} conversations={shown} snapshot={snapshot} />
        )}
      </div>
      <ConnectionNote snapshot={snapshot} />
      <Suspense fallback={null}>
        {isIdle && messenger !== undefined && snapshot.phase === "running" && (
          <RowMenus area={list} conversations={snapshot.conversations} messenger={messenger} />
        )}
      </Suspense>
    </>
  );
}

/** The button of the menu in its place. */
function ListMenuToCome(): ReactElement {
  const t = useMessages();
  return <IconButton icon={Ellipsis} label={t("inbox.moreAboutAll")} disabled />;
}

/** The chosen list; it follows the open conversation into the chats, and an empty list gives way to them. */
function useTab({ phase, conversations, folders }: MessengerSnapshot, selected: ConversationId | undefined): InboxTab {
  const chosen = useInboxStore((store) => store.tab);
  const open = conversations.find(({ id }) => id === selected);
  const list = open && listOf(open);
  const before = useRef({ id: selected, list });
  const instead =
    phase === "running"
      ? listInstead(chosen, conversations, { before: before.current.id === selected ? before.current.list : undefined, now: list, folders })
      : undefined;
  useEffect(() => {
    before.current = { id: selected, list };
    if (instead !== undefined) showTab(instead);
  }, [selected, list, instead]);
  return instead ?? chosen;
}

interface SearchFieldProps {
  readonly query: string;
  readonly onChange: (text: string) => void;
  readonly filters: SearchFilters;
  readonly onFilter: (filters: SearchFilters) => void;
}

/** Mod, Shift and F lead into it, Escape empties it. */
function SearchField({ query, onChange, filters, onFilter }: SearchFieldProps): ReactElement {
  const t = useMessages();
  const field = useRef<HTMLInputElement>(null);
  useShortcut("mod+shift+f", () => field.current?.focus());
  const onKeyDown = (event: KeyboardEvent): void => {
    // What opens above the field has keys of its own.
    if (event.key !== "Escape" || event.target !== field.current || (query === "" && !hasFilters(filters))) return;
    event.stopPropagation();
    onChange("");
    onFilter(NO_FILTERS);
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
      <FilterButton filters={filters} onChange={onFilter} />
      <ChosenFilters filters={filters} onChange={onFilter} />
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
  const { row } = useRowSize();
  if (snapshot.phase === "idle" || snapshot.phase === "starting") return <SkeletonRows />;
  if (snapshot.phase !== "running") return null;
  if (conversations.length === 0)
    return (
      <EmptyPane>
        <NoConversations tab={tab} />
      </EmptyPane>
    );
  return (
    <GrowingList
      key={tab}
      label={nameOfTab(t, tab, snapshot.folders)}
      items={conversations}
      keyOf={({ id }): string => id}
      estimateSize={row}
      renderItem={(conversation): ReactElement => <ConversationRow conversation={conversation} />}
    />
  );
}

function NoConversations({ tab }: { readonly tab: InboxTab }): ReactElement {
  const t = useMessages();
  const isFirst = useMessengerValue(({ conversations }) => conversations.length === 0);
  if (isFolderTab(tab)) return <EmptyState icon={Folder} title={t("inbox.emptyFolder")} text={t("inbox.emptyFolderText")} />;
  if (tab === "archived") return <EmptyState icon={Archive} title={t("inbox.noArchived")} text={t("inbox.noArchivedText")} />;
  return (
    <EmptyState
      icon={MessageSquareText}
      title={t("inbox.emptyTitle")}
      text={t("inbox.emptyText")}
      actions={
        // The card of the first steps beside it has the same.
        <span className={isFirst ? styles.onlyAlone : undefined}>
          <ButtonLink to="/contacts/new">{t("contacts.add")}</ButtonLink>
        </span>
      }
    />
  );
}

/** Below the list, where it comes and goes without moving a row. */
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

function connectionNote({
  problem,
  isOnline,
  isDevicePublished,
  isOwnDeviceCopied,
  needsUpdate,
}: MessengerSnapshot): PlainMessageKey | undefined {
  if (isOwnDeviceCopied) return "inbox.ownDeviceCopied";
  if (problem !== null) return "inbox.problem";
  if (!isOnline) return "inbox.offline";
  if (isDevicePublished === false) return "inbox.notPublished";
  return needsUpdate ? "inbox.needsUpdate" : undefined;
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
