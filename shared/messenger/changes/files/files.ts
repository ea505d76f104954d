// Files of messages: announced by a message, carried by chunks that may come before it, after it, twice or never.
import { type AttachmentBody, type LargeFileBody, MAX_PUSHED_CHUNKS, MAX_PUSHED_FILE_BYTES } from "#shared/content/content.ts";
import { isLargePreview } from "#shared/media/shown-image.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { MessageKey, StoredAttachment, Transfer } from "../../model/message.ts";
import type { MessageRecord } from "../../model/records.ts";
import type { Change } from "../change.ts";
import { chunkCount } from "./chunk-sizes.ts";
import type { KeptFile } from "./file-box-record.ts";

/** What a file needs that is stored once; loaded with the first one. */
const storedOnce = loadedLate(() => import("./stored-files.ts"));

/** True for a file whose chunks are sent only to devices that ask for them. */
export function isLarge({ size }: Pick<StoredAttachment, "size">): boolean {
  return size > MAX_PUSHED_FILE_BYTES;
}

/** True for a file of which a device can ask for chunks. */
export function isOnRequest(body: Pick<StoredAttachment, "size" | "boxes">): boolean {
  return isLarge(body) || body.boxes !== undefined;
}

/** An announced file as it is stored. A preview that is larger than one has to be is refused; one without a size is never decoded. */
export function storedAttachment({ image, ...body }: AttachmentBody): StoredAttachment {
  const name = visibleText(body.name);
  if (image === null) return { ...body, name, image };
  const preview = isLargePreview(image.preview) ? "" : toBase64(image.preview);
  return { ...body, name, image: { ...image, preview } };
}

/** A large file as it is stored: like every other one. */
export function storedLargeFile(body: LargeFileBody): StoredAttachment {
  return { ...body, kind: "attachment", name: visibleText(body.name), image: null };
}

/** A message with a file, counting the chunks that came before it. */
export async function withTransfer(
  change: Change,
  record: MessageRecord,
  { author, key }: { readonly author: string; readonly key: MessageKey },
): Promise<MessageRecord> {
  if (record.body.kind !== "attachment") return record;
  const total = chunkCount(record.body.size);
  if (isLarge(record.body)) {
    await change.batch.deleteChunks({ author, id: record.id }, MAX_PUSHED_CHUNKS);
    return { ...record, transfer: { done: 0, total, from: "sender" } };
  }
  const done = Math.min(await change.batch.claimChunks({ author, id: record.id }), total);
  if (record.body.boxes !== undefined && done < total)
    return { ...record, transfer: { done, total, ...(await (await storedOnce()).wantStored(change, { record, author, key })) } };
  return { ...record, transfer: { done, total, ...(record.direction === "out" && done < total && { from: "device" }) } };
}

/** One more chunk is where it belongs. */
export function countChunk(change: Change, key: MessageKey, record: MessageRecord): void {
  const { body } = record;
  const transfer = record.transfer ?? (body.kind === "attachment" ? fromHistory(record, body, 0) : undefined);
  if (transfer === undefined || transfer.done >= transfer.total) return;
  const { total, ...unfinished } = transfer;
  const done = transfer.done + 1;
  change.updateMessage(key, { ...record, transfer: done < total ? { ...unfinished, done, total } : { done, total } });
}

/** A file whose chunks come with a history, so many of them so far. A large one is asked for where it is known which device has it. */
export function fromHistory(
  { holder }: Pick<MessageRecord, "holder">,
  body: Pick<StoredAttachment, "size" | "boxes">,
  done: number,
): Transfer {
  const total = chunkCount(body.size);
  const from = isOnRequest(body) && holder !== undefined ? "sender" : "history";
  return done < total ? { done, total, from } : { done: total, total };
}

/** How the file of a message goes. */
export interface FileRemoval {
  /** What is stored once stays for the others; else it is deleted. */
  readonly kept?: KeptFile;
  /** Its bytes stay here, for the caller to remove. */
  readonly leavesBytes?: boolean;
}

/** Forgets the chunks of a message that is removed, and has those deleted that are stored once, unless they are kept for the others. */
export async function dropFile(
  change: Change,
  record: MessageRecord,
  author: string,
  { kept, leavesBytes = false }: FileRemoval = {},
): Promise<void> {
  if (record.transfer === undefined || record.body.kind !== "attachment") return;
  if (record.body.boxes !== undefined && record.direction === "out") await (await storedOnce()).unstore(change, record.id, kept);
  if (!leavesBytes) await change.batch.deleteChunks({ author, id: record.id }, chunkCount(record.body.size));
}
