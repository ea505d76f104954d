// Envelopes that do not say who sent them. The outer box is sealed with a key used once; inside is the sender's device key with a
// second box, which proves it. Only the recipient sees who wrote:
//   ff 50 4c 48 | version u8 = 1 | device key 32 | nonce 24 | NaCl box of the plaintext from that device
import { concatBytes, fromBase64, fromHex, toBase64, toHex } from "#shared/util/bytes.ts";
import type { SealedItem } from "../keyring-api.ts";

const MAGIC = Uint8Array.of(0xff, 0x50, 0x4c, 0x48, 1);
const KEY_BYTES = 32;
const NONCE_BYTES = 24;
const HEAD_BYTES = MAGIC.length + KEY_BYTES + NONCE_BYTES;

/** The content of the outer box for an envelope of the sender's device. */
export function hideSender({ sender_pub, nonce, ciphertext }: SealedItem): Uint8Array {
  return concatBytes(MAGIC, fromHex(sender_pub), fromBase64(nonce), fromBase64(ciphertext));
}

/** The inner envelope of an opened outer box, or undefined when there is none. Never throws. */
export function readHidden(plaintext: Uint8Array): SealedItem | undefined {
  if (plaintext.length < HEAD_BYTES || !MAGIC.every((byte, index) => plaintext[index] === byte)) return undefined;
  const keyEnd = MAGIC.length + KEY_BYTES;
  return {
    sender_pub: toHex(plaintext.subarray(MAGIC.length, keyEnd)),
    nonce: toBase64(plaintext.subarray(keyEnd, HEAD_BYTES)),
    ciphertext: toBase64(plaintext.subarray(HEAD_BYTES)),
  };
}
