// Texts of other people on a terminal: nothing in them may move the cursor, change colours or imitate another line.
import { visibleText } from "#shared/text/visible-text.ts";

/** The text on one line, line feeds shown as ⏎ and every other unprintable character as �. */
export function onOneLine(text: string): string {
  return visibleText(text.replaceAll("\n", "⏎"));
}
