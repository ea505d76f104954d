// The people of a group whom an "@" can name, above the text field. The focus stays in the field, which tells where one is in the list.
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useId, useImperativeHandle, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { withNames } from "#shared/content/chat/mention-content.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import styles from "./mention-list.module.css";
import type { MentionPort } from "./mention-port.ts";
import { type Mentionable, type MentionQuery, matchingPeople, mentionQuery, sentText } from "./mention-text.ts";
import { useMentionables } from "./use-mentionables.ts";

export interface MentionListProps {
  readonly members: readonly PublicKeyHex[];
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly port: RefObject<MentionPort | null>;
  /** Puts a text into the field, with the caret at a place. */
  readonly onChange: (text: string, caret: number) => void;
}

/** The list while a name is being typed. */
export function MentionList({ members, field, text, port, onChange }: MentionListProps): ReactElement | null {
  const t = useMessages();
  const listId = useId();
  const people = useMentionables(members);
  const query = useQuery(field, text);
  const [left, setLeft] = useState<number>();
  const [chosen, setChosen] = useState({ name: "", index: 0 });
  const matches = query === undefined || query.start === left ? [] : matchingPeople(people, query.name);
  const active = chosen.name === query?.name ? Math.min(chosen.index, matches.length - 1) : 0;
  const isOpen = matches.length > 0;
  useEffect(() => {
    if (query === undefined) setLeft(undefined);
  }, [query]);
  const pick = ({ label }: Mentionable): void => {
    if (query === undefined) return;
    const behind = text.slice(query.start + 1 + query.name.length);
    const named = `${text.slice(0, query.start)}@${label}`;
    const space = behind.startsWith(" ") ? "" : " ";
    setLeft(query.start);
    onChange(named + space + behind, named.length + 1);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const action = isOpen && !event.nativeEvent.isComposing ? ACTIONS[event.key] : undefined;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const match = matches[active];
    if (action === undefined || !isPlain || query === undefined || match === undefined) return false;
    event.preventDefault();
    event.stopPropagation();
    if (action === "leave") setLeft(query.start);
    else if (action === "pick") pick(match);
    else setChosen({ name: query.name, index: (active + action + matches.length) % matches.length });
    return true;
  };
  useImperativeHandle(port, () => ({
    typedOf: (sent) =>
      withNames(sent, (person) => people.find((other) => other.person === person)?.label ?? shorten(formatAddress(person))),
    sentOf: (typed) => sentText(typed, people),
    onKey,
  }));
  useFieldSaysWhere(field, isOpen ? { list: listId, option: `${listId}${active}` } : undefined);
  const count = isOpen ? matches.length : 0;
  useEffect(() => {
    if (count > 0) announce(t("chat.mentionCount", { count }));
  }, [count, t]);
  if (!isOpen) return null;
  return (
    <div id={listId} className={styles.list} role="listbox" aria-label={t("chat.mentionPeople")}>
      {matches.map((match, index) => (
        <Person key={match.person} id={`${listId}${index}`} match={match} isActive={index === active} onPick={(): void => pick(match)} />
      ))}
    </div>
  );
}

const ACTIONS: Readonly<Record<string, 1 | -1 | "pick" | "leave">> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Enter: "pick",
  Tab: "pick",
  Escape: "leave",
};

interface PersonProps {
  readonly id: string;
  readonly match: Mentionable;
  readonly isActive: boolean;
  readonly onPick: () => void;
}

function Person({ id, match, isActive, onPick }: PersonProps): ReactElement {
  const show = (element: HTMLElement | null): void => {
    if (isActive) element?.scrollIntoView({ block: "nearest" });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active one
    <div
      ref={show}
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.person}
      onMouseDown={(event): void => event.preventDefault()}
      onClick={onPick}
    >
      <Avatar publicKey={match.person} size={24} />
      <bdi className={styles.name}>{match.label}</bdi>
      <span className={styles.address}>{shorten(formatAddress(match.person))}</span>
    </div>
  );
}

/** What is typed at the caret while the field has the focus. */
function useQuery(field: RefObject<HTMLTextAreaElement | null>, text: string): MentionQuery | undefined {
  const [caret, setCaret] = useState<number>();
  useEffect(() => {
    const listener = (): void => {
      const element = field.current;
      const isOneSpot = element !== null && document.activeElement === element && element.selectionStart === element.selectionEnd;
      setCaret(isOneSpot ? element.selectionStart : undefined);
    };
    listener();
    const events = ["selectionchange", "focusin", "focusout"] as const;
    for (const event of events) document.addEventListener(event, listener);
    return (): void => {
      for (const event of events) document.removeEventListener(event, listener);
    };
  }, [field]);
  return caret === undefined ? undefined : mentionQuery(text, caret);
}

/** Tells screen readers of the list and of the active person in it. */
function useFieldSaysWhere(
  field: RefObject<HTMLTextAreaElement | null>,
  where: { readonly list: string; readonly option: string } | undefined,
): void {
  const { list, option } = where ?? {};
  useEffect(() => {
    const element = field.current;
    if (element === null || list === undefined || option === undefined) return undefined;
    element.setAttribute("aria-autocomplete", "list");
    element.setAttribute("aria-controls", list);
    element.setAttribute("aria-activedescendant", option);
    return (): void => {
      for (const name of ["aria-autocomplete", "aria-controls", "aria-activedescendant"]) element.removeAttribute(name);
    };
  }, [field, list, option]);
}
