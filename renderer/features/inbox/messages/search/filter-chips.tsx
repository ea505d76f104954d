// The filters of a search that are chosen; a press takes one away.
import { X } from "lucide-react";
import type { MouseEvent, ReactElement } from "react";
import { dateFormat } from "#renderer/lib/format/formatters.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useChatNames } from "#renderer/lib/people/names/use-chat-names.ts";
import type { FilterFormProps } from "./filter-form.tsx";
import styles from "./filters.module.css";
import { filterOf, NO_FILTERS, type SearchFilters } from "./search-filters.ts";

const DAY_MS = 86_400_000;

export function FilterChips(props: FilterFormProps): ReactElement {
  return (
    <WithAllWords>
      <Chips {...props} />
    </WithAllWords>
  );
}

function Chips({ filters, onChange }: FilterFormProps): ReactElement {
  const t = useMessages();
  const { conversation, kinds } = filters;
  const nameOf = useChatNames(conversation === null ? [] : [conversation]);
  const { from, before } = filterOf(filters);
  const day = (timeMs: number): string => dateFormat(t.locale, { day: "numeric", month: "short", year: "numeric" }).format(timeMs);
  const without = (changes: Partial<SearchFilters>): SearchFilters => ({ ...filters, ...changes });
  const chips: readonly (readonly [string, SearchFilters])[] = [
    ...(conversation === null ? [] : [[nameOf(conversation), without({ conversation: NO_FILTERS.conversation })] as const]),
    ...kinds.map((kind) => [t(`chat.filter.${kind}`), without({ kinds: kinds.filter((other) => other !== kind) })] as const),
    ...(from === undefined ? [] : [[t("chat.filterSince", { date: day(from) }), without({ fromDay: "" })] as const]),
    ...(before === undefined ? [] : [[t("chat.filterUntil", { date: day(before - DAY_MS / 2) }), without({ toDay: "" })] as const]),
  ];
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>, rest: SearchFilters): void => {
    // The chip goes, and the focus to the field beside it.
    currentTarget.closest("search")?.querySelector("input")?.focus();
    onChange(rest);
  };
  return (
    <ul className={styles.chips} aria-label={t("inbox.filters")}>
      {chips.map(([label, rest]) => (
        <li key={label}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t("chat.filterRemove", { filter: label })}
            onClick={(event): void => remove(event, rest)}
          >
            <bdi className={styles.label}>{label}</bdi>
            <X size={13} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
