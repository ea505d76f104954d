// A name that its owner told in messages, as it stands where nothing else says who they are: anybody may choose any name.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

const TAIL_CHARS = 5;

/** The name with the end of the address. */
export function claimedName(name: string, publicKey: PublicKeyHex): string {
  return `${name} (…${formatAddress(publicKey).slice(-TAIL_CHARS)})`;
}
