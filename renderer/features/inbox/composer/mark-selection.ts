// Marks what is selected in a text field, or takes its marks away again. Pure.

/** Shortcuts and the signs that they put around the selection. */
export const MARK_SHORTCUTS = { "mod+b": "*", "mod+i": "_", "mod+shift+x": "~", "mod+shift+m": "`" } as const;

/** Text and the selected part of it, by places of UTF-16 units. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The same words selected, with the sign on both sides; without it where it was there. Spaces at the edges stay outside. */
export function markSelection({ text, start, end }: Selected, sign: string): Selected {
  const words = text.slice(start, end);
  const from = start + words.length - words.trimStart().length;
  const to = Math.max(from, start + words.trimEnd().length);
  const isMarked = text.slice(Math.max(0, from - sign.length), from) === sign && text.startsWith(sign, to);
  if (isMarked) {
    const plain = text.slice(0, from - sign.length) + text.slice(from, to) + text.slice(to + sign.length);
    return { text: plain, start: from - sign.length, end: to - sign.length };
  }
  const marked = text.slice(0, from) + sign + text.slice(from, to) + sign + text.slice(to);
  return { text: marked, start: from + sign.length, end: to + sign.length };
}
