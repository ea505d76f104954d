// Names of many people at once, for lists that sort or search by name.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import { useProfileNames } from "../../messenger/messenger-context.tsx";
import { readNames } from "../../node/access/names-text.ts";
import { useNodeQueries } from "../../node/queries.ts";
import { usePeopleNotes } from "../contacts/people-notes.ts";
import { useContactKeys } from "../contacts/use-is-contact.ts";
import { claimedName } from "./claimed-name.ts";
import { useNameCache } from "./name-cache.ts";

/** Names change rarely, and live updates report it. */
const NAME_STALE_MS = 10 * 60_000;

/** Name of each key that has one: one's own, else the one sent in messages with the end of the address, else the published one. */
export function useNames(people: readonly PublicKeyHex[]): ReadonlyMap<PublicKeyHex, string> {
  const keys = useSameList(people);
  const queries = useNodeQueries();
  const query = useMemo(() => queries.names(keys), [queries, keys]);
  const { data } = useQuery({ ...query, staleTime: NAME_STALE_MS, enabled: keys.length > 0, placeholderData: keepPreviousData });
  const published = useMemo(() => new Map(readNames(data ?? "")), [data]);
  const notes = usePeopleNotes((store) => store.notes);
  const stored = useNameCache((cache) => cache.names);
  const profiles = useProfileNames();
  const contacts = useContactKeys();
  return useMemo(() => {
    const names = new Map<PublicKeyHex, string>();
    for (const key of keys) {
      const name = nameOfOthers(key, {
        profile: profiles[key],
        published: published.get(key) ?? stored.get(key),
        isContact: contacts.has(key),
      });
      if (name !== undefined) names.set(key, name);
    }
    for (const [key, { name }] of Object.entries(notes)) if (name !== "") names.set(key, name);
    return names;
  }, [published, notes, stored, profiles, contacts, keys]);
}

/** True until the published names of these people have come once, or where none can be asked. Shares the question with {@link useNames}. */
export function useAreNamesPending(people: readonly PublicKeyHex[]): boolean {
  const keys = useSameList(people);
  const queries = useNodeQueries();
  const query = useMemo(() => queries.names(keys), [queries, keys]);
  const { isPending } = useQuery({ ...query, staleTime: NAME_STALE_MS, enabled: keys.length > 0, placeholderData: keepPreviousData });
  return keys.length > 0 && isPending;
}

/** Names as they are claimed, without the end of an address: for comparing. */
export function useNameClaims(people: readonly PublicKeyHex[]): readonly (readonly [PublicKeyHex, string])[] {
  const keys = useSameList(people);
  const queries = useNodeQueries();
  const query = useMemo(() => queries.names(keys), [queries, keys]);
  const { data } = useQuery({ ...query, staleTime: NAME_STALE_MS, enabled: keys.length > 0, placeholderData: keepPreviousData });
  const profiles = useProfileNames();
  return useMemo(
    () => [
      ...readNames(data ?? ""),
      ...keys.flatMap((key) => {
        const profile = profiles[key];
        return profile === undefined ? [] : [[key, profile] as const];
      }),
    ],
    [data, profiles, keys],
  );
}

interface Claims {
  readonly profile: string | undefined;
  readonly published: string | undefined;
  readonly isContact: boolean;
}

/** What a contact published stands alone; any other name that its owner chose has the end of the address. */
function nameOfOthers(key: PublicKeyHex, { profile, published = "", isContact }: Claims): string | undefined {
  if (profile === undefined && published === "") return undefined;
  const name = profile ?? visibleText(published);
  return isContact && profile === undefined ? name : claimedName(name, key, isContact);
}

/** The first of lists that hold the same: a list that is built again at each rendering changes nothing. */
function useSameList(list: readonly PublicKeyHex[]): readonly PublicKeyHex[] {
  const [previous, setPrevious] = useState(list);
  if (previous === list || (previous.length === list.length && previous.every((key, index) => key === list[index]))) return previous;
  setPrevious(list);
  return list;
}
