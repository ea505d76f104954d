// Changes of what is in the text field by something else than typing: emoji, names; and what it says of a list above it.
import { type RefObject, useEffect } from "react";
import { flushSync } from "react-dom";
import type { Draft } from "./use-draft.ts";

export type Field = RefObject<HTMLTextAreaElement | null>;

/** Puts an emoji where the caret is. */
export function insert(field: Field, draft: Draft, emoji: string): void {
  const { selectionStart: start = draft.text.length, selectionEnd: end = draft.text.length } = field.current ?? {};
  draft.change(draft.text.slice(0, start) + emoji + draft.text.slice(end));
  requestAnimationFrame(() => {
    field.current?.focus();
    field.current?.setSelectionRange(start + emoji.length, start + emoji.length);
  });
}

/** A text in the field with the caret at a place, at once: the next key may come before the next picture. */
export function putAt(
  field: Field,
  { text, caret, put }: { readonly text: string; readonly caret: number; readonly put: (text: string) => void },
): void {
  flushSync(() => put(text));
  field.current?.setSelectionRange(caret, caret);
}

/** Says to screen readers which list there is, and which of its options is the active one: the focus stays in the field. */
export function useFieldSaysWhere(field: Field, where: { readonly list: string; readonly option: string } | undefined): void {
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
