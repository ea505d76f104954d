// The name under which a device types to another one: only the two know whose it is, and it changes every ten minutes.
import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, toHex, utf8 } from "#shared/util/bytes.ts";
import type { X25519KeyHex } from "../mail/envelope.ts";

/** How long a name is used, ms. */
export const TYPING_SLOT_MS = 600_000;
const NAME_BYTES = 32;
const SLOT_BYTES = 8;
/** Keys of mailboxes have it 0. */
const TOP_BIT = 0x80;

/** Number of the ten minutes in which a time lies, milliseconds since 1970. */
export function typingSlot(ms: number): number {
  return Math.floor(ms / TYPING_SLOT_MS);
}

/**
 * The name in a slot, in the form of a mailbox's key: HKDF of the pre-shared key of a card that the recipient's device drew for the sender's.
 * `psk`: 32 bytes.
 */
export function typingName(psk: Uint8Array, slot: number): X25519KeyHex {
  const number = new Uint8Array(SLOT_BYTES);
  new DataView(number.buffer).setBigUint64(0, BigInt(slot));
  const name = hkdf(sha256, psk, undefined, concatBytes(utf8("parley/2 typing"), number), NAME_BYTES);
  const last = NAME_BYTES - 1;
  name[last] = (name[last] ?? 0) & ~TOP_BIT;
  return toHex(name);
}
