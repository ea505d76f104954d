// A text without its marks, for a line of a list: nearly what a chat shows, without what it takes to show links. Pure.

/** Of a longer text only so much is looked at. */
const MAX_READ_CHARS = 1_000;
/** Marks inside of marks. */
const MOST_NESTED = 3;
const MARKED = /(?<![\p{L}\p{N}])(`|\*\*?|__?|~~?)(?!\s|\1)([^\n]*?\S)\1(?![\p{L}\p{N}]|\1)/gu;
const LINE_MARKS = /^(?:> ?|```.*$)/gm;

/** The words. */
export function wordsWithoutMarks(text: string): string {
  let words = text.slice(0, MAX_READ_CHARS).replace(LINE_MARKS, "");
  for (let left = MOST_NESTED; left > 0; left -= 1) words = words.replace(MARKED, "$2");
  return words;
}
