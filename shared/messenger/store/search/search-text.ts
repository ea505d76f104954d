// What messages are found by: their texts, without case and accents, and their kinds. Pure.
import { wordsOf } from "../../model/body-traits.ts";
import type { MessageBody } from "../../model/message.ts";

/** Longest part of a message that is found, characters. */
const MAX_CHARS = 4_096;
const MARKS = /\p{Diacritic}/gu;
/** A web page, or a payment link as the interface reads it (`marked-spans.ts`). */
const LINK = /\bhttps?:\/\/[^\s\p{C}<>"`]|\bparley:(?:\/\/)?pay\/?\?[^\s\p{C}<>"`]/iu;

/** Kinds of messages that a search can be narrowed to. */
export const SEARCH_KINDS = ["picture", "file", "link", "voice", "payment"] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

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

/** Kinds as bits, as the index has them: a picture with a link in its caption is two. */
export function bitsOf(kinds: readonly SearchKind[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << SEARCH_KINDS.indexOf(kind)), 0);
}

/** Bits of a message that says this. */
export function kindBits(body: MessageBody): number {
  const kinds: SearchKind[] = [];
  if (body.kind === "attachment") kinds.push(body.voice !== undefined ? "voice" : body.image === null ? "file" : "picture");
  if (body.kind === "pay.request" || body.kind === "pay.receipt" || body.kind === "pay.split") kinds.push("payment");
  const text = body.kind === "attachment" ? body.caption : "text" in body ? body.text : "";
  if (LINK.test(text)) kinds.push("link");
  return bitsOf(kinds);
}
