// SLIP-0010 for Ed25519: hardened derivation only, as the curve allows no other.
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8 } from "#shared/util/bytes.ts";

/** A node of the derivation tree: private key (an Ed25519 seed) and chain code, 32 bytes each. */
export interface Slip10Node {
  readonly key: Uint8Array;
  readonly chainCode: Uint8Array;
}

const HARDENED = 0x8000_0000;
const CURVE = utf8("ed25519 seed");

/** Root node of a seed of 16–64 bytes. */
export function slip10Master(seed: Uint8Array): Slip10Node {
  return split(hmac(sha512, CURVE, seed));
}

/** Hardened child; the index is given without the hardening bit. */
export function slip10Child(parent: Slip10Node, index: number): Slip10Node {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED) throw new RangeError("index is an integer from 0 to 2^31 - 1");
  const data = new Uint8Array(37);
  data.set(parent.key, 1);
  new DataView(data.buffer).setUint32(33, index + HARDENED);
  const node = split(hmac(sha512, parent.chainCode, data));
  data.fill(0);
  return node;
}

/** Node at a path of hardened indexes, e.g. [44, 28780, 0, 0] for m/44'/28780'/0'/0'. */
export function slip10Derive(seed: Uint8Array, path: readonly number[]): Slip10Node {
  return path.reduce(slip10Child, slip10Master(seed));
}

function split(bytes: Uint8Array): Slip10Node {
  return { key: concatBytes(bytes.subarray(0, 32)), chainCode: concatBytes(bytes.subarray(32)) };
}
