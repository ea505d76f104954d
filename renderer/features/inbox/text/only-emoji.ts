// Messages of a few emoji and nothing else, which are shown large. Pure.
import { isOneEmoji } from "#shared/content/chat/one-emoji.ts";

/** More than these are read as text. */
const MOST_EMOJI = 3;
/** An emoji with skin tones, joiners and flags has a few code points; a long tail of joined ones is no picture that any font has. */
const MOST_UNITS = 45;
/** Most texts have one; letters beyond these may be emoji, as ℹ is. */
const LETTER = /[A-Za-z]/;
const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" });

/** True for one to three emoji, with or without spaces between them. */
export function isOnlyEmoji(text: string): boolean {
  const written = text.trim();
  if (written === "" || written.length > MOST_UNITS || LETTER.test(written)) return false;
  const shown = Array.from(SEGMENTS.segment(written), ({ segment }) => segment).filter((segment) => segment.trim() !== "");
  return shown.length <= MOST_EMOJI && shown.every(isOneEmoji);
}
