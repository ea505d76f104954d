// What a search of messages is narrowed to, as it is chosen in the interface. Needed for the first screen, unlike what it means.
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { SearchKind } from "#shared/messenger/store/search/search-text.ts";

export interface SearchFilters {
  /** One chat; null for all. */
  readonly conversation: ConversationId | null;
  readonly kinds: readonly SearchKind[];
  /** Days as `2026-11-29`, by the clock of this device; "" for none. Both count. */
  readonly fromDay: string;
  readonly toDay: string;
}

export const NO_FILTERS: SearchFilters = { conversation: null, kinds: [], fromDay: "", toDay: "" };

/** True where something is chosen. */
export function hasFilters({ conversation, kinds, fromDay, toDay }: SearchFilters): boolean {
  return conversation !== null || kinds.length > 0 || fromDay !== "" || toDay !== "";
}
