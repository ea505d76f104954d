// Which texts may be names: fixed ranges of code points, because Unicode tables differ between runtimes.

const FORBIDDEN: readonly (readonly [number, number])[] = [
  [0x0000, 0x001f],
  [0x007f, 0x009f],
  [0x00ad, 0x00ad],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xfffe, 0xffff],
  [0xe0000, 0xe007f],
];

/** Joins the emoji around it into one. */
const ZERO_WIDTH_JOINER = 0x200d;
/** What emoji that are joined begin with: symbols, and pictures with tones of skin … */
const EMOJI: readonly (readonly [number, number])[] = [
  [0x2190, 0x2bff],
  [0x1f000, 0x1faff],
];
/** … and end with: the selector of their coloured form too, which nothing shows by itself. */
const EMOJI_ENDS: readonly (readonly [number, number])[] = [...EMOJI, [0xfe0f, 0xfe0f]];

/**
 * True without control, invisible, direction-changing or unpaired surrogate code points, but for a joiner between two emoji.
 * `allowed` excepts further ones, such as a line feed.
 */
export function isPrintable(text: string, allowed: readonly number[] = []): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.every((code, at) => {
    if (allowed.includes(code) || !isWithin(FORBIDDEN, code)) return true;
    return code === ZERO_WIDTH_JOINER && isWithin(EMOJI_ENDS, codes[at - 1]) && isWithin(EMOJI, codes[at + 1]);
  });
}

function isWithin(ranges: readonly (readonly [number, number])[], code = -1): boolean {
  return ranges.some(([from, to]) => code >= from && code <= to);
}

/** Number of Unicode code points. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
