// Loaded before a node's program: blocks of files that its chain does not know are taken up so slowly that a test can end it in the middle.
import { SegmentFile } from "#node/storage/history/segments/segment-file.ts";

const BLOCK_MS = 3;
const { block } = SegmentFile.prototype;
const still = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

SegmentFile.prototype.block = function slowBlock(this: SegmentFile, height): ReturnType<SegmentFile["block"]> {
  Atomics.wait(still, 0, 0, BLOCK_MS);
  return block.call(this, height);
};
