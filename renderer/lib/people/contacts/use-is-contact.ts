// Whether a person is a contact: one of the two accepted the other. Until the lists have come nobody is.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useAccount } from "../../keyring/keyring-context.tsx";
import { entryOf } from "./contact-directory.ts";
import { useContactDirectory } from "./use-contact-directory.ts";

/** True for a contact, and for oneself; false for null, who is nobody that is known. */
export function useIsContact(publicKey: PublicKeyHex | null): boolean {
  const { masterPub } = useAccount();
  const { directory } = useContactDirectory();
  return publicKey !== null && (publicKey === masterPub || entryOf(directory, publicKey).relation === "contact");
}
