// The validator's key in this process, signing natively (RFC 8032).
import { sign } from "node:crypto";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { nativePrivateKey, nativePublicKey } from "./native-key.ts";

/** A validator's key, wherever it is stored. */
export interface ValidatorSigner {
  readonly publicKey: PublicKeyHex;
  /** Ed25519 signature, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** A signer for a 32-byte seed. */
export function createValidatorSigner(seed: Uint8Array): ValidatorSigner {
  const key = nativePrivateKey(seed);
  return { publicKey: nativePublicKey(seed), sign: (bytes) => sign(null, bytes, key) };
}
