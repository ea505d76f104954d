// Names in ascending order, for views that must find the next key without sorting all of them again.

/** Index of the first name that is at least the sought one, or, when `isGreater`, above it. */
export function positionOf(names: readonly string[], sought: string, isGreater: boolean): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compareNames(names[middle] ?? "", sought);
    if (order < 0 || (isGreater && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Order of names by their code units. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
