// How to call a person in a sentence: their name, with the end of the address where nothing but themselves stands for it, else their
// address, cut short.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { shorten } from "../../format/key.ts";
import { type Person, usePerson } from "../people-context.tsx";
import { addressTail, claimedName } from "./claimed-name.ts";

/** Name or short address of a person. */
export function useLabelOf(publicKey: PublicKeyHex): string {
  return labelOf(usePerson(publicKey), publicKey);
}

/** The same of a person that is known already. A name that a contact published is theirs; anyone can publish the same one. */
export function labelOf(person: Person, publicKey: PublicKeyHex): string {
  const { name, isContact } = person;
  if (name === undefined) return shorten(formatAddress(publicKey));
  return isClaimed(person) ? claimedName(name, publicKey, isContact) : name;
}

/** The two parts of such a label, for where each has a line: the name or the short address, and the end of the address where that is said. */
export function labelLines(person: Person, publicKey: PublicKeyHex): { readonly name: string; readonly tail?: string } {
  const name = person.name ?? shorten(formatAddress(publicKey));
  return person.name !== undefined && isClaimed(person) ? { name, tail: `…${addressTail(publicKey, person.isContact)}` } : { name };
}

/** True for a name for which nothing stands but its owner. */
function isClaimed({ isOwnName, isProfileName, isVerified, isSelf, isContact }: Person): boolean {
  return !(isOwnName || isVerified || isSelf || (isContact && !isProfileName));
}
