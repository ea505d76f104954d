// The people of a group whom an "@" can name, above the text field. The focus stays in the field, which tells where one is in the list.
import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useId, useImperativeHandle, useState } from "react";
import { Avatar } from "#renderer/components/basics/avatar.tsx";
import { announce } from "#renderer/lib/browser/announce.ts";
import { shorten } from "#renderer/lib/format/key.ts";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import { withNames } from "#shared/content/chat/mention-content.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useFieldSaysWhere } from "../field-edits.ts";
import styles from "./mention-list.module.css";
import type { MentionPort } from "./mention-port.ts";
import { type Mentionable, type MentionQuery, matchingPeople, mentionQuery, sentText } from "./mention-text.ts";
import { OptionRow } from "./option-row.tsx";
import { useMentionables } from "./use-mentionables.ts";

/** People who can be meant, and the one that a key chooses. */
interface Choice {
  readonly matches: readonly Mentionable[];
  readonly active: number;
}

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
  const choiceOf = (asked: MentionQuery | undefined): Choice => {
    const matches = asked === undefined || asked.start === left ? [] : matchingPeople(people, asked.name);
    return { matches, active: chosen.name === asked?.name ? Math.min(chosen.index, matches.length - 1) : 0 };
  };
  const { matches, active } = choiceOf(query);
  const isOpen = matches.length > 0;
  useEffect(() => {
    if (query === undefined) setLeft(undefined);
  }, [query]);
  const pick = ({ label }: Mentionable): void => {
    const [typed, asked] = [field.current?.value ?? "", queryIn(field.current)];
    if (asked === undefined) return;
    const behind = typed.slice(asked.start + 1 + asked.name.length);
    const named = `${typed.slice(0, asked.start)}@${label}`;
    const space = behind.startsWith(" ") ? "" : " ";
    setLeft(asked.start);
    onChange(named + space + behind, named.length + 1);
  };
  // The browser tells of a moved caret after the key that comes next: who types fast means what the field says, not what the list shows.
  const onKey = (event: KeyboardEvent): boolean => {
    const asked = queryIn(field.current);
    const choice = choiceOf(asked);
    const action = event.nativeEvent.isComposing ? undefined : ACTIONS[event.key];
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const match = choice.matches[choice.active];
    if (action === undefined || !isPlain || asked === undefined || match === undefined) return false;
    event.preventDefault();
    event.stopPropagation();
    const count = choice.matches.length;
    if (action === "leave") setLeft(asked.start);
    else if (action === "pick") pick(match);
    else setChosen({ name: asked.name, index: (choice.active + action + count) % count });
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
  return (
    <OptionRow id={id} isActive={isActive} onPick={onPick}>
      <Avatar publicKey={match.person} size={24} />
      <bdi className={styles.name}>{match.label}</bdi>
      <span className={styles.address}>{shorten(formatAddress(match.person))}</span>
    </OptionRow>
  );
}

/** Where the caret is in a field that has the focus; undefined where there is none. */
function caretIn(field: HTMLTextAreaElement | null): number | undefined {
  const isOneSpot = field !== null && document.activeElement === field && field.selectionStart === field.selectionEnd;
  return isOneSpot ? field.selectionStart : undefined;
}

/** What is typed at the caret of a field now. */
function queryIn(field: HTMLTextAreaElement | null): MentionQuery | undefined {
  const caret = caretIn(field);
  return field === null || caret === undefined ? undefined : mentionQuery(field.value, caret);
}

/** What is typed at the caret while the field has the focus, as it changes. */
function useQuery(field: RefObject<HTMLTextAreaElement | null>, text: string): MentionQuery | undefined {
  const [caret, setCaret] = useState<number>();
  useEffect(() => {
    const listener = (): void => {
      setCaret(caretIn(field.current));
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
