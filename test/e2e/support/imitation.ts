// An address that imitates another one: other keys in the middle, the same characters at both ends. What an attacker searches for.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Characters at the end that are made equal; the beginning is equal by itself. */
const EQUAL_END = 3;
const KEPT_DIGITS = 40;

/** Address of a key that no one has, alike at both ends. */
export function imitationOf(publicKey: PublicKeyHex): string {
  const end = formatAddress(publicKey).slice(-EQUAL_END);
  for (let tries = 1; ; tries += 1) {
    const address = formatAddress(`${publicKey.slice(0, KEPT_DIGITS)}${tries.toString(16).padStart(publicKey.length - KEPT_DIGITS, "0")}`);
    if (address.endsWith(end)) return address;
  }
}
