// Texts as they are searched: without case and accents. Pure.
import { wordsOf } from "../model/body-traits.ts";
import type { MessageBody } from "../model/message.ts";

/** Longest part of a message that is found, characters. */
const MAX_CHARS = 4_096;
const MARKS = /\p{Diacritic}/gu;

/** Text without case, accents and compatibility forms. */
export function foldText(text: string): string {
  return text.normalize("NFKD").replace(MARKS, "").toLowerCase();
}

/** Words of a query: each must be found. */
export function queryTerms(query: string): readonly string[] {
  return foldText(query)
    .split(/\s+/u)
    .filter((term) => term !== "");
}

/** What a message is found by, or "" when there is nothing to find. */
export function searchableText(body: MessageBody): string {
  return foldText(wordsOf(body).slice(0, MAX_CHARS));
}
