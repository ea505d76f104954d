// SHA-256, the only hash of the protocol.
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";

/** SHA-256 of the bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}

/** SHA-256 of what comes in parts. */
export interface Hashing {
  update(part: Uint8Array): unknown;
  /** 32 bytes; nothing is added after it. */
  digest(): Uint8Array;
}

/** Begins a SHA-256 of parts. */
export function hashing(): Hashing {
  return nobleSha256.create();
}

/** A function with the contract of {@link sha256}; nodes pass a native one to the hot paths. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** 32 zero bytes: the hash that stands for "nothing". */
export const ZERO_HASH: Uint8Array = new Uint8Array(32);
