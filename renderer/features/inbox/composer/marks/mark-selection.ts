// Marks what is selected in a text field, or takes its marks away again. Pure.

/** What can be marked: the sign on both sides, and the shortcut. */
export const TEXT_MARKS = {
  bold: { sign: "*", keys: "mod+b" },
  italic: { sign: "_", keys: "mod+i" },
  struck: { sign: "~", keys: "mod+shift+x" },
  code: { sign: "`", keys: "mod+shift+m" },
} as const;

export type TextMark = keyof typeof TEXT_MARKS;

/** Text and the selected part of it, by places of UTF-16 units. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SIGNS: readonly string[] = Object.values(TEXT_MARKS).map(({ sign }) => sign);

/** The same words selected, with the sign on both sides; without it where it was there. Spaces at the edges stay outside. */
export function markSelection(selected: Selected, sign: string): Selected {
  const { text } = selected;
  const { from, to } = wordsOf(selected);
  const depth = depthOf(selected, sign);
  if (depth !== undefined) {
    const [open, close] = [from - 1 - depth, to + depth];
    const plain = text.slice(0, open) + text.slice(open + 1, close) + text.slice(close + 1);
    return { text: plain, start: from - 1, end: to - 1 };
  }
  const marked = text.slice(0, from) + sign + text.slice(from, to) + sign + text.slice(to);
  return { text: marked, start: from + 1, end: to + 1 };
}

/** True where the sign stands on both sides of the selected words, other signs between them or not. */
export function isMarked(selected: Selected, sign: string): boolean {
  return depthOf(selected, sign) !== undefined;
}

/** How many other signs are between the words and this one, on either side; undefined where the words do not have it. */
function depthOf(selected: Selected, sign: string): number | undefined {
  const { text } = selected;
  const { from, to } = wordsOf(selected);
  for (let depth = 0; depth < SIGNS.length; depth += 1) {
    const [open, close] = [text.charAt(from - 1 - depth), text.charAt(to + depth)];
    if (open !== close || !SIGNS.includes(open)) return undefined;
    if (open === sign) return depth;
  }
  return undefined;
}

/** Where the selected words are, without the spaces at their edges. */
function wordsOf({ text, start, end }: Selected): { readonly from: number; readonly to: number } {
  const words = text.slice(start, end);
  const from = start + words.length - words.trimStart().length;
  return { from, to: Math.max(from, start + words.trimEnd().length) };
}
