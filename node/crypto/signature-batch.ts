// Signatures on their way to another thread and back: one buffer a batch, which changes its owner and is never copied.
// Layout (little-endian): count (u32), the message lengths (u32 each), then signature, key and message of each record.
// The answer is the same buffer with each length replaced by the verdict.
import type { VerifySignature } from "#shared/protocol/signature.ts";

/** A signature to check: 64 bytes, a message, a key of 32 bytes. */
export interface SignatureRecord {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
}

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const WORD_BYTES = 4;

/** True when a record has the lengths that a batch can hold. */
export function fitsBatch({ signature, publicKey }: SignatureRecord): boolean {
  return signature.length === SIGNATURE_BYTES && publicKey.length === KEY_BYTES;
}

/** Buffer of the records; each must fit. */
export function encodeBatch(records: readonly SignatureRecord[]): ArrayBuffer {
  const headerBytes = (records.length + 1) * WORD_BYTES;
  const bodyBytes = records.reduce((sum, { message }) => sum + SIGNATURE_BYTES + KEY_BYTES + message.length, 0);
  const buffer = new ArrayBuffer(headerBytes + bodyBytes);
  const header = new DataView(buffer);
  const bytes = new Uint8Array(buffer);
  header.setUint32(0, records.length, true);
  let offset = headerBytes;
  for (const [index, { signature, message, publicKey }] of records.entries()) {
    header.setUint32((index + 1) * WORD_BYTES, message.length, true);
    bytes.set(signature, offset);
    bytes.set(publicKey, offset + SIGNATURE_BYTES);
    bytes.set(message, offset + SIGNATURE_BYTES + KEY_BYTES);
    offset += SIGNATURE_BYTES + KEY_BYTES + message.length;
  }
  return buffer;
}

/** Checks every record of a buffer of {@link encodeBatch} and writes the verdicts into it. */
export function verifyBatch(buffer: ArrayBuffer, verify: VerifySignature): void {
  const header = new DataView(buffer);
  const count = header.getUint32(0, true);
  let offset = (count + 1) * WORD_BYTES;
  for (let index = 1; index <= count; index += 1) {
    const keyStart = offset + SIGNATURE_BYTES;
    const messageStart = keyStart + KEY_BYTES;
    const messageEnd = messageStart + header.getUint32(index * WORD_BYTES, true);
    const signature = new Uint8Array(buffer, offset, SIGNATURE_BYTES);
    const publicKey = new Uint8Array(buffer, keyStart, KEY_BYTES);
    const isValid = verify(signature, new Uint8Array(buffer, messageStart, messageEnd - messageStart), publicKey);
    header.setUint32(index * WORD_BYTES, isValid ? 1 : 0, true);
    offset = messageEnd;
  }
}

/** Verdict on the record at `index` of a buffer that {@link verifyBatch} answered. */
export function verdictAt(buffer: ArrayBuffer, index: number): boolean {
  return new DataView(buffer).getUint32((index + 1) * WORD_BYTES, true) === 1;
}
