// Files of messages: announced by a message, carried by chunks that may come before it, after it, twice or never.
import type { AttachmentBody, ChunkBody } from "#shared/content/content.ts";
import { isLargePreview } from "#shared/media/shown-image.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { fromBase64, toBase64 } from "#shared/util/bytes.ts";
import type { MessageKey, StoredAttachment, Transfer } from "../model/message.ts";
import type { MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { Change } from "./change.ts";
import { chunkCount } from "./file-cipher.ts";

/** An announced file as it is stored. A preview that is larger than one has to be is refused; one without a size is never decoded. */
export function storedAttachment({ image, ...body }: AttachmentBody): StoredAttachment {
  const name = visibleText(body.name);
  if (image === null) return { ...body, name, image };
  const preview = isLargePreview(image.preview) ? "" : toBase64(image.preview);
  return { ...body, name, image: { ...image, preview } };
}

/** An announced file as it is sent. */
export function attachmentBody({ image, ...body }: StoredAttachment): AttachmentBody {
  return { ...body, image: image === null ? null : { ...image, preview: fromBase64(image.preview) } };
}

/** A chunk has come. Those of strangers are not stored: no stranger can fill a disk. */
export async function applyChunk(
  { account, store, clock }: Pick<EngineContext, "account" | "store" | "clock">,
  change: Change,
  { author, chunk }: { readonly author: string; readonly chunk: ChunkBody },
): Promise<void> {
  if (author !== account.masterPub && !change.isKnown(author)) return;
  const reference = { author, id: chunk.id, index: chunk.index };
  const key = await store.messageKey(author, chunk.id);
  const message = await change.batch.message(key);
  if (message === undefined ? await change.batch.hasSeen(key) : !isExpected(message, chunk.index)) return;
  if (await change.batch.hasChunk(reference)) return;
  await change.batch.putChunk(reference, chunk.data, message === undefined ? clock.nowMs() : null);
  if (message !== undefined) countChunk(change, key, message);
}

/** A message with a file, counting the chunks that came before it. */
export async function withTransfer(change: Change, record: MessageRecord, author: string): Promise<MessageRecord> {
  if (record.body.kind !== "attachment") return record;
  const total = chunkCount(record.body.size);
  const done = Math.min(await change.batch.claimChunks({ author, id: record.id }), total);
  return { ...record, transfer: { done, total, ...(record.direction === "out" && done < total && { from: "device" }) } };
}

/** One more chunk is where it belongs. */
export function countChunk(change: Change, key: MessageKey, record: MessageRecord): void {
  const { body } = record;
  const transfer = record.transfer ?? (body.kind === "attachment" ? fromHistory(body, 0) : undefined);
  if (transfer === undefined || transfer.done >= transfer.total) return;
  const { from, total } = transfer;
  const done = transfer.done + 1;
  change.updateMessage(key, { ...record, transfer: { done, total, ...(from !== undefined && done < total && { from }) } });
}

/** A file whose chunks come with a history, so many of them so far. */
export function fromHistory({ size }: Pick<StoredAttachment, "size">, done: number): Transfer {
  const total = chunkCount(size);
  return done < total ? { done, total, from: "history" } : { done: total, total };
}

/** Forgets the chunks of a message that is removed. */
export async function dropFile(change: Change, record: MessageRecord, author: string): Promise<void> {
  if (record.transfer !== undefined) await change.batch.deleteChunks({ author, id: record.id });
}

function isExpected({ body }: MessageRecord, index: number): boolean {
  return body.kind === "attachment" && index < chunkCount(body.size);
}
