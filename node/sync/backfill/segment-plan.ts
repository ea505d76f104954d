// Which blocks become a segment, and in which parts they are requested: by what their headers say. Pure.
import type { FillPlan } from "#node/storage/snapshots/backfill/segment-fill.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";
import type { LinkedHeader } from "./filled-block.ts";

/** A segment without who signed its blocks. */
export interface PlannedSegment extends Pick<FillPlan, "first" | "last" | "timeBelowMs"> {
  /** Of its blocks, ascending. */
  readonly headers: readonly LinkedHeader[];
}

/**
 * The highest of the blocks that are enough for a segment, none below a height.
 * @param headers ascending, up to the block below the lowest one that is here; of the one below `first` too, unless that is genesis
 */
export function planSegment(headers: readonly LinkedHeader[], first: Height): PlannedSegment {
  const [lowest, highest] = [headers[0]?.header, headers.at(-1)?.header];
  assertInvariant(
    lowest !== undefined && highest !== undefined && lowest.height <= Math.max(0, first - 1),
    "A segment is planned from its headers",
  );
  let transactions = 0;
  let from = highest.height + 1;
  for (const { header } of headers.toReversed()) {
    transactions += header.txCount;
    const isFull = transactions > BACKFILL_LIMITS.segmentTransactions && from <= highest.height;
    if (header.height < first || isFull) break;
    from = header.height;
  }
  return {
    first: from,
    last: highest.height,
    timeBelowMs: headers[from - 1 - lowest.height]?.header.timeMs,
    headers: headers.slice(from - lowest.height),
  };
}

/**
 * Where a segment begins instead that had too many bytes: so many of its blocks had not. Those above are taken for as large, with a quarter
 * more; where they are larger still, it is shortened again.
 */
export function shorterFrom({ last }: Pick<PlannedSegment, "last">, taken: number): Height {
  return last + 1 - Math.max(1, Math.floor((taken * 3) / 4));
}

/** Blocks of the next segment after one of so many blocks and bytes: more of them, unless those filled half of it. */
export function nextSegmentBlocks(blocks: number, bytes: number): number {
  const { segmentBlocks, segmentBytes } = BACKFILL_LIMITS;
  return bytes < segmentBytes / 2 ? Math.min(segmentBlocks, 2 * blocks) : blocks;
}

/** How many blocks are requested at once from a height on: at least one. */
export function batchOf(headers: readonly LinkedHeader[], from: Height): number {
  const { batchBlocks, batchTransactions } = BACKFILL_LIMITS;
  const first = from - (headers[0]?.header.height ?? 0);
  let transactions = 0;
  let count = 0;
  for (const { header } of headers.slice(first, first + batchBlocks)) {
    transactions += header.txCount;
    if (count > 0 && transactions > batchTransactions) break;
    count += 1;
  }
  return count;
}
