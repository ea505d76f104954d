// What filters that are chosen mean to a search of messages. Pure.
import type { ConversationId } from "#shared/messenger/model/message.ts";
import type { SearchFilter } from "#shared/messenger/store/search/search-index.ts";
import type { SearchKind } from "#shared/messenger/store/search/search-text.ts";
import { hasFilters, type SearchFilters } from "./filter-choice.ts";

/**
 * Chats that are found by their names: filters are of messages, so with one it is none. A chat that is chosen alone, before there are
 * words, is shown itself: nothing was asked yet that could not be found.
 */
export function chatsFound<Chat extends { readonly id: ConversationId }>(
  text: string,
  filters: SearchFilters,
  chats: readonly Chat[],
): readonly Chat[] {
  if (!hasFilters(filters)) return chats;
  const { conversation, ...others } = filters;
  const isAlone = text.trim() === "" && !hasFilters({ ...others, conversation: null });
  return isAlone ? chats.filter(({ id }) => id === conversation) : [];
}

/** Something that is chosen, and what is left without it. */
export interface ChosenFilter {
  /** No two chosen at once are equal, whatever they are called. */
  readonly part: "conversation" | "fromDay" | "toDay" | SearchKind;
  readonly rest: SearchFilters;
}

/** What is chosen, one by one; days that are none are left out. */
export function chosenFilters(filters: SearchFilters): readonly ChosenFilter[] {
  const { conversation, kinds } = filters;
  const { from, before } = filterOf(filters);
  return [
    ...(conversation === null ? [] : [{ part: "conversation", rest: { ...filters, conversation: null } } as const]),
    ...kinds.map((kind) => ({ part: kind, rest: { ...filters, kinds: kinds.filter((other) => other !== kind) } })),
    ...(from === undefined ? [] : [{ part: "fromDay", rest: { ...filters, fromDay: "" } } as const]),
    ...(before === undefined ? [] : [{ part: "toDay", rest: { ...filters, toDay: "" } } as const]),
  ];
}

/** The filter of the search; days that are none are left out. */
export function filterOf({ conversation, kinds, fromDay, toDay }: SearchFilters): SearchFilter {
  const from = midnight(fromDay, 0);
  const before = midnight(toDay, 1);
  return {
    ...(conversation !== null && { conversation }),
    ...(kinds.length > 0 && { kinds }),
    ...(from !== undefined && { from }),
    ...(before !== undefined && { before }),
  };
}

/** Milliseconds since 1970 of the beginning of a day, so many days later. */
function midnight(day: string, later: number): number | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const timeMs = new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
