// A name that its owner chose, as shown where nothing else says who they are: names are not unique, and the end of a key can be made to
// fit. Of a contact five characters are shown; of anyone else twelve, 60 bits, which no one can make to fit.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";

const CONTACT_TAIL_CHARS = 5;
/** Five bits each. */
export const STRANGER_TAIL_CHARS = 12;
/** A longer name would push the end of the address out of sight. */
const MAX_NAME_CHARS = 32;

/** The name with the end of the address. */
export function claimedName(name: string, publicKey: PublicKeyHex, isContact: boolean): string {
  const tail = addressTail(publicKey, isContact);
  const characters = [...name];
  const shown = isContact || characters.length <= MAX_NAME_CHARS ? name : `${characters.slice(0, MAX_NAME_CHARS).join("")}…`;
  return `${shown} (…${tail})`;
}

/** So much of the end of an address as distinguishes a person. */
export function addressTail(publicKey: PublicKeyHex, isContact: boolean): string {
  return formatAddress(publicKey).slice(-(isContact ? CONTACT_TAIL_CHARS : STRANGER_TAIL_CHARS));
}
