// Ed25519: signing (RFC 8032) and the consensus rule of acceptance, ZIP-215. Nodes put a native verifier in front of it.
import * as ed25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { equalBytes, fromHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "./address.ts";

ed25519.hashes.sha512 = sha512;

/** Decides whether a signature (64 bytes) over the message is accepted for a key (32 bytes). Never throws. */
export type VerifySignature = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

/** The consensus rule: ZIP-215 (cofactored, any encoding of A and R, canonical S). Never throws. */
export const verifyZip215: VerifySignature = (signature, message, publicKey) => {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: true });
  } catch {
    return false;
  }
};

/** Signature (64 bytes) of the message under a 32-byte seed. */
export function signEd25519(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed);
}

/** Public key (32 bytes) of a 32-byte seed. */
export function ed25519PublicKey(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

/** True when the key is the canonical encoding of a point that is not of small order: the rule for every `from` and registered Ed25519 key. */
export function isAcceptablePublicKey(publicKey: PublicKeyHex): boolean {
  try {
    const bytes = fromHex(publicKey);
    const point = ed25519.Point.fromBytes(bytes, false);
    return equalBytes(point.toBytes(), bytes) && !point.isSmallOrder();
  } catch {
    return false;
  }
}
