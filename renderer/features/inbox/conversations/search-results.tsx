// What the search of the inbox found: conversations by name, then messages by their words.
import { useNavigate } from "@tanstack/react-router";
import { Link2, SearchX } from "lucide-react";
import { type ReactElement, useRef } from "react";
import { EmptyState } from "#renderer/components/feedback/empty-state.tsx";
import { SkeletonRows } from "#renderer/components/feedback/skeleton.tsx";
import { ListRow } from "#renderer/components/layout/list-row.tsx";
import { EmptyPane } from "#renderer/components/layout/panes.tsx";
import { VirtualList } from "#renderer/components/layout/virtual-list.tsx";
import { PictureSymbol } from "#renderer/components/people/group-picture.tsx";
import { useNow } from "#renderer/lib/browser/use-now.ts";
import { useLanguage, useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { dataOfInvite } from "#renderer/lib/people/group-invite.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import type { ConversationSummary, FoundMessage } from "#shared/messenger/model/conversation.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "../inbox.module.css";
import type { SearchFilters } from "../messages/search/filter-choice.ts";
import { chatsFound, filterOf } from "../messages/search/search-filters.ts";
import { useFoundWords } from "../messages/search/use-found-words.ts";
import { jumpTo } from "../model/chat-intent-store.ts";
import { ConversationPicture, useConversationHeader } from "../model/conversation-header.tsx";
import { excerptOf } from "../model/found-excerpt.ts";
import { formatListTime } from "../model/list-time.ts";
import { useMessageSearch } from "../model/use-message-search.ts";
import { useNameOf } from "../model/use-name-of.ts";
import { ConversationRow } from "./conversation-row.tsx";

const ROW_HEIGHT = 56;
const NO_PEOPLE: readonly PublicKeyHex[] = [];
const MINUTE_MS = 60_000;

export interface SearchResultsProps {
  readonly text: string;
  readonly filters: SearchFilters;
  readonly conversations: readonly ConversationSummary[];
}

type Item = { readonly conversation: ConversationSummary } | { readonly hit: FoundMessage };

export function SearchResults({ text, filters, conversations }: SearchResultsProps): ReactElement {
  const t = useMessages();
  const { hits, isSearching, hasFailed } = useMessageSearch(text, filterOf(filters));
  const invite = dataOfInvite(text);
  const named = useNamed(text, chatsFound(text, filters, conversations));
  const list = useRef<HTMLDivElement>(null);
  useFoundWords(list, "div", text);
  const items: readonly Item[] = [...named.map((conversation) => ({ conversation })), ...hits.map((hit) => ({ hit }))];
  const rows = (
    <VirtualList
      label={t("inbox.found")}
      items={items}
      keyOf={(item): string => ("hit" in item ? item.hit.key : item.conversation.id)}
      estimateSize={ROW_HEIGHT}
      renderItem={(item): ReactElement =>
        "hit" in item ? <HitRow hit={item.hit} text={text} /> : <ConversationRow conversation={item.conversation} />
      }
    />
  );
  const nothing = isSearching ? (
    <SkeletonRows />
  ) : (
    <EmptyPane>
      <EmptyState icon={SearchX} title={hasFailed ? t("inbox.searchFailed") : t("inbox.nothingFound")} text={t("inbox.searchText")} />
    </EmptyPane>
  );
  if (invite !== undefined) return <FoundInvite data={invite} />;
  return (
    <div ref={list} className={styles.results}>
      {items.length === 0 ? nothing : rows}
    </div>
  );
}

/** What was pasted is the invite link of a group. */
function FoundInvite({ data }: { readonly data: string }): ReactElement {
  const t = useMessages();
  const navigate = useNavigate();
  return (
    <ListRow
      onClick={(): void => void navigate({ to: "/inbox/join", hash: data })}
      leading={<PictureSymbol icon={Link2} size={40} />}
      heading={t("inbox.inviteCard")}
      subtitle={t("inbox.inviteOpen")}
    />
  );
}

/** Conversations whose name has the text in it. */
function useNamed(text: string, conversations: readonly ConversationSummary[]): readonly ConversationSummary[] {
  const t = useMessages();
  const names = useNames(conversations.flatMap(({ peer }) => (peer === null ? [] : [peer])));
  const wanted = text.trim().toLowerCase();
  return conversations.filter(({ kind, peer, group }) => {
    const ofPerson = peer === null ? "" : names.get(peer);
    const name = kind === "self" ? t("inbox.noteToSelf") : (group?.name ?? ofPerson ?? "");
    return name.toLowerCase().includes(wanted);
  });
}

function HitRow({ hit, text }: { readonly hit: FoundMessage; readonly text: string }): ReactElement {
  const t = useMessages();
  const language = useLanguage();
  const navigate = useNavigate();
  const now = useNow(MINUTE_MS);
  const { conversation, key, at, direction, author, body } = hit;
  const nameOf = useNameOf(author === null ? NO_PEOPLE : [author]);
  const header = useConversationHeader(conversation);
  const excerpt = excerptOf(t, body, text);
  const isNamed = direction === "out" && header.kind !== "self";
  const own = isNamed ? t("inbox.you", { text: excerpt }) : excerpt;
  const byline = author === null ? own : t("inbox.noteBy", { who: nameOf(author), text: excerpt });
  const open = (): void => {
    jumpTo({ conversation, key, at, words: text });
    // The router would put the list back to where it was.
    void navigate({ to: "/inbox/$conversation", params: { conversation }, resetScroll: false });
  };
  return (
    <ListRow
      onClick={open}
      leading={<ConversationPicture header={header} size={40} />}
      heading={header.name}
      meta={<time dateTime={new Date(at).toISOString()}>{formatListTime(language, at, now)}</time>}
      subtitle={<bdi>{byline}</bdi>}
    />
  );
}
