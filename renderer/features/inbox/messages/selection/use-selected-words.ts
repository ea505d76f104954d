// A selection of text in a chat: the rows where it begins and ends, which stay in the document, and what is copied of it.
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useMessages } from "#renderer/lib/messages/messages-context.tsx";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { ConversationHeader } from "../../model/conversation-header.tsx";
import { mentionedIn, useNameOf } from "../../model/use-name-of.ts";
import { type ChatRow, messagesOf } from "../rows/chat-row.ts";
import { copiedWords, type PartOfRow } from "./copied-words.ts";
import { keepInRows } from "./keep-in-rows.ts";

const NONE: readonly string[] = [];
const NO_PEOPLE: readonly PublicKeyHex[] = [];
/** What a message says, within its row. */
const WORDS = "article :is([dir='auto'], pre)";

/** Keys of the rows in which the selection of text in the list begins and ends; one where it is in one row. */
export function useSelectedEnds(scroller: RefObject<HTMLElement | null>): readonly string[] {
  const [ends, setEnds] = useState(NONE);
  const isSelected = useRef(true);
  useEffect(() => {
    const changed = (): void => {
      isSelected.current = getSelection()?.isCollapsed === false;
      const now = endsIn(scroller.current);
      setEnds((before) => (before.join() === now.join() ? before : now));
    };
    changed();
    document.addEventListener("selectionchange", changed);
    return (): void => document.removeEventListener("selectionchange", changed);
  }, [scroller]);
  // The browser reports nothing where a row goes. To ask for the selection lays out all rows, so that is left where there was none.
  useLayoutEffect(() => {
    const list = scroller.current?.firstElementChild;
    if (isSelected.current && list != null) keepInRows(list);
  });
  return ends;
}

/** Several messages are copied as other messengers do it: who wrote, when, and what; a part of one message as it is. */
export function useCopiedWords(
  scroller: RefObject<HTMLElement | null>,
  { rows, header, ends }: { readonly rows: readonly ChatRow[]; readonly header: ConversationHeader; readonly ends: readonly string[] },
): void {
  const t = useMessages();
  const messages = ends.length < 2 ? [] : between(rows, ends).flatMap(messagesOf);
  const people = messages.flatMap(({ author, body }) => [...(author === null ? [] : [author]), ...mentionedIn(body)]);
  const nameOf = useNameOf(people.length === 0 ? NO_PEOPLE : [...new Set(people)]);
  const copy = useEffectEvent((event: ClipboardEvent) => {
    const selection = getSelection();
    const area = scroller.current;
    if (messages.length < 2 || selection === null || selection.rangeCount === 0 || area === null) return;
    const range = selection.getRangeAt(0);
    const part = (key: string): PartOfRow => partOf(area, key, range);
    event.clipboardData?.setData("text/plain", copiedWords(t, between(rows, ends), { nameOf, peer: header.name }, part));
    event.preventDefault();
  });
  useEffect(() => {
    const element = scroller.current;
    const listener = (event: ClipboardEvent): void => copy(event);
    element?.addEventListener("copy", listener);
    return (): void => element?.removeEventListener("copy", listener);
  }, [scroller]);
}

function endsIn(area: HTMLElement | null): readonly string[] {
  const selection = getSelection();
  if (area === null || selection === null || selection.isCollapsed) return NONE;
  const keys = [selection.anchorNode, selection.focusNode].map((node) => {
    const row = (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>("[data-row]");
    return row != null && area.contains(row) ? row.dataset.row : undefined;
  });
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** The rows from one of two to the other. */
function between(rows: readonly ChatRow[], ends: readonly string[]): readonly ChatRow[] {
  const found = ends.map((end) => rows.findIndex(({ key }) => key === end)).filter((index) => index !== -1);
  return found.length === 0 ? [] : rows.slice(Math.min(...found), Math.max(...found) + 1);
}

/** What of the words of a row is selected: all where no end of the selection is in them. */
function partOf(area: HTMLElement, key: string, range: Range): PartOfRow {
  const row = area.querySelector(`[data-row="${CSS.escape(key)}"]`);
  if (row === null) return "all";
  const words = [...row.querySelectorAll(WORDS)].filter((element) => element.parentElement?.closest(WORDS) == null);
  if (words.length === 0) return range.intersectsNode(row) ? "all" : { text: "" };
  const isWhole = words.every((element) => {
    const whole = document.createRange();
    whole.selectNodeContents(element);
    return range.compareBoundaryPoints(Range.START_TO_START, whole) <= 0 && range.compareBoundaryPoints(Range.END_TO_END, whole) >= 0;
  });
  return isWhole
    ? "all"
    : {
        text: words
          .map((element) => selectedIn(element, range))
          .filter((text) => text !== "")
          .join("\n"),
      };
}

function selectedIn(element: Element, range: Range): string {
  if (!range.intersectsNode(element)) return "";
  const part = document.createRange();
  part.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part.toString();
}
