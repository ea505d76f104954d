// Search within the open chat: what was found is stepped through, the newest first.
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";
import { IconButton } from "#renderer/components/controls/icon-button.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { FoundMessage } from "#shared/messenger/model/conversation.ts";
import type { ConversationId } from "#shared/messenger/model/message.ts";
import styles from "../inbox.module.css";
import { ChosenFilters, FilterButton } from "../messages/search/filter-button.tsx";
import { hasFilters, NO_FILTERS } from "../messages/search/filter-choice.ts";
import { filterOf } from "../messages/search/search-filters.ts";
import { jumpTo, markWords } from "../model/chat-intent-store.ts";
import { MOST_FOUND, useMessageSearch } from "../model/use-message-search.ts";

export interface ChatSearchProps {
  readonly id: ConversationId;
  readonly onClose: () => void;
}

/** The bar below the header. */
export function ChatSearch({ id, onClose }: ChatSearchProps): ReactElement {
  const t = useMessages();
  const [text, setText] = useState("");
  const [filters, setFilters] = useState(NO_FILTERS);
  const [index, setIndex] = useState(0);
  const { hits, isSearching, hasFailed } = useMessageSearch(text, { ...filterOf(filters), conversation: id });
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    setIndex(0);
    show(id, hits[0]);
  }, [id, hits]);
  useEffect(() => {
    markWords(id, text);
    return (): void => markWords(id, "");
  }, [id, text]);
  const step = (by: 1 | -1): void => {
    const next = Math.min(hits.length - 1, Math.max(0, index + by));
    setIndex(next);
    show(id, hits[next]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // What opens above the bar has keys of its own.
    if (event.target !== field.current) return;
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const found = hasFailed
    ? t("inbox.searchFailed")
    : hits.length === 0
      ? t("inbox.nothingFound")
      : t("inbox.foundAt", { index: String(index + 1), total: hits.length < MOST_FOUND ? hits.length : `${MOST_FOUND}+` });
  return (
    <search className={styles.searchBar} onKeyDown={onKeyDown}>
      <TextField
        ref={field}
        label={t("inbox.searchChat")}
        hideLabel
        type="search"
        value={text}
        onChange={setText}
        placeholder={t("inbox.searchChat")}
      />
      <span className={styles.searchCount} role="status">
        {(text.trim() === "" && !hasFilters(filters)) || isSearching ? "" : found}
      </span>
      <FilterButton isOfChat filters={filters} onChange={setFilters} />
      <IconButton icon={ChevronUp} label={t("inbox.olderHit")} disabled={index >= hits.length - 1} onClick={(): void => step(1)} />
      <IconButton icon={ChevronDown} label={t("inbox.newerHit")} disabled={index <= 0} onClick={(): void => step(-1)} />
      <IconButton icon={X} label={t("common.close")} onClick={onClose} />
      <ChosenFilters isOfChat filters={filters} onChange={setFilters} />
    </search>
  );
}

function show(id: ConversationId, hit: FoundMessage | undefined): void {
  if (hit !== undefined) jumpTo({ conversation: id, key: hit.key, at: hit.at });
}
