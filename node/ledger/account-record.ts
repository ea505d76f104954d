// The record of an account in bytes: CBOR [balance, history_count, history_hash]. It is read nine times and written five times for one
// transfer, so it is read and written here by its place in the bytes; the tests hold it to the general encoder.
import type { AmountUt } from "#shared/protocol/amount.ts";
import { assertInvariant } from "#shared/util/assert.ts";

/** Balance of a key, and how many entries its history has under which rolling hash. */
export interface Account {
  readonly balanceUt: AmountUt;
  readonly historyCount: number;
  /** 32 bytes; see history.ts. */
  readonly historyHash: Uint8Array;
}

/** Head of an array of three. */
const ARRAY_OF_3 = 0x83;
/** Head of 32 bytes: a byte string whose length is in the next byte. */
const BYTES = 0x58;
const HASH_BYTES = 32;
/** First byte of a number: itself below this, else this plus the power of two of its size in bytes. */
const ONE_BYTE = 24;
const WORD = 0x1_0000_0000;

/** Bytes of an account. */
export function encodeAccount({ balanceUt, historyCount, historyHash }: Account): Uint8Array {
  assertInvariant(historyHash.length === HASH_BYTES, "A history hash has 32 bytes");
  const bytes = new Uint8Array(1 + sizeOf(balanceUt) + sizeOf(historyCount) + 2 + HASH_BYTES);
  bytes[0] = ARRAY_OF_3;
  const end = writeNumber(bytes, writeNumber(bytes, 1, balanceUt), historyCount);
  bytes[end] = BYTES;
  bytes[end + 1] = HASH_BYTES;
  bytes.set(historyHash, end + 2);
  return bytes;
}

/** Account of {@link encodeAccount}. */
export function decodeAccount(bytes: Uint8Array): Account {
  const countAt = 1 + lengthAt(bytes, 1);
  const hashAt = countAt + lengthAt(bytes, countAt);
  const isAccount = bytes[0] === ARRAY_OF_3 && bytes[hashAt] === BYTES && bytes[hashAt + 1] === HASH_BYTES;
  assertInvariant(isAccount && bytes.length === hashAt + 2 + HASH_BYTES, "A state record is no account");
  return { balanceUt: readNumber(bytes, 1), historyCount: readNumber(bytes, countAt), historyHash: bytes.slice(hashAt + 2) };
}

/** Bytes that a number takes. */
function sizeOf(value: number): number {
  if (value < ONE_BYTE) return 1;
  if (value < 0x100) return 2;
  if (value < 0x1_0000) return 3;
  return value < WORD ? 5 : 9;
}

/** Writes a number and gives the place after it. */
function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  assertInvariant(Number.isSafeInteger(value) && value >= 0, "An account holds whole numbers");
  const size = sizeOf(value);
  if (size === 1) {
    bytes[at] = value;
    return at + 1;
  }
  bytes[at] = ONE_BYTE + Math.log2(size - 1);
  let rest = value;
  for (let i = at + size - 1; i > at; i -= 1) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return at + size;
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  assertInvariant(first < ONE_BYTE + 4, "A state record holds no number where one belongs");
  return first < ONE_BYTE ? 1 : 1 + 2 ** (first - ONE_BYTE);
}

function readNumber(bytes: Uint8Array, at: number): number {
  const size = lengthAt(bytes, at);
  if (size === 1) return bytes[at] ?? 0;
  let value = 0;
  for (let i = at + 1; i < at + size; i += 1) value = value * 256 + (bytes[i] ?? 0);
  return value;
}
