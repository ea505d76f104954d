// The part of a message that a search has found.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { MessageBody } from "#shared/messenger/model/message.ts";
import { MAX_PREVIEW_CHARS, previewOf, textOfBody } from "./message-text.ts";

/** Characters before the first word that was found. */
const BEFORE_HIT = 24;

/** The text on one line, beginning shortly before the first word that was searched for. */
export function excerptOf(t: Translate, body: MessageBody, query: string): string {
  const text = previewOf(t, body);
  const whole = textOfBody(t, body).replace(/\s+/g, " ").trim();
  const [word = ""] = query.trim().toLowerCase().split(/\s+/);
  const at = whole.toLowerCase().indexOf(word);
  if (at <= BEFORE_HIT) return text;
  return `…${[...whole.slice(at - BEFORE_HIT)].slice(0, MAX_PREVIEW_CHARS).join("")}`;
}
