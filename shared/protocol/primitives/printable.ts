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

/** True without control, invisible, direction-changing or unpaired surrogate code points. `allowed` excepts some, such as a line feed. */
export function isPrintable(text: string, allowed: readonly number[] = []): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (!allowed.includes(code) && FORBIDDEN.some(([from, to]) => code >= from && code <= to)) return false;
  }
  return true;
}

/** Number of Unicode code points. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
