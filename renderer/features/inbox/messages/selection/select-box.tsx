// A row of a chat as something to select: a checkbox over all of it. Space and Enter select, the arrows go on, with Shift they select a range.
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from "react";
import { useToasts } from "#renderer/components/feedback/toast.tsx";
import { formatClock } from "#renderer/lib/format/time.ts";
import { useMessages, WithAllWords } from "#renderer/lib/messages/messages-context.tsx";
import { focusComposer } from "../../model/composer-focus.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { previewOf } from "../../model/message-text.ts";
import { useNameOf } from "../../model/use-name-of.ts";
import { type ChatRow, messagesOf } from "../rows/chat-row.ts";
import styles from "./select-box.module.css";
import { extendTo, MAX_SELECTED, neighbourOf, toggleRow } from "./select-rows.ts";
import { endSelection, useSelection } from "./selection-store.ts";

export interface SelectBoxProps {
  readonly row: ChatRow;
  readonly rows: readonly ChatRow[];
  readonly header: ConversationHeader;
}

/** The checkbox; nothing for rows that are no messages. */
export function SelectBox(props: SelectBoxProps): ReactElement | null {
  if (messagesOf(props.row).length === 0) return null;
  return (
    <WithAllWords>
      <Box {...props} />
    </WithAllWords>
  );
}

function Box({ row, rows, header }: SelectBoxProps): ReactElement {
  const t = useMessages();
  const toasts = useToasts();
  const field = useRef<HTMLInputElement>(null);
  const messages = messagesOf(row);
  const isSelected = useSelection(({ keys }) => messages.some(({ key }) => keys.has(key)));
  const isPart = useSelection(({ keys }) => isSelected && !messages.every(({ key }) => keys.has(key)));
  const hasFocus = useSelection(({ focus }) => focus === row.key || messages.some(({ key }) => key === focus));
  const isFull = (): boolean => useSelection.getState().keys.size >= MAX_SELECTED;
  /** A range that was to end there was cut off, or begins so far away that it would have been. */
  const isBeyond = (to: ChatRow): boolean => messagesOf(to).some(({ key }) => !useSelection.getState().keys.has(key));
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, [hasFocus]);
  useEffect(
    () => (): void => {
      // Scrolled out of sight: it does not take the focus, and the view, when it comes back.
      if (useSelection.getState().focus === row.key) useSelection.setState({ focus: null });
    },
    [row.key],
  );
  useEffect(() => {
    // One picture of an album was chosen: the album is one.
    if (isPart && !isFull()) useSelection.setState((selection) => toggleRow(toggleRow(selection, row), row));
  });
  const sayFull = (): void => toasts.show({ title: t("chat.selectMost", { count: MAX_SELECTED }), tone: "warning" });
  const act = (isRange: boolean): void => {
    if (!isSelected && isFull()) {
      sayFull();
      return;
    }
    useSelection.setState((selection) => (isRange ? extendTo(selection, rows, row) : toggleRow(selection, row)));
    if (useSelection.getState().keys.size === 0) leave();
    if (isRange && isBeyond(row)) sayFull();
  };
  const move = (step: 1 | -1, isRange: boolean): void => {
    const next = neighbourOf(rows, row, step);
    if (next === undefined) return;
    useSelection.setState((selection) => (isRange ? extendTo(selection, rows, next) : { focus: next.key }));
    if (isRange && isBeyond(next)) sayFull();
  };
  const press = (event: KeyboardEvent): void => {
    const { key, shiftKey } = event;
    if (key === "Escape") leave();
    else if (key === "ArrowUp") move(-1, shiftKey);
    else if (key === "ArrowDown") move(1, shiftKey);
    else if (key === "Enter") act(shiftKey);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        ref={field}
        type="checkbox"
        className={styles.cover}
        aria-label={useRowWords(row, header)}
        checked={isSelected}
        onChange={({ nativeEvent }): void => act(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        onFocus={(): void => useSelection.setState({ focus: row.key })}
        onKeyDown={press}
      />
      <span className={styles.box} aria-hidden="true">
        <Check size={12} strokeWidth={3} />
      </span>
    </>
  );
}

/** What a screen reader says of the row. */
function useRowWords(row: ChatRow, header: ConversationHeader): string {
  const t = useMessages();
  const messages = messagesOf(row);
  const [first] = messages;
  const nameOf = useNameOf(first?.author == null ? [] : [first.author]);
  if (first === undefined) return "";
  const who = first.direction === "out" ? t("common.you") : first.author === null ? header.name : nameOf(first.author);
  const text = messages.length > 1 ? t("inbox.album", { count: messages.length }) : previewOf(t, first.body, nameOf);
  return t("chat.selectRow", { who, time: formatClock(t.locale, first.at), text });
}

function leave(): void {
  endSelection();
  focusComposer();
}
