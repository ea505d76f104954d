// The part of a message that a search has found.
import type { Translate } from "#renderer/lib/messages/catalogue.ts";
import type { MessageBody } from "#shared/messenger/model/message.ts";
import { foldText, queryTerms } from "#shared/messenger/store/search/search-text.ts";
import { MAX_PREVIEW_CHARS, previewOf, textOfBody } from "./message-text.ts";

/** Characters before the first word that was found. */
const BEFORE_HIT = 24;

/** The text on one line, beginning shortly before the first word that was searched for. */
export function excerptOf(t: Translate, body: MessageBody, query: string): string {
  const text = previewOf(t, body);
  const whole = textOfBody(t, body).replace(/\s+/g, " ").trim();
  const [word = ""] = queryTerms(query);
  const at = placeOf(word, whole);
  if (at <= BEFORE_HIT) return text;
  return `…${[...whole.slice(at - BEFORE_HIT)].slice(0, MAX_PREVIEW_CHARS).join("")}`;
}

/** Where a folded word begins in a text, in its units; -1 for nowhere. Folding changes lengths, so the places of characters are counted along. */
function placeOf(word: string, text: string): number {
  const found = foldText(text).indexOf(word);
  if (found <= 0) return found;
  let folded = 0;
  let at = 0;
  for (const character of text) {
    if (folded >= found) return at;
    folded += foldText(character).length;
    at += character.length;
  }
  return at;
}
