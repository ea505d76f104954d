// Files of messages: announced by a message, carried by chunks that may come before it, after it, twice or never.
import {
  type AttachmentBody,
  type ChunkBody,
  type LargeFileBody,
  MAX_PUSHED_CHUNKS,
  MAX_PUSHED_FILE_BYTES,
} from "#shared/content/content.ts";
import { isLargePreview } from "#shared/media/shown-image.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import type { MessageKey, StoredAttachment, Transfer } from "../../model/message.ts";
import type { MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";
import { chunkBytes, chunkCount } from "./chunk-sizes.ts";

/** What a file needs that is stored once; loaded with the first one. */
const storedOnce = loadedLate(() => import("./stored-files.ts"));

/** Chunks that are stored although their message has not come: of ten files that are sent without being asked for. */
const MAX_EARLY_CHUNKS = 500;

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

/** An announced file as it is sent. */
export function attachmentBody({ image, ...body }: StoredAttachment): AttachmentBody | LargeFileBody {
  if (isLarge(body)) {
    const { name, mediaType, size, key, digest, caption, boxes } = body;
    return { kind: "file", name, mediaType, size, key, digest, caption, ...(boxes && { boxes }) };
  }
  return { ...body, image: image === null ? null : { ...image, preview: fromBase64(image.preview) } };
}

/**
 * A chunk has come. Those of strangers are not stored: no stranger can fill a disk. Of large files only what was asked for is, and of what
 * comes before its message only so much as is sent unasked.
 */
export async function applyChunk(
  { account, store, clock }: Pick<EngineContext, "account" | "store" | "clock">,
  change: Change,
  { author, chunk }: { readonly author: string; readonly chunk: ChunkBody },
): Promise<void> {
  if (author !== account.masterPub && !change.isKnown(author)) return;
  const reference = { author, id: chunk.id, index: chunk.index };
  const key = await store.messageKey(author, chunk.id);
  const message = await change.batch.message(key);
  if (message === undefined ? !(await mayBeEarly(change, key, chunk)) : !isExpected(message, chunk)) return;
  if (await change.batch.hasChunk(reference)) return;
  await change.batch.putChunk(reference, chunk.data, message === undefined ? clock.nowMs() : null);
  if (message !== undefined) countChunk(change, key, message);
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

/** Forgets the chunks of a message that is removed, and has those deleted that are stored once; not where only this device is to forget them. */
export async function dropFile(change: Change, record: MessageRecord, author: string, isHereOnly = false): Promise<void> {
  if (record.transfer === undefined || record.body.kind !== "attachment") return;
  if (record.body.boxes !== undefined && record.direction === "out" && !isHereOnly) await (await storedOnce()).unstore(change, record.id);
  await change.batch.deleteChunks({ author, id: record.id }, chunkCount(record.body.size));
}

/** True for a chunk that the message has, of the size that it must have. */
function isExpected({ body, transfer }: MessageRecord, { index, data }: ChunkBody): boolean {
  if (body.kind !== "attachment" || index >= chunkCount(body.size) || data.length !== chunkBytes(body.size, index)) return false;
  return !isLarge(body) || transfer?.isAsked === true;
}

async function mayBeEarly(change: Change, key: MessageKey, { index }: ChunkBody): Promise<boolean> {
  if (index >= MAX_PUSHED_CHUNKS || (await change.batch.hasSeen(key))) return false;
  return (await change.batch.earlyChunks()) < MAX_EARLY_CHUNKS;
}
