// Emoji by what one types. Pure.
import type { EmojiEntry } from "./emoji-table.ts";

/** Most that are shown. */
export const MOST_FOUND = 80;

/** What begins with the text comes first: the name, a word of it, another word for it; then what has it inside. */
export function findEmoji(entries: readonly EmojiEntry[], text: string, locale: string): readonly EmojiEntry[] {
  const wanted = text.trim().toLocaleLowerCase(locale);
  if (wanted === "") return [];
  const ranks = entries.flatMap((entry) => {
    const rank = rankOf(entry, wanted, locale);
    return rank === undefined ? [] : [{ entry, rank }];
  });
  return ranks
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST_FOUND)
    .map(({ entry }) => entry);
}

function rankOf({ emoji, label, tags }: EmojiEntry, wanted: string, locale: string): number | undefined {
  const name = label.toLocaleLowerCase(locale);
  if (emoji === wanted || name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.split(/[\s:,-]+/).some((word) => word.startsWith(wanted))) return 2;
  const words = tags.map((tag) => tag.toLocaleLowerCase(locale));
  if (words.some((word) => word.startsWith(wanted))) return 3;
  return name.includes(wanted) || words.some((word) => word.includes(wanted)) ? 4 : undefined;
}
