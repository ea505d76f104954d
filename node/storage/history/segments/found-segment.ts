// The file that lies in the place of a segment, whatever the table says of it: after a power failure it may be one that was written to repair
// it, and of a damaged one most blocks are still whole.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { FileLayer } from "../files/file-layer.ts";
import type { SealedBlock } from "./segment-block.ts";
import { SegmentFile } from "./segment-file.ts";
import { readSegmentFrame, type SegmentRange, segmentName } from "./segment-format.ts";

/**
 * Opens it. Its blocks have their checksums, and are to be held to the hashes of the chain as those of a peer.
 * @returns undefined when there is none, or its header, index or footer cannot be read
 */
export function openFoundSegment(files: FileLayer, range: SegmentRange): SegmentFile | undefined {
  return unlessUnreadable(() => {
    const name = segmentName(range);
    const file = files.open(name);
    if (file === undefined) return undefined;
    try {
      const { sha256 } = readSegmentFrame(file, files.path(name), range);
      return new SegmentFile(files, { ...range, bytes: file.size, sha256 });
    } finally {
      file.close();
    }
  });
}

/** A block as the file has it; undefined when it is damaged there, or the disk does not give it. */
export function foundBlock(file: SegmentFile | undefined, height: Height): SealedBlock | undefined {
  return unlessUnreadable(() => file?.block(height));
}

/** A disk that fails at a sector reports that, and gives no other bytes. */
function unlessUnreadable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isCodedError(error, "STORAGE_CORRUPT") || isCodedError(error, "STORAGE_FAILED")) return undefined;
    throw error;
  }
}
