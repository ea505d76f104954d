// Source code of strangers as it is shown: what cannot be seen, or would turn the order of characters around, is shown as its code point.

/** Characters of one file that are shown at most. */
export const MAX_SHOWN_CHARACTERS = 100_000;

/** A source as it is shown. */
export interface VisibleSource {
  readonly text: string;
  /** Characters that were replaced. */
  readonly hidden: number;
  /** True when it continues. */
  readonly isCut: boolean;
}

const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with a sign like ‹U+202E› for each such character. */
export function visibleSource(source: string): VisibleSource {
  let hidden = 0;
  // Half of a pair at the cut is none of the author's.
  const text = source
    .slice(0, MAX_SHOWN_CHARACTERS)
    .replace(source.length > MAX_SHOWN_CHARACTERS ? /[\uD800-\uDBFF]$/ : "", "")
    .replaceAll("\r\n", "\n")
    .replaceAll(HIDDEN, (character) => {
      hidden += 1;
      return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`;
    });
  return { text, hidden, isCut: source.length > MAX_SHOWN_CHARACTERS };
}
