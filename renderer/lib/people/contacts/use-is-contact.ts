// Whether a person is a contact: one of the two accepted the other, or they were added privately. Until the lists of the chain have come
// only the latter are.
import { useQuery } from "@tanstack/react-query";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { useKeyringValue } from "../../keyring/keyring-context.tsx";
import { useNodeQueries } from "../../node/queries.ts";
import { useAddedPeople } from "./added-people.ts";
import { createContactDirectory } from "./contact-directory.ts";

/** Made once for the same lists, however many rows ask. */
const madeFor = new WeakMap<readonly ContactInfo[], WeakMap<readonly SentContactInfo[], KeysByAdded>>();

type KeysByAdded = WeakMap<ReadonlySet<PublicKeyHex>, ReadonlySet<PublicKeyHex>>;

const NO_LIST: readonly never[] = [];

/** Keys of all contacts, and one's own. */
export function useContactKeys(): ReadonlySet<PublicKeyHex> {
  const masterPub = useKeyringValue().status?.account?.masterPub ?? "";
  const queries = useNodeQueries();
  const received = useQuery({ ...queries.contacts(masterPub), enabled: masterPub !== "" });
  const sent = useQuery({ ...queries.sentContacts(masterPub), enabled: masterPub !== "" });
  const isKnown = received.data !== undefined && sent.data !== undefined;
  return contactKeys(isKnown ? received.data : NO_LIST, isKnown ? sent.data : NO_LIST, useAddedPeople());
}

/** True for a contact; false for null, who is no one that is known. */
export function useIsContact(publicKey: PublicKeyHex | null): boolean {
  const keys = useContactKeys();
  return publicKey !== null && keys.has(publicKey);
}

function contactKeys(
  received: readonly ContactInfo[],
  sent: readonly SentContactInfo[],
  added: ReadonlySet<PublicKeyHex>,
): ReadonlySet<PublicKeyHex> {
  const bySent = madeFor.get(received) ?? new WeakMap<readonly SentContactInfo[], KeysByAdded>();
  madeFor.set(received, bySent);
  const byAdded = bySent.get(sent) ?? new WeakMap<ReadonlySet<PublicKeyHex>, ReadonlySet<PublicKeyHex>>();
  bySent.set(sent, byAdded);
  const made = (): ReadonlySet<PublicKeyHex> =>
    new Set(createContactDirectory(received, sent, () => false, added).people.map(({ publicKey }) => publicKey));
  const known = byAdded.get(added) ?? made();
  byAdded.set(added, known);
  return known;
}
