// Which entries of a log a content carries. Pure.
import type { GroupBase } from "#shared/content/group-content.ts";
import { MAX_CONTENT_ENTRIES } from "#shared/protocol/groups/group-bounds.ts";
import type { GroupLog } from "#shared/protocol/groups/group-log.ts";
import { partsAt } from "#shared/protocol/groups/join-base.ts";
import { toBase64 } from "#shared/util/bytes.ts";

/** Characters of base64 of the entries in one content: with all else it fits in an envelope. */
const MAX_PART_CHARS = 160_000;
/** The same beside a change, for those who know what was before. */
const MAX_RECENT_CHARS = 32_000;

/** What one content says of a log. */
export interface LogPart {
  readonly log: readonly string[];
  readonly base?: GroupBase;
}

/** All entries, in as many parts as they need, parents first; with the first part the base at which they begin. */
export function partsOfLog(log: GroupLog): readonly LogPart[] {
  const { base, entries } = partsAt(log);
  const sent = base && { kept: base.kept.map(({ text }) => text), state: toBase64(base.state) };
  const size = sent === undefined ? 0 : [...sent.kept, sent.state].reduce((sum, text) => sum + text.length, 0);
  const parts = partsOf(
    entries.map(({ text }) => text),
    size,
  );
  return parts.map((part, index) => ({ log: part, ...(index === 0 && sent && { base: sent }) }));
}

function partsOf(entries: readonly string[], sizeBeside: number): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let chars = 0;
  for (const text of entries) {
    const part = parts.at(-1);
    if (part === undefined || chars + text.length > MAX_PART_CHARS || part.length >= MAX_CONTENT_ENTRIES) {
      chars = text.length + (parts.length === 0 ? sizeBeside : 0);
      parts.push([text]);
    } else {
      part.push(text);
      chars += text.length;
    }
  }
  return parts;
}

/** The last entries behind the base, at least `least` of them. */
export function recentOf(log: GroupLog, least: number): readonly string[] {
  const entries = partsAt(log).entries.map(({ text }) => text);
  let from = entries.length;
  for (let chars = 0; from > 0 && entries.length - from < MAX_CONTENT_ENTRIES; from -= 1) {
    chars += entries[from - 1]?.length ?? 0;
    if (chars > MAX_RECENT_CHARS && entries.length - from >= least) break;
  }
  return entries.slice(from);
}
