// The contact lists of an account for views, kept fresh by live updates of the chain.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ContactInfo, SentContactInfo } from "#shared/api/schemas/relay.ts";
import { useAccount } from "../../keyring/keyring-context.tsx";
import { useNodeQueries } from "../../node/queries.ts";
import { useAddedPeople } from "./added-people.ts";
import { type ContactDirectory, createContactDirectory } from "./contact-directory.ts";
import { usePeopleNotes } from "./people-notes.ts";

const NO_CONTACTS: readonly never[] = [];

/** The lists, with what is known of their loading. */
export interface ContactDirectoryState {
  readonly directory: ContactDirectory;
  /** False until both lists have come once. */
  readonly isKnown: boolean;
  /** Why the lists could not be read; `directory` then holds what was read before. */
  readonly error: Error | null;
  readonly isRetrying: boolean;
  readonly retry: () => void;
}

/** Contact lists of the account of this device. */
export function useContactDirectory(): ContactDirectoryState {
  const { masterPub } = useAccount();
  const queries = useNodeQueries();
  const received = useQuery(queries.contacts(masterPub));
  const sent = useQuery(queries.sentContacts(masterPub));
  const notes = usePeopleNotes((store) => store.notes);
  const receivedList: readonly ContactInfo[] = received.data ?? NO_CONTACTS;
  const sentList: readonly SentContactInfo[] = sent.data ?? NO_CONTACTS;
  const added = useAddedPeople();
  const directory = useMemo(
    () => createContactDirectory(receivedList, sentList, (publicKey, requestId) => notes[publicKey]?.declinedRequest === requestId, added),
    [receivedList, sentList, notes, added],
  );
  return {
    directory,
    isKnown: received.data !== undefined && sent.data !== undefined,
    error: received.error ?? sent.error,
    isRetrying: received.isFetching || sent.isFetching,
    retry: (): void => {
      void received.refetch();
      void sent.refetch();
    },
  };
}
