// The validator's key in this process, signing natively (RFC 8032).
import { createPrivateKey, sign } from "node:crypto";
import type { ValidatorSigner } from "#node/engine/sign-guard.ts";
import { ed25519PublicKey } from "#shared/protocol/signature.ts";
import { toHex } from "#shared/util/bytes.ts";

/** PrivateKeyInfo of an Ed25519 seed without the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** A signer for a 32-byte seed. */
export function createValidatorSigner(seed: Uint8Array): ValidatorSigner {
  const publicKey = toHex(ed25519PublicKey(seed));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  return { publicKey, sign: (bytes) => sign(null, bytes, key) };
}
