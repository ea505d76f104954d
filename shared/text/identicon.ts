// A small picture of a key: the same key always looks the same. Keys are uniformly random, so their bytes are used as they are.

/** Cells of the grid that are filled, and the two colours. */
export interface IdenticonPattern {
  readonly cells: readonly { readonly x: number; readonly y: number; readonly isStrong: boolean }[];
  /** CSS colours. */
  readonly background: string;
  readonly soft: string;
  readonly strong: string;
}

/** Columns and rows of the grid. */
export const IDENTICON_SIZE = 6;
const HALF = IDENTICON_SIZE / 2;

/** Pattern of a hex key; any other text gets the pattern of its characters. */
export function identiconPattern(key: string): IdenticonPattern {
  const bytes = bytesOf(key);
  const hue = Math.round(((bytes[0] ?? 0) / 256) * 360);
  const second = (hue + 40 + ((bytes[1] ?? 0) % 80)) % 360;
  const cells = [];
  for (let y = 0; y < IDENTICON_SIZE; y += 1) {
    for (let x = 0; x < HALF; x += 1) {
      const byte = bytes[2 + ((y * HALF + x) % (bytes.length - 2))] ?? 0;
      if (byte % 5 < 2) continue;
      const isStrong = byte % 3 === 0;
      cells.push({ x, y, isStrong }, { x: IDENTICON_SIZE - 1 - x, y, isStrong });
    }
  }
  return { cells, background: `oklch(0.91 0.045 ${hue})`, soft: `oklch(0.66 0.11 ${second})`, strong: `oklch(0.45 0.12 ${hue})` };
}

function bytesOf(key: string): readonly number[] {
  if (/^([0-9a-f]{2}){20,}$/i.test(key)) return (key.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
  const bytes = Array.from({ length: 20 }, (_, index) => (index * 71 + 13) % 256);
  [...key].forEach((character, index) => {
    const at = index % bytes.length;
    bytes[at] = ((bytes[at] ?? 0) * 31 + (character.codePointAt(0) ?? 0)) % 256;
  });
  return bytes;
}
