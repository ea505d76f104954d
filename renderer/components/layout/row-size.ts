// How large rows of people and chats are: two lines, or one where distances are compact.
import { useSettings } from "#renderer/lib/settings/settings-store.ts";

/** Pixels at the normal size of texts. */
export interface RowSize {
  /** Height of a row, as list-row.module.css has it. */
  readonly row: number;
  /** Side of the face in it. */
  readonly face: number;
}

const COMPACT: RowSize = { row: 36, face: 24 };
const ROW_PX = 56;

/** The size of slim rows; `face` is the side of a face where there are two lines. */
export function useRowSize(face = 40): RowSize {
  const isCompact = useSettings(({ density }) => density === "compact");
  return isCompact ? COMPACT : { row: ROW_PX, face };
}
