// Attached files of a transfer: chunk after chunk as they lie in the store, sealed under the keys that their messages hold.
// A chunk that is not here is left out; the new device shows that the file is not there.
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { mapped } from "#shared/codec/composites.ts";
import { map } from "#shared/codec/maps.ts";
import { bytesUpTo, integer, textUpTo } from "#shared/codec/scalars.ts";
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES, MAX_PUSHED_CHUNKS } from "#shared/content/content.ts";
import { chunkCount } from "../changes/files/chunk-sizes.ts";
import { isLarge } from "../changes/files/files.ts";
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
    index: integer(0, MAX_PUSHED_CHUNKS - 1),
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
  sinceMs: number,
  { key, index }: FilePosition,
): Promise<{ readonly part: FilePart | undefined; readonly next: FilePosition | undefined }> {
  const begun = key === "" ? undefined : await context.store.readMessage(key);
  const found = begun && (await chunkOf(context, begun, sinceMs, index));
  if (found !== undefined) return { part: found, next: { key, index: found.chunk.index + 1 } };
  let after = key === "" ? undefined : key;
  for (let passes = 0; passes < MAX_PASSES; passes += 1) {
    const { records, last } = await context.store.readAll(after, MESSAGES_PER_PASS);
    for (const record of records) {
      const part = await chunkOf(context, record, sinceMs, 0);
      if (part === undefined) continue;
      const at = await context.store.messageKey(part.chunk.author, record.id);
      return { part, next: { key: at, index: part.chunk.index + 1 } };
    }
    if (last === undefined) return { part: undefined, next: undefined };
    after = last;
  }
  return { part: undefined, next: { key: after ?? "", index: 0 } };
}

/** The first chunk of the file of a message, from an index on, that is here. Large files are downloaded by who wants them, device by device. */
async function chunkOf(
  { store, account }: FileContext,
  record: MessageRecord,
  sinceMs: number,
  from: number,
): Promise<FilePart | undefined> {
  if (record.body.kind !== "attachment" || isLarge(record.body) || record.id === "" || record.at < sinceMs) return undefined;
  for (let index = from; index < chunkCount(record.body.size); index += 1) {
    const chunk: ChunkReference = { author: authorOf(record, account.masterPub), id: record.id, index };
    const data = await store.readChunk(chunk);
    if (data !== undefined) return { chunk, data };
  }
  return undefined;
}

/** Bytes of a chunk with its reference. */
export function encodeFilePart(part: FilePart): Uint8Array {
  return encode(partCodec, part);
}

/** @throws TypeError or RangeError for bytes that are none. */
export function decodeFilePart(bytes: Uint8Array): FilePart {
  return decode(partCodec, bytes);
}
