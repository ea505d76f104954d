// Encryption of files, chunk by chunk, under a key of their own. Stored and sent are the same bytes: no chunk is ever in the clear, and at
// most one is in memory at a time unless the caller collects them.
import { CHUNK_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type Hashing, hashing } from "#shared/protocol/primitives/hash.ts";
import type { ByteSource } from "#shared/util/byte-source.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { chunkBytes, chunkCount } from "./chunk-sizes.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** Key and digest of a file that was encrypted, both hex. */
export interface FileSeal {
  readonly key: string;
  /** SHA-256 of the file in the clear. */
  readonly digest: string;
}

/** A chunk as it is stored and sent. */
export interface SealedChunk {
  readonly index: number;
  readonly data: Uint8Array;
}

/** A file ready to be sent. */
export interface SealedFile extends FileSeal {
  readonly chunks: readonly Uint8Array[];
}

/**
 * Encrypts a file under a fresh key, reading each chunk once and in order: the key never encrypts a second reading, which might have other
 * bytes. Its result is what the message says of the file.
 * @throws CodedError BAD_REQUEST when the source gives more or fewer bytes than it has.
 */
export async function* sealChunks(source: ByteSource): AsyncGenerator<SealedChunk, FileSeal> {
  const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const key = await importKey(secret, "encrypt");
  const hash = hashing();
  for (let index = 0; index < chunkCount(source.size); index += 1) {
    const start = index * CHUNK_BYTES;
    const end = Math.min(start + CHUNK_BYTES, source.size);
    const part = owned(await source.read(start, end));
    if (part.length !== end - start)
      throw new CodedError("BAD_REQUEST", "The file changed while it was read: choose it again", { details: { field: "file" } });
    hash.update(part);
    yield { index, data: new Uint8Array(await crypto.subtle.encrypt(parameters(index), key, part)) };
  }
  return { key: toHex(secret), digest: toHex(hash.digest()) };
}

/** A small file, encrypted, in memory. */
export async function sealFile(source: ByteSource): Promise<SealedFile> {
  const chunks: Uint8Array[] = [];
  const sealing = sealChunks(source);
  for (;;) {
    const step = await sealing.next();
    if (step.done === true) return { ...step.value, chunks };
    chunks.push(step.value.data);
  }
}

/**
 * The parts of a file in the clear, in order. What was yielded counts only once the last one has come: the digest of the whole is compared
 * there. `readChunk` gives undefined for a chunk that is not there.
 * @throws CodedError LOCAL_STORE_FAILED when a chunk or the whole is not what was announced, or a chunk is missing.
 */
export async function* openChunks(
  file: FileSeal & { readonly size: number },
  readChunk: (index: number) => Promise<Uint8Array | undefined>,
  beginHash: () => Hashing = hashing,
): AsyncGenerator<Uint8Array, void> {
  const key = await importKey(fromHex(file.key), "decrypt");
  const hash = beginHash();
  for (let index = 0; index < chunkCount(file.size); index += 1) {
    const chunk = await readChunk(index);
    if (chunk?.length !== chunkBytes(file.size, index)) throw damaged();
    const part = await crypto.subtle.decrypt(parameters(index), key, owned(chunk)).catch(() => {
      throw damaged();
    });
    const bytes = new Uint8Array(part);
    hash.update(bytes);
    yield bytes;
  }
  if (toHex(hash.digest()) !== file.digest) throw damaged();
}

/** The file of its chunks. @throws CodedError like {@link openChunks}. */
export async function openFile(
  file: FileSeal & { readonly size: number },
  readChunk: (index: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of openChunks(file, readChunk)) parts.push(part);
  return concatBytes(...parts);
}

function damaged(): CodedError {
  return new CodedError("LOCAL_STORE_FAILED", "The file is damaged: ask for it again");
}

/** Each key encrypts one file once, so the number of the chunk is nonce enough. */
function parameters(index: number): { readonly name: "AES-GCM"; readonly iv: Uint8Array<ArrayBuffer> } {
  const iv = new Uint8Array(IV_BYTES);
  new DataView(iv.buffer).setUint32(IV_BYTES - 4, index);
  return { name: "AES-GCM", iv };
}

function importKey(secret: Uint8Array, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", owned(secret), "AES-GCM", false, [use]);
}

/** WebCrypto's types take only arrays that own an ArrayBuffer. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
