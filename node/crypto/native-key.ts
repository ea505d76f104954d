// Ed25519 keys by the runtime's own library: the first use of the portable one costs a start 30 ms.
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** PrivateKeyInfo of an Ed25519 seed without the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const KEY_BYTES = 32;

/** The private key of a 32-byte seed. */
export function nativePrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
}

/** The public key of a 32-byte seed. */
export function nativePublicKey(seed: Uint8Array): PublicKeyHex {
  return createPublicKey(nativePrivateKey(seed)).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES).toString("hex");
}
