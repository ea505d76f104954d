// Where a page of lines that contracts logged begins and ends, in places of the index.
import { compareLogPositions, type LogPosition, type LogQuery } from "#node/queries/contract-logs.ts";
import { SEQ_PER_BLOCK } from "../chain-schema.ts";

/** Both ends are left out. */
export interface Bounds {
  readonly contract: number;
  readonly fromSeq: number;
  readonly fromLine: number;
  readonly toSeq: number;
  readonly toLine: number;
  readonly limit: number;
}

/** Where a line is. */
interface Line {
  readonly seq: number;
  readonly line: number;
}

/** Lines that a page of events reads at most, in which the events of the filter may be. */
export const MAX_READ_LINES = 2_000;
/** Lines that it reads at once. */
export const LINES_AT_ONCE = 200;
/** Bytes of the transactions of its lines after which a page ends, whatever it has found: each may have a megabyte. */
export const MAX_READ_BYTES = 4_194_304;
/** Entries that are counted of each field to search by the rarest. */
export const COUNTED_ENTRIES = 256;

/** The bounds of a page, within what can be compared exactly. */
export function boundsOf({ order, since = 0, after }: LogQuery): Omit<Bounds, "contract" | "limit"> {
  const first: LogPosition = { height: Math.min(since, MAX_HEIGHT), position: 0, line: -1 };
  const last: LogPosition = { height: MAX_HEIGHT, position: 0, line: 0 };
  const limited = after === undefined ? undefined : { ...after, height: Math.min(after.height, MAX_HEIGHT) };
  const from = limited === undefined || order === "desc" || compareLogPositions(limited, first) < 0 ? first : limited;
  const to = limited === undefined || order === "asc" ? last : limited;
  return { fromSeq: seqOf(from), fromLine: from.line, toSeq: seqOf(to), toLine: to.line };
}

/** Above every block, and its positions are exact integers. */
const MAX_HEIGHT = Math.floor(Number.MAX_SAFE_INTEGER / SEQ_PER_BLOCK) - 1;

function seqOf({ height, position }: LogPosition): number {
  return height * SEQ_PER_BLOCK + Math.min(position, SEQ_PER_BLOCK - 1);
}

/** Place of a line in the words of queries. */
export function positionOf(row: Line): LogPosition;
export function positionOf(row: Line | undefined): LogPosition | undefined;
export function positionOf(row: Line | undefined): LogPosition | undefined {
  if (row === undefined) return undefined;
  return { height: Math.floor(row.seq / SEQ_PER_BLOCK), position: row.seq % SEQ_PER_BLOCK, line: row.line };
}
