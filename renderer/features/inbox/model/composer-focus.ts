// Brings the focus to the composer of the open chat, also when the chat that is pressed in the list is open already; and to the row of a
// chat that was closed, as what had the focus is gone with it.
import { create } from "zustand";
import type { ConversationId } from "#shared/messenger/model/message.ts";

interface ComposerFocus {
  /** Changes with every wish. */
  readonly wishes: number;
}

/** Wishes so far; the composer follows the newest one. */
export const useComposerFocus = create<ComposerFocus>()(() => ({ wishes: 0 }));

/** Wishes the focus for the composer. */
export function focusComposer(): void {
  useComposerFocus.setState(({ wishes }) => ({ wishes: wishes + 1 }));
}

/** Focuses the row, or the first one where it is gone with its chat, else the view, where nothing else has the focus. */
export function focusRow(id: ConversationId): void {
  if (document.activeElement !== document.body) return;
  const places = [`[data-conversation="${CSS.escape(id)}"]`, "[data-conversation]", "main"];
  places
    .map((place) => document.querySelector<HTMLElement>(place))
    .find((element) => element !== null)
    ?.focus();
}
