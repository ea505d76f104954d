// Keys of React for items whose names a stranger chose, and which may be there twice.

/** A key for each name: the name, and how often it was there before. */
export function uniqueKeys(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `${count}:${name}`;
  });
}
