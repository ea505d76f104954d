// How far one's own large files are with those who download them; loaded with the first of them.
import type { MessageKey } from "../../model/message.ts";
import type { MessageRecord } from "../../model/records.ts";
import type { Change } from "../change.ts";

/** A device has got a chunk of one's own large file that it asked for: how far the one is that has most. */
export function countServed(change: Change, key: MessageKey, record: MessageRecord, index: number): void {
  const { transfer } = record;
  if (transfer === undefined || transfer.from !== undefined) return;
  const { done, total, isHeldUp } = transfer;
  if (done <= index || isHeldUp === true)
    change.updateMessage(key, { ...record, transfer: { done: Math.max(done, Math.min(index + 1, total)), total } });
}

/** The node takes no more of one's own large file for hours. */
export function noteHeldUp(change: Change, key: MessageKey, record: MessageRecord): void {
  const { transfer } = record;
  if (transfer === undefined || transfer.from !== undefined || transfer.isHeldUp === true) return;
  change.updateMessage(key, { ...record, transfer: { ...transfer, isHeldUp: true } });
}
