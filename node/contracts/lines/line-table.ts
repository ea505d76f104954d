// Lines of a contract's source by positions in the code section of its module, as its compiler left them beside the module.
import type { SourceLine } from "#node/vm/faults/code-place.ts";

/** From a position on, the code belongs to a line. */
export interface LineRow {
  /** Position in the content of the code section. */
  readonly at: number;
  readonly file: string;
  readonly line: number;
  /** From 1; 0 when the compiler does not say. */
  readonly column: number;
  /** The source is the author's own, not of the SDK or a library. */
  readonly isOwn: boolean;
}

/** Rows in the order of their positions. */
export type LineTable = readonly LineRow[];

/**
 * The line of a position within a function. What the optimiser moved in from the SDK or a library belongs to the author's line in front of
 * it, so that one is taken, where the function has one.
 */
export function lineAt(table: LineTable, at: number, start: number): SourceLine | undefined {
  let index = table.findLastIndex((row) => row.at <= at);
  const nearest = table[index];
  if (nearest === undefined || nearest.at < start) return undefined;
  while (index >= 0) {
    const row = table[index];
    if (row === undefined || row.at < start) break;
    if (row.isOwn) return describe(row);
    index -= 1;
  }
  return describe(nearest);
}

function describe({ file, line, column, isOwn }: LineRow): SourceLine {
  return { text: column === 0 ? `${file}:${line}` : `${file}:${line}:${column}`, isOwn };
}
