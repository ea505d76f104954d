// Which connection ordered a transaction is said in the salt of its id, encrypted: the chain then remembers what a restored journal has
// forgotten, and no one else can read it. 64 bits: connection (16), number (24), and 24 zero bits by which own ones are recognised.
// Encrypted by eight rounds of a balanced Feistel network over HMAC-SHA-256 (Luby and Rackoff).
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "#shared/util/bytes.ts";

/** Largest number of a connection, and of an order of one. */
export const MAX_CONNECTION_NUMBER = 0xffff;
export const MAX_ORDER_NUMBER = 0xffffff;

const ROUNDS = 8;
const ZERO_BITS = 0xffffff;

/** An order of a connection. */
export interface OrderNumber {
  /** Number of the connection, from 1. */
  readonly connection: number;
  /** Number of its order, from 1. */
  readonly order: number;
}

/** The salt (8 bytes) of an order's id. */
export function encryptSalt(key: Uint8Array, { connection, order }: OrderNumber): Uint8Array {
  if (connection < 1 || connection > MAX_CONNECTION_NUMBER || order < 1 || order > MAX_ORDER_NUMBER)
    throw new RangeError("Connections and orders have numbers of 16 and 24 bits");
  let left = (connection * 0x10000 + (order >>> 8)) >>> 0;
  let right = ((order & 0xff) << 24) >>> 0;
  for (let round = 0; round < ROUNDS; round += 1) [left, right] = [right, (left ^ roundOf(key, round, right)) >>> 0];
  return wordsOf(left, right);
}

/** The order of a salt, or undefined for the salt of anything else. */
export function decryptSalt(key: Uint8Array, salt: Uint8Array): OrderNumber | undefined {
  const view = new DataView(salt.buffer, salt.byteOffset, salt.byteLength);
  let left = view.getUint32(0);
  let right = view.getUint32(4);
  for (let round = ROUNDS - 1; round >= 0; round -= 1) [left, right] = [(right ^ roundOf(key, round, left)) >>> 0, left];
  const connection = left >>> 16;
  const order = ((left & 0xffff) << 8) | (right >>> 24);
  return (right & ZERO_BITS) === 0 && connection > 0 && order > 0 ? { connection, order } : undefined;
}

function roundOf(key: Uint8Array, round: number, half: number): number {
  const digest = hmac(sha256, key, concatBytes(Uint8Array.of(round), wordsOf(half)));
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
}

function wordsOf(...words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * words.length);
  const view = new DataView(bytes.buffer);
  for (const [at, word] of words.entries()) view.setUint32(4 * at, word);
  return bytes;
}
