// Ed25519: signing (RFC 8032) and the consensus rule of acceptance, ZIP-215. Nodes put a native verifier in front of it.
import * as ed25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { concatBytes, equalBytes, fromHex, isHex, toHex } from "#shared/util/bytes.ts";
import type { PublicKeyHex } from "./address.ts";

ed25519.hashes.sha512 = sha512;

/** Decides whether a signature (64 bytes) over the message is accepted for a key (32 bytes). Never throws. */
export type VerifySignature = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean;

const { BASE } = ed25519.Point;
/** Order of the base point. */
const ORDER = ed25519.Point.CURVE().n;

/**
 * The consensus rule: ZIP-215 (cofactored, any encoding of A and R, canonical S). Never throws but for a failure of the engine itself, which
 * says nothing of a signature: the library's own verifier would call the signature wrong then.
 */
export const verifyZip215: VerifySignature = (signature, message, publicKey) => {
  if (signature.length !== 64 || publicKey.length !== 32) return false;
  const encodedR = signature.subarray(0, 32);
  const S = integerOf(signature.subarray(32));
  if (S >= ORDER) return false;
  const [A, R] = [pointOf(publicKey, true), pointOf(encodedR, true)];
  if (A === undefined || R === undefined) return false;
  const k = integerOf(sha512(concatBytes(encodedR, publicKey, message))) % ORDER;
  return R.add(A.multiply(k, false)).subtract(BASE.multiply(S, false)).clearCofactor().is0();
};

/** Signature (64 bytes) of the message under a 32-byte seed. */
export function signEd25519(message: Uint8Array, seed: Uint8Array): Uint8Array {
  return ed25519.sign(message, seed);
}

/** Public key (32 bytes) of a 32-byte seed. */
export function ed25519PublicKey(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

/** Canonical encodings of the points of small order, and the two that repeat one of them with a sign on x = 0. */
const SMALL_ORDER: ReadonlySet<PublicKeyHex> = new Set([
  `01${"00".repeat(31)}`,
  `01${"00".repeat(30)}80`,
  `ec${"ff".repeat(30)}7f`,
  `ec${"ff".repeat(31)}`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
]);
/** y at or above the field's prime 2^255 − 19, little-endian, with either sign. */
const UNREDUCED = /^(?:e[def]|f[0-9a-f])(?:ff){30}[7f]f$/;

/**
 * The result of {@link isAcceptablePublicKey} for a key that encodes some point, as every key does under which a signature verified. No
 * arithmetic: what is left to say is which encoding it is.
 */
export function isAcceptablePoint(publicKey: PublicKeyHex): boolean {
  const key = publicKey.toLowerCase();
  return !SMALL_ORDER.has(key) && !UNREDUCED.test(key);
}

/** True when the key is the canonical encoding of a point not of small order: the rule for every `from` and registered Ed25519 key. */
export function isAcceptablePublicKey(publicKey: PublicKeyHex): boolean {
  if (!isHex(publicKey, 32) || UNREDUCED.test(publicKey.toLowerCase())) return false;
  const bytes = fromHex(publicKey);
  const point = pointOf(bytes, false);
  return point !== undefined && equalBytes(point.toBytes(), bytes) && !point.isSmallOrder();
}

/** The point of an encoding, if it is one; a reduced encoding unless any is taken. Failures of the engine are RangeErrors. */
function pointOf(bytes: Uint8Array, takesAny: boolean): ed25519.Point | undefined {
  try {
    return ed25519.Point.fromBytes(bytes, takesAny);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** Little-endian. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes.toReversed())}`);
}
