// Attached files of a transfer: chunk after chunk as they lie in the store, sealed under the keys that their messages hold.
// A chunk that is not here is left out; the new device shows that the file is not there.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { mapped } from "#shared/codec/composites.ts";
import { map } from "#shared/codec/maps.ts";
import { bytesUpTo, integer, textUpTo } from "#shared/codec/scalars.ts";
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES, MAX_CHUNKS } from "#shared/content/content.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { Change } from "../changes/change.ts";
import { chunkCount } from "../changes/files/chunk-sizes.ts";
import { openChunks } from "../changes/files/file-cipher.ts";
import { fromHistory, isLarge } from "../changes/files/files.ts";
import { authorOf, type MessageRecord } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";
import type { ChunkReference } from "../store/chunk-keys.ts";

/** A chunk of a file on its way. */
export interface FilePart {
  readonly chunk: ChunkReference;
  readonly data: Uint8Array;
}

/** Where one is among the files: at a chunk of the message of a key, then at the messages after it. */
export interface FilePosition {
  /** "" for the beginning. */
  readonly key: string;
  readonly index: number;
}

/** Which files: of messages from a time on, those above 8 MiB or the others. */
export interface WantedFiles {
  readonly sinceMs: number;
  readonly areLarge: boolean;
}

type FileContext = Pick<EngineContext, "store" | "account">;

const MESSAGES_PER_PASS = 200;
/** Pages without files that are read before a response goes out. */
const MAX_PASSES = 20;
const MAX_AUTHOR_BYTES = 128;
const MAX_ID_BYTES = 64;

const partCodec: Codec<FilePart> = mapped(
  map({
    author: textUpTo(MAX_AUTHOR_BYTES, 1),
    id: textUpTo(MAX_ID_BYTES, 1),
    index: integer(0, MAX_CHUNKS - 1),
    data: bytesUpTo(CHUNK_BYTES + CHUNK_OVERHEAD_BYTES, 1),
  }),
  ({ data, ...chunk }) => ({ chunk, data }),
  ({ chunk, data }) => ({ ...chunk, data }),
);

/**
 * The next chunk of a file whose message has `sinceMs` or later, and the position after it; undefined with a position when none was
 * found so far, undefined without one when there is none any more.
 */
export async function chunkAfter(
  context: FileContext,
  { sinceMs, areLarge }: WantedFiles,
  { key, index }: FilePosition,
): Promise<{ readonly part: FilePart | undefined; readonly next: FilePosition | undefined }> {
  const begun = key === "" ? undefined : await context.store.readMessage(key);
  const found = begun && (await chunkOf(context, begun, { sinceMs, areLarge }, index));
  if (found !== undefined) return { part: found, next: { key, index: found.chunk.index + 1 } };
  let after = key === "" ? undefined : key;
  for (let passes = 0; passes < MAX_PASSES; passes += 1) {
    const { records, last } = await context.store.readAll(after, MESSAGES_PER_PASS);
    for (const record of records) {
      const part = await chunkOf(context, record, { sinceMs, areLarge }, 0);
      if (part === undefined) continue;
      const at = await context.store.messageKey(part.chunk.author, record.id);
      return { part, next: { key: at, index: part.chunk.index + 1 } };
    }
    if (last === undefined) return { part: undefined, next: undefined };
    after = last;
  }
  return { part: undefined, next: { key: after ?? "", index: 0 } };
}

/** The first chunk of the file of a message, from an index on, that is here. */
async function chunkOf(
  { store, account }: FileContext,
  record: MessageRecord,
  { sinceMs, areLarge }: WantedFiles,
  from: number,
): Promise<FilePart | undefined> {
  if (record.body.kind !== "attachment" || isLarge(record.body) !== areLarge || record.id === "" || record.at < sinceMs) return undefined;
  // Of one that was never downloaded here no chunk is looked for.
  if (areLarge && record.transfer?.from !== undefined && record.transfer.done === 0) return undefined;
  for (let index = from; index < chunkCount(record.body.size); index += 1) {
    const chunk: ChunkReference = { author: authorOf(record, account.masterPub), id: record.id, index };
    const data = await store.readChunk(chunk);
    if (data !== undefined) return { chunk, data };
  }
  return undefined;
}

/**
 * Compares a file that has come whole with its message. What is something else is taken away: the old device's store was damaged, or not only
 * this device wrote there. Looked at with its last chunk, part by part. True for one that is not whole yet, or that is what it should be.
 */
export async function checkFile(context: EngineContext, { author, id, index }: ChunkReference): Promise<boolean> {
  const { store, writer, linkNode } = context;
  const key = await store.messageKey(author, id);
  const record = await store.readMessage(key);
  if (record?.body.kind !== "attachment" || record.transfer === undefined || record.transfer.done < record.transfer.total) return true;
  const { body } = record;
  if (index !== chunkCount(body.size) - 1) return true;
  try {
    const parts = openChunks(body, (number) => store.readChunk({ author, id, index: number }), linkNode.cipher?.hashing);
    for await (const part of parts) if (part.length === 0) break;
    return true;
  } catch (error) {
    if (!isCodedError(error, "LOCAL_STORE_FAILED") || error.cause !== undefined) throw error;
  }
  await writer.run(async () => {
    const change = new Change(context);
    const now = await change.batch.message(key);
    if (now === undefined) return;
    await change.batch.deleteChunks({ author, id }, chunkCount(body.size));
    change.updateMessage(key, { ...now, transfer: fromHistory(now, body, 0) });
    await change.commit();
  });
  return false;
}

/** Bytes of a chunk with its reference. */
export function encodeFilePart(part: FilePart): Uint8Array {
  return encode(partCodec, part);
}

/** @throws TypeError or RangeError for bytes that are none. */
export function decodeFilePart(bytes: Uint8Array): FilePart {
  return decode(partCodec, bytes);
}
