// Texts as they are searched: without case and accents. Pure.
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
  if ("text" in body) return foldText(body.text.slice(0, MAX_CHARS));
  if (body.kind === "attachment") return foldText(`${body.name} ${body.caption}`.slice(0, MAX_CHARS));
  if (body.kind === "pay.request") return foldText(body.note);
  return body.kind === "unsupported" ? foldText(body.fallback) : "";
}
