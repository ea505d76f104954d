// People whom a text of a group names: by their key and the place of "@Name" in the text, so that each reader sees the name that they
// know the person by. Pure. Programs that do not know mentions show the text as it is.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Most mentions of one text. */
export const MAX_MENTIONS = 32;
/** Longest "@Name" in a text, UTF-16 units: the longest name with the end of an address. */
export const MAX_MENTION_UNITS = 160;

/** A person named in a text. */
export interface Mention {
  /** Place of the "@" in the text, in UTF-16 units. */
  readonly start: number;
  /** Units of "@Name", at least 2. */
  readonly length: number;
  readonly person: PublicKeyHex;
}

/** A text with the people whom it names. */
export interface MentioningText {
  readonly text: string;
  readonly mentions?: readonly Mention[];
}

const CUTS_PAIR = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/;

/** Those of the first {@link MAX_MENTIONS} that lie on an "@Name" of the text and on no earlier one, in the order of the text. */
export function fittingMentions(text: string, mentions: readonly Mention[]): readonly Mention[] {
  const fitting: Mention[] = [];
  let end = 0;
  for (const mention of mentions.slice(0, MAX_MENTIONS).toSorted((a, b) => a.start - b.start)) {
    if (mention.start < end || !isOnName(text, mention)) continue;
    fitting.push(mention);
    end = mention.start + mention.length;
  }
  return fitting;
}

/** The text with its mentions where there are any, as fields of a body. */
export function mentioningText(text: string, mentions: readonly Mention[] = []): MentioningText {
  const fitting = fittingMentions(text, mentions);
  return fitting.length === 0 ? { text } : { text, mentions: fitting };
}

/** The text as `nameOf` calls the people in it. */
export function withNames({ text, mentions = [] }: MentioningText, nameOf: (person: PublicKeyHex) => string): string {
  let shown = "";
  let at = 0;
  for (const { start, length, person } of mentions) {
    shown += `${text.slice(at, start)}@${nameOf(person)}`;
    at = start + length;
  }
  return shown + text.slice(at);
}

/** True for mentions that name the same people at the same places. */
export function areSameMentions(a: readonly Mention[] = [], b: readonly Mention[] = []): boolean {
  return orderOfMentions(a) === orderOfMentions(b);
}

/** Texts that sort mentions, the same on every device. */
export function orderOfMentions(mentions: readonly Mention[] = []): string {
  return mentions.map(({ start, length, person }) => `${start} ${length} ${person}`).join(" ");
}

function isOnName(text: string, { start, length }: Mention): boolean {
  const end = start + length;
  const isInside = length >= 2 && length <= MAX_MENTION_UNITS && end <= text.length;
  return isInside && text.startsWith("@", start) && !text.slice(start, end).includes("\n") && !CUTS_PAIR.test(text.slice(end - 1, end + 1));
}
