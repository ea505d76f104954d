// Texts of scheduled messages that were changed and not saved: Escape loses nothing. Kept while the window is open.
import { create } from "zustand";
import { MAX_SCHEDULED } from "#shared/messenger/model/message.ts";

interface UnsavedTexts {
  /** By the id of the message, the ones changed last behind the others. */
  readonly texts: Readonly<Record<string, string>>;
}

export const useUnsavedTexts = create<UnsavedTexts>()(() => ({ texts: {} }));

/** Keeps a text; undefined forgets it. As many as messages can wait are kept, the latest. */
export function keepText(id: string, text: string | undefined): void {
  useUnsavedTexts.setState(({ texts: { [id]: _, ...others } }) => {
    const kept = text === undefined ? Object.entries(others) : [...Object.entries(others), [id, text] as const];
    return { texts: Object.fromEntries(kept.slice(-MAX_SCHEDULED)) };
  });
}
