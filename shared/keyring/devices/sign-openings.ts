// What a device signs to open and to close its mailboxes for one person each; loaded with the first of them.
import { type BoxOpening, openingSignBytes } from "#shared/protocol/mail/box-opening.ts";
import { signXEd25519, XEDDSA_RANDOM_BYTES } from "#shared/protocol/mail/xeddsa.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toBase64, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { OpeningsRequest } from "../keyring-api.ts";
import { deriveKey } from "../vault/derivation.ts";
import { wipe } from "../vault/vault-secrets.ts";
import { contactBoxKeys, saltOf } from "./contact-boxes.ts";

/** Signs openings of boxes; one that is to be closed is opened for a key that no one was given. */
export function signOpenings(
  deviceSecret: Uint8Array,
  { boxes, isClosing = false, untilSec, height }: OpeningsRequest,
  random: RandomBytes,
): readonly BoxOpening[] {
  return boxes.map((name) => {
    const { publicKey, secretKey } = contactBoxKeys(deviceSecret, name);
    const writeSeed = deriveKey(deviceSecret, isClosing ? "contact box closing" : "contact box writing", saltOf(name));
    const writeKey = toHex(ed25519PublicKey(writeSeed));
    const opening = { mailbox: toHex(publicKey), writeKey, read: "anyone", untilSec, height } as const;
    const signature = signXEd25519(openingSignBytes(name.chainId, opening), secretKey, random(XEDDSA_RANDOM_BYTES));
    wipe(secretKey, writeSeed);
    return { ...opening, signature: toBase64(signature) };
  });
}
