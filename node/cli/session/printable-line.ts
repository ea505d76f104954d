// Texts of other people on a terminal: nothing in them may move the cursor, change colours or imitate another line.
import { isPrintable } from "#shared/protocol/primitives/printable.ts";

/** The text on one line, line feeds shown as ⏎ and every other unprintable character as �. */
export function onOneLine(text: string): string {
  return [...text].map((character) => (character === "\n" ? "⏎" : isPrintable(character) ? character : "�")).join("");
}
