// Mailboxes of this device for one person each. Their keys follow from the device's secret, the person and a number, so nothing of them is
// stored: a vault that was put back, or another window, knows the same ones, and none is used for two people.
import { sha512 } from "@noble/hashes/sha2.js";
import { type BoxKeyPair, boxKeyPair } from "#shared/protocol/mail/envelope.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import type { BoxName, OwnBox } from "../keyring-api.ts";
import { deriveKey } from "../vault/derivation.ts";
import { wipe } from "../vault/vault-secrets.ts";

const SECRET_BYTES = 32;

/** The key pair of a box: the Montgomery form of an Ed25519 key whose sign bit is 0. The caller wipes the secret. */
export function contactBoxKeys(deviceSecret: Uint8Array, name: BoxName): BoxKeyPair {
  for (let attempt = 0; ; attempt += 1) {
    const seed = deriveKey(deviceSecret, "contact box", saltOf(name, attempt));
    const isUsable = ((ed25519PublicKey(seed)[31] ?? 0) & 0x80) === 0;
    const hashed = sha512(seed);
    const keys = isUsable ? boxKeyPair(hashed.slice(0, SECRET_BYTES)) : undefined;
    wipe(seed, hashed);
    if (keys !== undefined) return keys;
  }
}

/** What the person is told of a box. */
export function ownBox(deviceSecret: Uint8Array, name: BoxName): OwnBox {
  const { publicKey, secretKey } = contactBoxKeys(deviceSecret, name);
  wipe(secretKey);
  return { mailbox: toHex(publicKey), writeSeed: deriveKey(deviceSecret, "contact box writing", saltOf(name)) };
}

/** What tells one box from all others. */
export function saltOf({ chainId, peer, generation }: BoxName, attempt = 0): Uint8Array {
  const numbers = new Uint8Array(5);
  new DataView(numbers.buffer).setUint32(0, generation);
  numbers[4] = attempt;
  return concatBytes(fromHex(peer), numbers, utf8(chainId));
}
