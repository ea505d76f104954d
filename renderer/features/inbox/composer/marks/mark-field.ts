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
  const selected = selectedIn(field.current);
  if (selected === undefined) return;
  const { text, start, end } = markSelection(selected, TEXT_MARKS[kind].sign);
  // At once: the next key may come before the next picture, and finds the same words selected.
  flushSync(() => put(text));
  field.current?.setSelectionRange(start, end);
}

/** What is selected, which may be nothing between two letters; undefined without a field. */
export function selectedIn(element: HTMLTextAreaElement | null): Selected | undefined {
  return element === null ? undefined : { text: element.value, start: element.selectionStart, end: element.selectionEnd };
}
