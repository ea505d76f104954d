// Whether a person is a contact: one of the two accepted the other. Until the lists have come no one is.
import { useQuery } from "@tanstack/react-query";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useKeyringValue } from "../../keyring/keyring-context.tsx";
import { useNodeQueries } from "../../node/queries.ts";
import { createContactDirectory } from "./contact-directory.ts";

const NO_ONE: ReadonlySet<PublicKeyHex> = new Set();
/** Made once for the same lists, however many rows ask. */
const madeFor = new WeakMap<readonly ContactInfo[], WeakMap<readonly SentContactInfo[], ReadonlySet<PublicKeyHex>>>();

/** Keys of all contacts, and one's own. */
export function useContactKeys(): ReadonlySet<PublicKeyHex> {
  const masterPub = useKeyringValue().status?.account?.masterPub ?? "";
  const queries = useNodeQueries();
  const received = useQuery({ ...queries.contacts(masterPub), enabled: masterPub !== "" });
  const sent = useQuery({ ...queries.sentContacts(masterPub), enabled: masterPub !== "" });
  return received.data === undefined || sent.data === undefined ? NO_ONE : contactKeys(received.data, sent.data);
}

/** True for a contact; false for null, who is no one that is known. */
export function useIsContact(publicKey: PublicKeyHex | null): boolean {
  const keys = useContactKeys();
  return publicKey !== null && keys.has(publicKey);
}

function contactKeys(received: readonly ContactInfo[], sent: readonly SentContactInfo[]): ReadonlySet<PublicKeyHex> {
  const bySent = madeFor.get(received) ?? new WeakMap<readonly SentContactInfo[], ReadonlySet<PublicKeyHex>>();
  madeFor.set(received, bySent);
  const known = bySent.get(sent) ?? new Set(createContactDirectory(received, sent, () => false).people.map(({ publicKey }) => publicKey));
  bySent.set(sent, known);
  return known;
}
