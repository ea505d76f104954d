// A memo as the row of its payment shows it. Others wrote it.
import { visibleText } from "#shared/text/visible-text.ts";

/** A line has no room for more, and the entry shows all of it. */
const MAX_CHARS = 160;

/** One line of visible characters, none of them cut in half; what is cut ends with "…". */
export function memoInRow(memo: string): string {
  const characters = [...visibleText(memo)];
  return characters.length <= MAX_CHARS ? characters.join("") : `${characters.slice(0, MAX_CHARS).join("").trimEnd()}…`;
}
