// The validator's key in this process, signing natively (RFC 8032).
import { sign } from "node:crypto";
import type { ValidatorSigner } from "#node/engine/sign-guard.ts";
import { nativePrivateKey, nativePublicKey } from "./native-key.ts";

/** A signer for a 32-byte seed. */
export function createValidatorSigner(seed: Uint8Array): ValidatorSigner {
  const key = nativePrivateKey(seed);
  return { publicKey: nativePublicKey(seed), sign: (bytes) => sign(null, bytes, key) };
}
