// What is copied of a selection of text over several messages of a chat. Pure.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { NameOf } from "../../model/message-text.ts";
import { type ChatRow, messagesOf } from "../rows/chat-row.ts";
import { selectedText } from "./selected-text.ts";

/** What of a row is selected: all of its words, or a part of them. */
export type PartOfRow = "all" | { readonly text: string };

/** One paragraph a message, in their order: who wrote, when, and what of it is selected. Notes, days and marks are left out. */
export function copiedWords(
  t: Translate,
  rows: readonly ChatRow[],
  names: { readonly nameOf: NameOf; readonly peer: string },
  partOf: (key: string) => PartOfRow,
): string {
  const paragraphs = rows.flatMap((row) => {
    const messages = messagesOf(row);
    if (messages.length === 0) return [];
    const part = partOf(row.key);
    if (part === "all") return [selectedText(t, messages, names)];
    const [heading = ""] = selectedText(t, messages.slice(0, 1), names).split("\n");
    return part.text.trim() === "" ? [] : [`${heading}\n${part.text}`];
  });
  return paragraphs.join("\n\n");
}
