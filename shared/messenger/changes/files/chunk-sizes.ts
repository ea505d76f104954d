// How a file is divided into chunks.
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES } from "#shared/content/content.ts";

export function chunkCount(size: number): number {
  return Math.ceil(size / CHUNK_BYTES);
}

/** Bytes of a chunk of a file of this size, encrypted. */
export function chunkBytes(size: number, index: number): number {
  return Math.min(CHUNK_BYTES, size - index * CHUNK_BYTES) + CHUNK_OVERHEAD_BYTES;
}
