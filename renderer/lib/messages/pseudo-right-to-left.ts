// English words written from right to left: shows that the layout holds for Arabic or Hebrew before anybody has translated a word.
// Each word stands between marks that turn its letters around, as the tag `ar-XB` of Unicode's pseudo-locales does.
import type { Catalogue } from "./catalogue.ts";
import type { Message } from "./format-message.ts";

const TURN = "\u202e";
const END = "\u202c";
/** Placeholders stay as they are; what fills them has its own direction. */
const PIECES = /\{\w+\}|[^\s{}]+/g;

/** A message with its words turned around; placeholders and spaces stay. */
export function turnMessage(message: Message): Message {
  if (typeof message === "string") return turnText(message);
  const { other, ...forms } = message;
  const turned = Object.entries(forms).map(([form, text]): readonly [string, string] => [form, turnText(text)]);
  return { ...Object.fromEntries(turned), other: turnText(other) };
}

/** The words of a catalogue turned around. */
export function turnCatalogue(words: Partial<Catalogue>): Partial<Catalogue> {
  return Object.fromEntries(Object.entries(words).map(([key, message]) => [key, turnMessage(message)])) as Partial<Catalogue>;
}

function turnText(text: string): string {
  return text.replace(PIECES, (piece) => (piece.startsWith("{") ? piece : `${TURN}${piece}${END}`));
}
