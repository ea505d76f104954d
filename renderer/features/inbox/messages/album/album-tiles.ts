// How wide the tiles of an album are: rows of three, and of two where three do not come out. Pure.

/** Columns of six that each picture takes, by their number. */
export function tileSpans(count: number): readonly number[] {
  const inPairs = count < 3 ? count : [0, 4, 2][count % 3];
  return Array.from({ length: count }, (_, index) => (index < (inPairs ?? 0) ? 3 : 2));
}
