// Checks on their way to another thread and back: one buffer a batch, which changes its owner and is never copied. A check is of a
// signature, or of a key that has to be a usable one.
// Layout (little-endian): count (u32), a word (u32) for each check, then the checks. For a signature the word is the message's length,
// and signature, key and message follow; for a key the word is all ones, and the key follows.
// The response is the same buffer with each word replaced by the result.
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";

/** A signature to check: 64 bytes, a message, a key of 32 bytes. */
export interface SignatureRecord {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

/** A key of 32 bytes to check. */
export interface KeyRecord {
  readonly publicKey: Uint8Array;
  readonly signature?: undefined;
}

export interface BatchChecks {
  readonly verify: VerifySignature;
  readonly isAcceptableKey: (publicKey: Uint8Array) => boolean;
}

/** One check of a batch. */
export type BatchRecord = SignatureRecord | KeyRecord;

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const WORD_BYTES = 4;
const KEY_ONLY = 0xffff_ffff;

/** True when a record has the lengths that a batch can hold. */
export function fitsBatch({ signature, publicKey }: BatchRecord): boolean {
  return publicKey.length === KEY_BYTES && (signature === undefined || signature.length === SIGNATURE_BYTES);
}

/** Buffer of the records; each must fit. */
export function encodeBatch(records: readonly BatchRecord[]): ArrayBuffer {
  const headerBytes = (records.length + 1) * WORD_BYTES;
  const buffer = new ArrayBuffer(headerBytes + records.reduce((sum, record) => sum + bytesOf(record), 0));
  const header = new DataView(buffer);
  const bytes = new Uint8Array(buffer);
  header.setUint32(0, records.length, true);
  let offset = headerBytes;
  for (const [index, record] of records.entries()) {
    header.setUint32((index + 1) * WORD_BYTES, record.signature === undefined ? KEY_ONLY : record.message.length, true);
    for (const part of record.signature === undefined ? [record.publicKey] : [record.signature, record.publicKey, record.message]) {
      bytes.set(part, offset);
      offset += part.length;
    }
  }
  return buffer;
}

/** Checks every record of a buffer of {@link encodeBatch} and writes the results into it. */
export function checkBatch(buffer: ArrayBuffer, { verify, isAcceptableKey }: BatchChecks): void {
  const header = new DataView(buffer);
  const count = header.getUint32(0, true);
  let offset = (count + 1) * WORD_BYTES;
  const take = (length: number): Uint8Array => {
    offset += length;
    return new Uint8Array(buffer, offset - length, length);
  };
  for (let index = 1; index <= count; index += 1) {
    const word = header.getUint32(index * WORD_BYTES, true);
    const signature = word === KEY_ONLY ? undefined : take(SIGNATURE_BYTES);
    const publicKey = take(KEY_BYTES);
    const isGood = signature === undefined ? isAcceptableKey(publicKey) : verify(signature, take(word), publicKey);
    header.setUint32(index * WORD_BYTES, isGood ? 1 : 0, true);
  }
}

/** Result for the record at `index` of a buffer of {@link checkBatch}. */
export function resultAt(buffer: ArrayBuffer, index: number): boolean {
  return new DataView(buffer).getUint32((index + 1) * WORD_BYTES, true) === 1;
}

function bytesOf(record: BatchRecord): number {
  return record.signature === undefined ? KEY_BYTES : SIGNATURE_BYTES + KEY_BYTES + record.message.length;
}
