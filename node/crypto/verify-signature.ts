// Ed25519 verification for nodes: a native verifier accepts in tens of microseconds, and what it rejects is decided by the consensus
// rule. Native acceptance must be a subset of that rule; the tests pin it with published edge cases.
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { isAcceptablePublicKey, type VerifySignature, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import { loadSodium, type Sodium } from "./sodium.ts";

/** Imported keys remembered, least recently used first: importing costs a fifth of a verification. */
const MAX_CACHED_KEYS = 4_096;
/** SubjectPublicKeyInfo of an Ed25519 key without the key (RFC 8410). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** A verifier with exactly the results of {@link verifyZip215}. Never throws. */
export function createNativeVerifier(maxCachedKeys = MAX_CACHED_KEYS): VerifySignature {
  const sodium = loadSodium();
  if (sodium === undefined) return createRuntimeVerifier(maxCachedKeys);
  return (signature, message, publicKey) => sodium.verify(signature, message, publicKey) || verifyZip215(signature, message, publicKey);
}

/** The same by the runtime's library alone, which needs its own form of each key. */
export function createRuntimeVerifier(maxCachedKeys: number): VerifySignature {
  const keys = new Map<string, KeyObject>();
  const keyOf = (publicKey: Uint8Array): KeyObject | undefined => {
    const name = Buffer.from(publicKey).toString("latin1");
    const key = keys.get(name) ?? importKey(publicKey);
    if (key === undefined) return undefined;
    keys.delete(name);
    keys.set(name, key);
    const [oldest] = keys.keys();
    if (keys.size > maxCachedKeys && oldest !== undefined) keys.delete(oldest);
    return key;
  };
  return (signature, message, publicKey) => {
    if (signature.length !== 64 || publicKey.length !== 32) return false;
    return verifyNatively(signature, message, keyOf(publicKey)) || verifyZip215(signature, message, publicKey);
  };
}

/** A form of {@link isAcceptablePublicKey} for keys in bytes. Most keys that are acceptable are points of the prime-order group. */
export function createKeyCheck(sodium: Sodium | undefined = loadSodium()): (publicKey: Uint8Array) => boolean {
  return (publicKey) => sodium?.isPrimeOrderPoint(publicKey) === true || isAcceptablePublicKey(toHex(publicKey));
}

function verifyNatively(signature: Uint8Array, message: Uint8Array, key: KeyObject | undefined): boolean {
  if (key === undefined) return false;
  try {
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}

function importKey(publicKey: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: "der", type: "spki" });
  } catch {
    return undefined;
  }
}
