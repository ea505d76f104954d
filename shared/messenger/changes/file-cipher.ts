// Encryption of files, chunk by chunk, under a key of their own. Stored and sent are the same bytes: no chunk is ever in the clear.
import { CHUNK_BYTES } from "#shared/content/content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes, fromHex, toHex } from "#shared/util/bytes.ts";

const KEY_BYTES = 32;
const IV_BYTES = 12;

/** A file ready to be sent. */
export interface SealedFile {
  /** Hex. */
  readonly key: string;
  /** Hex of SHA-256. */
  readonly digest: string;
  readonly chunks: readonly Uint8Array[];
}

export function chunkCount(size: number): number {
  return Math.ceil(size / CHUNK_BYTES);
}

/** Encrypts a file under a fresh key. */
export async function sealFile(bytes: Uint8Array): Promise<SealedFile> {
  const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const key = await importKey(secret, "encrypt");
  const chunks: Uint8Array[] = [];
  for (let index = 0; index < chunkCount(bytes.length); index += 1) {
    const part = owned(bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
    chunks.push(new Uint8Array(await crypto.subtle.encrypt(parameters(index), key, part)));
  }
  return { key: toHex(secret), digest: await digestOf(bytes), chunks };
}

/** The file of its chunks, in order. @throws CodedError LOCAL_STORE_FAILED when a chunk or the whole is not what was announced. */
export async function openFile(
  file: { readonly key: string; readonly digest: string },
  chunks: readonly Uint8Array[],
): Promise<Uint8Array> {
  const key = await importKey(fromHex(file.key), "decrypt");
  try {
    const parts = await Promise.all(chunks.map((chunk, index) => crypto.subtle.decrypt(parameters(index), key, owned(chunk))));
    const bytes = concatBytes(...parts.map((part) => new Uint8Array(part)));
    if ((await digestOf(bytes)) === file.digest) return bytes;
  } catch {
    throw damaged();
  }
  throw damaged();
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

async function digestOf(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", owned(bytes))));
}

/** WebCrypto's types take only arrays that own an ArrayBuffer. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
