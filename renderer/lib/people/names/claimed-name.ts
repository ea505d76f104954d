// A name that its owner sent in messages, as shown where nothing else says who they are: names are not unique.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

const TAIL_CHARS = 5;

/** The name with the end of the address. */
export function claimedName(name: string, publicKey: PublicKeyHex): string {
  return `${name} (…${formatAddress(publicKey).slice(-TAIL_CHARS)})`;
}
