// Marks what is selected in the text field, by its shortcuts or by a press.
import type { KeyboardEvent } from "react";
import { flushSync } from "react-dom";
import { matchesShortcut } from "#renderer/lib/commands/shortcut.ts";
import type { Field } from "../field-edits.ts";
import { markSelection, type Selected, TEXT_MARKS, type TextMark } from "./mark-selection.ts";

/** The field, and what takes its text when that is changed. */
export interface MarksProps {
  readonly field: Field;
  readonly put: (text: string) => void;
}

/** Puts marks around the selection, or takes them away. False for a key that is no shortcut of one. */
export function mark(event: KeyboardEvent<HTMLTextAreaElement>, field: Field, put: (text: string) => void): boolean {
  if (event.nativeEvent.isComposing) return false;
  const kinds = Object.keys(TEXT_MARKS) as TextMark[];
  const kind = kinds.find((name) => matchesShortcut(event, TEXT_MARKS[name].keys));
  if (kind === undefined) return false;
  event.preventDefault();
  markField(field, kind, put);
  return true;
}

/** Puts one kind of marks around what is selected in the field, or takes it away. */
export function markField(field: Field, kind: TextMark, put: (text: string) => void): void {
  const { current: element } = field;
  const selected = selectedIn(element);
  if (element === null || selected === undefined) return;
  const { text, start, end } = markSelection(selected, TEXT_MARKS[kind].sign);
  replaceText(element, text, put);
  element.setSelectionRange(start, end);
}

/** Another text in the field, at once, as if its difference was typed: the undo of the browser knows it, which it does of no text that is set. */
export function replaceText(element: HTMLTextAreaElement, text: string, put: MarksProps["put"]): void {
  const { value } = element;
  const most = Math.min(value.length, text.length);
  let start = 0;
  while (start < most && value.charAt(start) === text.charAt(start)) start += 1;
  let rest = 0;
  while (rest < most - start && value.charAt(value.length - 1 - rest) === text.charAt(text.length - 1 - rest)) rest += 1;
  const typed = text.slice(start, text.length - rest);
  element.focus({ preventScroll: true });
  element.setSelectionRange(start, value.length - rest);
  // At once: the next key may come before the next picture, and finds the same words selected.
  if (!document.execCommand(typed === "" ? "delete" : "insertText", false, typed)) flushSync(() => put(text));
}

/** What is selected, which may be nothing between two letters; undefined without a field. */
export function selectedIn(element: HTMLTextAreaElement | null): Selected | undefined {
  return element === null ? undefined : { text: element.value, start: element.selectionStart, end: element.selectionEnd };
}
