// Choosing what a search is narrowed to. It holds at once.
import type { ReactElement } from "react";
import { Button } from "#renderer/components/controls/button.tsx";
import { Checkbox } from "#renderer/components/controls/checkbox.tsx";
import { Select } from "#renderer/components/controls/select.tsx";
import { TextField } from "#renderer/components/controls/text-field.tsx";
import shared from "#renderer/components/styles/shared.module.css";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { useMessengerSnapshot } from "#renderer/lib/messenger/messenger-context.tsx";
import { useChatNames } from "#renderer/lib/people/names/use-chat-names.ts";
import { SEARCH_KINDS, type SearchKind } from "#shared/messenger/store/search/search-text.ts";
import { hasFilters, NO_FILTERS, type SearchFilters } from "./filter-choice.ts";
import styles from "./filters.module.css";

/** Chats that can be chosen, the newest. */
const MAX_CHATS = 100;
const ALL = "all";

export interface FilterFormProps {
  readonly filters: SearchFilters;
  readonly onChange: (filters: SearchFilters) => void;
  /** The search is one in a chat. */
  readonly isOfChat?: boolean;
}

export function FilterForm(props: FilterFormProps): ReactElement {
  return (
    <WithAllWords>
      <Form {...props} />
    </WithAllWords>
  );
}

function Form({ filters, onChange, isOfChat = false }: FilterFormProps): ReactElement {
  const t = useMessages();
  const change = (changes: Partial<SearchFilters>): void => onChange({ ...filters, ...changes });
  const toggle = (kind: SearchKind, isChosen: boolean): void =>
    change({ kinds: SEARCH_KINDS.filter((other) => (other === kind ? isChosen : filters.kinds.includes(other))) });
  return (
    <div className={styles.form}>
      {!isOfChat && <ChatChoice chosen={filters.conversation} onChoose={(conversation): void => change({ conversation })} />}
      <fieldset className={styles.kinds}>
        <legend className={shared.medium}>{t("chat.filterKind")}</legend>
        {SEARCH_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={t(`chat.filter.${kind}`)}
            checked={filters.kinds.includes(kind)}
            onChange={(isChosen): void => toggle(kind, isChosen)}
          />
        ))}
      </fieldset>
      <div className={styles.days}>
        <TextField label={t("chat.filterFrom")} type="date" value={filters.fromDay} onChange={(fromDay): void => change({ fromDay })} />
        <TextField label={t("chat.filterTo")} type="date" value={filters.toDay} onChange={(toDay): void => change({ toDay })} />
      </div>
      <Button size="small" disabled={!hasFilters(filters)} onClick={(): void => onChange(NO_FILTERS)}>
        {t("chat.filterClear")}
      </Button>
    </div>
  );
}

function ChatChoice(props: { readonly chosen: string | null; readonly onChoose: (id: string | null) => void }): ReactElement {
  const t = useMessages();
  const chats = useMessengerSnapshot()
    .conversations.filter(({ isRequest, isBlocked }) => !isRequest && !isBlocked)
    .slice(0, MAX_CHATS)
    .map(({ id }) => id);
  const nameOf = useChatNames(chats);
  return (
    <Select
      label={t("chat.filterChat")}
      options={[{ value: ALL, label: t("chat.filterAll") }, ...chats.map((id) => ({ value: id, label: nameOf(id) }))]}
      value={props.chosen ?? ALL}
      onChange={(id): void => props.onChoose(id === ALL ? null : id)}
    />
  );
}
