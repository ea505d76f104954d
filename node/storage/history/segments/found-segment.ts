// The file that lies in the place of a segment, whatever the table says of it: after a power failure it may be one that was written to repair
// it, and of a damaged one most blocks are still whole.
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { FileLayer } from "../files/file-layer.ts";
import { SegmentFile } from "./segment-file.ts";
import { readSegmentFrame, type SegmentRange, segmentName } from "./segment-format.ts";

/**
 * Opens it. Its blocks have their checksums, and are to be held to the hashes of the chain as those of a peer.
 * @returns undefined when there is none, or its header, index or footer cannot be read
 * @throws CodedError STORAGE_FAILED
 */
export function openFoundSegment(files: FileLayer, range: SegmentRange): SegmentFile | undefined {
  const name = segmentName(range);
  const file = files.open(name);
  if (file === undefined) return undefined;
  try {
    const { sha256 } = readSegmentFrame(file, files.path(name), range);
    return new SegmentFile(files, { ...range, bytes: file.size, sha256 });
  } catch (error) {
    if (isCodedError(error, "STORAGE_CORRUPT")) return undefined;
    throw error;
  } finally {
    file.close();
  }
}
