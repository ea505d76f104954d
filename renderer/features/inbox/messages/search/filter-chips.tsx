// The filters of a search that are chosen; a press takes one away.
import { X } from "lucide-react";
import type { MouseEvent, ReactElement } from "react";
import { dateFormat } from "#renderer/lib/format/formatters.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useChatNames } from "#renderer/lib/people/names/use-chat-names.ts";
import type { SearchFilters } from "./filter-choice.ts";
import type { FilterFormProps } from "./filter-form.tsx";
import styles from "./filters.module.css";
import { type ChosenFilter, chosenFilters, filterOf } from "./search-filters.ts";

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
  const { conversation } = filters;
  const nameOf = useChatNames(conversation === null ? [] : [conversation]);
  const { from = 0, before = 0 } = filterOf(filters);
  const day = (timeMs: number): string => dateFormat(t.locale, { day: "numeric", month: "short", year: "numeric" }).format(timeMs);
  const labelOf = (part: ChosenFilter["part"]): string => {
    if (part === "conversation") return nameOf(conversation ?? "");
    if (part === "fromDay") return t("chat.filterSince", { date: day(from) });
    return part === "toDay" ? t("chat.filterUntil", { date: day(before - DAY_MS / 2) }) : t(`chat.filter.${part}`);
  };
  const remove = ({ currentTarget }: MouseEvent<HTMLElement>, rest: SearchFilters): void => {
    // The chip goes, and the focus to the field beside it.
    currentTarget.closest("search")?.querySelector("input")?.focus();
    onChange(rest);
  };
  return (
    <ul className={styles.chips} aria-label={t("inbox.filters")}>
      {chosenFilters(filters).map(({ part, rest }) => (
        <li key={part}>
          <button
            type="button"
            className={styles.chip}
            aria-label={t("chat.filterRemove", { filter: labelOf(part) })}
            onClick={(event): void => remove(event, rest)}
          >
            <bdi className={styles.label}>{labelOf(part)}</bdi>
            <X size={13} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
