// Which rows of a chat are in the document: those near the view, and apart from them those in which a selection of text begins and ends. A
// selection whose ends leave the document would be lost. Pure.
import type { ChatRow } from "../rows/chat-row.ts";
import type { RowPositions, RowRange } from "../scroll/row-positions.ts";

/** A row that is drawn. */
export interface ShownRow {
  readonly row: ChatRow;
  /** Pixels from the top of all rows, for a row that is apart from those near the view. */
  readonly top: number | undefined;
}

/** The rows in their order. */
export function rowsToShow(
  rows: readonly ChatRow[],
  { positions, range }: { readonly positions: RowPositions; readonly range: RowRange },
  kept: readonly string[],
): readonly ShownRow[] {
  const near = rows.slice(range.first, range.end).map((row) => ({ row, top: undefined }));
  const indexes = kept.map((key) => positions.indexOf(key)).filter((index) => index !== undefined);
  const apart = (isThere: (index: number) => boolean): readonly ShownRow[] =>
    indexes
      .filter(isThere)
      .sort((a, b) => a - b)
      .flatMap((index) => rows.slice(index, index + 1).map((row) => ({ row, top: positions.startOf(index) })));
  return [...apart((index) => index < range.first), ...near, ...apart((index) => index >= range.end)];
}
