// Takes chunks of files that come; loaded with the first one.
import { type ChunkBody, MAX_PUSHED_CHUNKS } from "#shared/content/content.ts";
import type { MessageKey } from "../../model/message.ts";
import type { MessageRecord } from "../../model/records.ts";
import type { EngineContext } from "../../state/engine-context.ts";
import type { Change } from "../change.ts";
import { chunkBytes, chunkCount } from "./chunk-sizes.ts";
import { countChunk, isLarge } from "./files.ts";

/** Chunks that are stored although their message has not come: of ten files that are sent without being asked for. */
const MAX_EARLY_CHUNKS = 500;

/**
 * A chunk has come. Those of strangers are not stored: no stranger can fill a disk. Of large files only what was asked for is, and of what
 * comes before its message only so much as is sent unasked.
 */
export async function applyChunk(
  { account, store, clock, undoable }: Pick<EngineContext, "account" | "store" | "clock" | "undoable">,
  change: Change,
  { author, chunk }: { readonly author: string; readonly chunk: ChunkBody },
): Promise<void> {
  if (author !== account.masterPub && !change.isKnown(author)) return;
  const reference = { author, id: chunk.id, index: chunk.index };
  const key = await store.messageKey(author, chunk.id);
  const message = await change.batch.message(key);
  const known = message ?? undoable.get(key)?.record;
  if (known === undefined ? !(await mayBeEarly(change, key, chunk)) : !isExpected(known, chunk)) return;
  // A large one whose removal can still be undone is asked for again then.
  if (message === undefined && known?.body.kind === "attachment" && isLarge(known.body)) return;
  if (await change.batch.hasChunk(reference)) return;
  await change.batch.putChunk(reference, chunk.data, message === undefined ? clock.nowMs() : null);
  if (message !== undefined) countChunk(change, key, message);
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
