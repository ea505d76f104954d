// Writes the file of a segment once more, out of blocks that come from elsewhere, and puts it in the place of the damaged one. The file is
// whole and durable before it has the name; a crash before the table names it leaves another damaged file, which is replaced again.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { SealableBlock } from "../segments/segment-block.ts";
import { type NamedSegment, SegmentFile } from "../segments/segment-file.ts";
import { segmentName } from "../segments/segment-format.ts";
import { SegmentWriter } from "../segments/segment-writer.ts";
import type { SealedHistory } from "./sealed-history.ts";

/** Removed by the next start, as all that no table names. */
const TEMPORARY = ".repair.tmp";

/**
 * Replaces the file of a segment.
 * @param block of a height, proven to be the one that was sealed.
 * @throws CodedError of the storage, or what `block` throws: the segment stays as it was.
 */
export async function repairSegment(
  history: SealedHistory,
  { first, last, genesisHash }: NamedSegment,
  block: (height: Height) => Promise<SealableBlock>,
): Promise<void> {
  const { files } = history;
  const range = { first, last, genesisHash };
  const name = segmentName(range);
  let writer: SegmentWriter | undefined;
  let isWritten = false;
  try {
    writer = new SegmentWriter(files, name + TEMPORARY, range);
    for (let height = first; height <= last; height += 1) writer.add(await block(height));
    const segment: NamedSegment = { ...range, ...writer.finish() };
    isWritten = true;
    files.rename(name + TEMPORARY, name);
    files.syncFolder();
    const file = new SegmentFile(files, segment);
    try {
      // Requests are served meanwhile.
      for (let height = first; height <= last; height += 1) {
        file.block(height);
        await nextTurn();
      }
    } finally {
      file.close();
    }
    history.replace(segment);
  } catch (error) {
    if (!isWritten) writer?.abandon();
    files.unlink(name + TEMPORARY);
    throw error;
  }
}
