// The id of an envelope. Apart from sealing and opening, so that who only compares ids loads no cipher.
import { concatBytes, toHex } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";

const ID_BYTES = 16;

/** Hex of the first 16 bytes of SHA-256 over nonce and ciphertext. */
export function envelopeId(nonce: Uint8Array, ciphertext: Uint8Array, hash: Sha256 = sha256): string {
  return toHex(hash(concatBytes(nonce, ciphertext)).subarray(0, ID_BYTES));
}
