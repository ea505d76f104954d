// How to call a person in a sentence: their name, with the end of the address where they sent it themselves, else their address, cut short.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { shorten } from "../../format/key.ts";
import { usePerson } from "../people-context.tsx";
import { claimedName } from "./claimed-name.ts";

/** Name or short address of a person. */
export function useLabelOf(publicKey: PublicKeyHex): string {
  const { name, isProfileName, isVerified } = usePerson(publicKey);
  if (name !== undefined && isProfileName && !isVerified) return claimedName(name, publicKey);
  return name ?? shorten(formatAddress(publicKey));
}
