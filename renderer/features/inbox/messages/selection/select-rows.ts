// Steps of a selection. Pure: a row is what one selects, a message or the pictures of an album.
import type { MessageKey } from "#shared/messenger/model/message.ts";
import { type ChatRow, messagesOf } from "../rows/chat-row.ts";
import type { Selection } from "./selection-store.ts";

/** Most messages that are selected at once. */
export const MAX_SELECTED = 100;

type Step = Pick<Selection, "keys" | "base" | "anchor" | "focus">;

/** The selection with a row more or less; as it is where that would be too many. */
export function toggleRow(selection: Step, row: ChatRow): Step {
  const own = keysOf(row);
  const isSelected = own.some((key) => selection.keys.has(key));
  const keys = isSelected ? without(selection.keys, own) : within(selection.keys, [own]);
  return { keys, base: without(keys, own), anchor: row.key, focus: row.key };
}

/**
 * The selection with all rows from its anchor to another one, instead of the range before; the nearest to the anchor where these are too many,
 * and none where the anchor was let go of because it is so far.
 */
export function extendTo(selection: Step, rows: readonly ChatRow[], to: ChatRow): Step {
  const from = rows.findIndex((row) => row.key === selection.anchor || keysOf(row).some((key) => key === selection.anchor));
  const end = rows.indexOf(to);
  if (from === -1 && selection.anchor !== null && selection.keys.has(selection.anchor)) return { ...selection, focus: to.key };
  if (from === -1 || end === -1) return toggleRow(selection, to);
  const range = end < from ? rows.slice(end, from + 1).toReversed() : rows.slice(from, end + 1);
  return { ...selection, keys: within(selection.base, range.map(keysOf)), focus: to.key };
}

/** The selection without messages that are not in the chat any more. */
export function withoutGone(selection: Step, there: ReadonlySet<MessageKey>): Step {
  const kept = (keys: ReadonlySet<MessageKey>): ReadonlySet<MessageKey> => new Set([...keys].filter((key) => there.has(key)));
  return { ...selection, keys: kept(selection.keys), base: kept(selection.base) };
}

/** The next row in a direction that can be selected. */
export function neighbourOf(rows: readonly ChatRow[], row: ChatRow, step: 1 | -1): ChatRow | undefined {
  const index = rows.indexOf(row);
  const beside = step === 1 ? rows.slice(index + 1) : rows.slice(0, Math.max(index, 0)).toReversed();
  return beside.find((other) => keysOf(other).length > 0);
}

function keysOf(row: ChatRow): readonly MessageKey[] {
  return messagesOf(row).map(({ key }) => key);
}

function without(keys: ReadonlySet<MessageKey>, gone: readonly MessageKey[]): ReadonlySet<MessageKey> {
  return new Set([...keys].filter((key) => !gone.includes(key)));
}

/** Rows are added whole, or not at all. */
function within(keys: ReadonlySet<MessageKey>, rows: readonly (readonly MessageKey[])[]): ReadonlySet<MessageKey> {
  const all = new Set(keys);
  for (const row of rows) {
    const more = row.filter((key) => !all.has(key));
    if (all.size + more.length > MAX_SELECTED) return all;
    for (const key of more) all.add(key);
  }
  return all;
}
