// Which messages of the open chat are selected, to do something with all of them. Kept while the chat is open.
import { create } from "zustand";
import type { ConversationId, MessageKey } from "#shared/messenger/model/message.ts";

/** What is selected. */
export interface Selection {
  /** The chat; null while nothing is selected. */
  readonly conversation: ConversationId | null;
  readonly keys: ReadonlySet<MessageKey>;
  /** What was selected before the range from the anchor. */
  readonly base: ReadonlySet<MessageKey>;
  /** The row that was chosen last without Shift: ranges begin there. */
  readonly anchor: MessageKey | null;
  /** The row that is to have the focus. */
  readonly focus: MessageKey | null;
}

const NONE: Selection = { conversation: null, keys: new Set(), base: new Set(), anchor: null, focus: null };

export const useSelection = create<Selection>()(() => NONE);

/** Begins with one message. */
export function beginSelection(conversation: ConversationId, key: MessageKey): void {
  useSelection.setState({ conversation, keys: new Set([key]), base: new Set(), anchor: key, focus: key });
}

/** Selects nothing any more. */
export function endSelection(): void {
  useSelection.setState(NONE);
}

/** True while messages of a chat are being selected. */
export function useIsSelecting(id: ConversationId): boolean {
  return useSelection(({ conversation }) => conversation === id);
}
