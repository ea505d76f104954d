// Keys of the chunks of files in the store: keyed hashes, so that they reveal no author.
import type { MessageId } from "#shared/content/content.ts";
import type { RecordCipher } from "./sealing/record-cipher.ts";

/** A chunk of the file of a message. The author is part of it: no one can add to the file of another author. */
export interface ChunkReference {
  readonly author: string;
  readonly id: MessageId;
  readonly index: number;
}

/** Key of the chunk, and the one that all chunks of its file share. */
export async function chunkKeys(
  cipher: RecordCipher,
  { author, id, index }: ChunkReference,
): Promise<{ readonly key: string; readonly file: string }> {
  return { key: await cipher.index("chunk", author, id, String(index)), file: await cipher.index("file", author, id) };
}
