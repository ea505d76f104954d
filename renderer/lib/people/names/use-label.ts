// How to call a person in a sentence: their name, with the end of the address where nothing but themselves stands for it, else their
// address, cut short.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { shorten } from "../../format/key.ts";
import { type Person, usePerson } from "../people-context.tsx";
import { claimedName } from "./claimed-name.ts";

/** Name or short address of a person. */
export function useLabelOf(publicKey: PublicKeyHex): string {
  return labelOf(usePerson(publicKey), publicKey);
}

/** The same of a person that is known already. A name that a contact published is theirs; anyone can publish the same one. */
export function labelOf({ name, isOwnName, isProfileName, isVerified, isSelf, isContact }: Person, publicKey: PublicKeyHex): string {
  if (name === undefined) return shorten(formatAddress(publicKey));
  if (isOwnName || isVerified || isSelf || (isContact && !isProfileName)) return name;
  return claimedName(name, publicKey, isContact);
}
