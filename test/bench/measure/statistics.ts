// Percentiles and tables of the benchmark.

/** Summary of samples. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest-rank percentiles. @throws RangeError without samples. */
export function percentiles(samples: readonly number[]): Percentiles {
  if (samples.length === 0) throw new RangeError("no samples");
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

/** Middle value. */
export function median(samples: readonly number[]): number {
  return percentiles(samples).p50;
}

/** Number with one to three significant decimals, for a table. */
export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Aligned table in Markdown. */
export function table(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return ["", `### ${title}`, "", line(header), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line), ""].join(
    "\n",
  );
}
