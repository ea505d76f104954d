// Which entries of a log a content carries. Pure.
import { MAX_CONTENT_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";

/** Characters of base64 of the entries in one content: with all else it fits in an envelope. */
const MAX_PART_CHARS = 160_000;
/** The same beside a change, for those who know what was before. */
const MAX_RECENT_CHARS = 32_000;

/** All entries, in as many parts as they need, parents first. */
export function partsOfLog(entries: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let chars = 0;
  for (const text of entries) {
    const part = parts.at(-1);
    if (part === undefined || chars + text.length > MAX_PART_CHARS || part.length >= MAX_CONTENT_ENTRIES) {
      parts.push([text]);
      chars = text.length;
    } else {
      part.push(text);
      chars += text.length;
    }
  }
  return parts;
}

/** The last entries, at least `least` of them. */
export function recentOf(entries: readonly string[], least: number): readonly string[] {
  let from = entries.length;
  for (let chars = 0; from > 0 && entries.length - from < MAX_CONTENT_ENTRIES; from -= 1) {
    chars += entries[from - 1]?.length ?? 0;
    if (chars > MAX_RECENT_CHARS && entries.length - from >= least) break;
  }
  return entries.slice(from);
}
