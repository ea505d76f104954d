// Brings the focus to the composer of the open chat: also when the chat that is pressed in the list is open already.
import { create } from "zustand";

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
