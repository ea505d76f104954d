// Rows as statements take them.

/** Rows as the arrays of their columns. */
export function columns(rows: readonly (readonly unknown[])[], count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, at) => rows.map((row) => row[at]));
}
