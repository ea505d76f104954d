// How to call somebody in a sentence: their name, else their address cut in the middle.
import { formatAddress, type PublicKeyHex } from "#shared/protocol/address.ts";
import { shorten } from "../format/key.ts";
import { usePerson } from "./people-context.tsx";

/** Name or short address of a person. */
export function useLabelOf(publicKey: PublicKeyHex): string {
  const { name } = usePerson(publicKey);
  return name ?? shorten(formatAddress(publicKey));
}
