// The rows of a batch with all that is known of their recipients, while it comes in.
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { useNetworkQueries } from "#renderer/lib/node/network-queries.ts";
import { namedKeys, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { useContactDirectory } from "#renderer/lib/people/contacts/use-contact-directory.ts";
import { useNames } from "#renderer/lib/people/names/use-names.ts";
import { usePaidPeople } from "#renderer/lib/people/use-paid-people.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type MarkedRow, markRows, usernamesOf } from "./mark-rows.ts";
import type { TypedRow } from "./read-rows.ts";

export interface MarkedRows {
  /** Undefined until the own history was read: without it nothing imitating is found, and nothing may be paid. */
  readonly rows: readonly MarkedRow[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

export function useMarkedRows(typed: readonly TypedRow[]): MarkedRows {
  const { masterPub } = useAccount();
  const { directory } = useContactDirectory();
  const notes = usePeopleNotes((store) => store.notes);
  const keys = useMemo(
    () => [...new Set([...directory.people.map(({ publicKey }) => publicKey), ...namedKeys(notes)])],
    [directory, notes],
  );
  const names = useNames(keys);
  const { data: paid, error, refetch } = usePaidPeople(masterPub);
  const queries = useNetworkQueries();
  const usernames = useMemo(() => usernamesOf(typed), [typed]);
  const owners = useQueries({
    queries: usernames.map((name) => queries.usernameOwner(name)),
    combine: (results) =>
      new Map(
        results.flatMap(({ data, error: failure }, index): [string, PublicKeyHex | null | "failed"][] => {
          const name = usernames[index] ?? "";
          if (data !== undefined) return [[name, data]];
          return failure === null ? [] : [[name, "failed"]];
        }),
      ),
  });
  const contacts = new Map(keys.map((key) => [key, names.get(key) ?? ""] as const));
  const rows = paid === undefined ? undefined : markRows(typed, { account: masterPub, paid, contacts, owners });
  return { rows, error, retry: () => void refetch() };
}
