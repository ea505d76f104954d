// Names of many people at once, for lists that sort or search by name.
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { PublicKeyHex } from "#shared/protocol/address.ts";
import { useProfileNames } from "../messenger/messenger-context.tsx";
import { useNodeQueries } from "../node/queries.ts";
import { claimedName } from "./claimed-name.ts";
import { useNameCache } from "./name-cache.ts";
import { usePeopleNotes } from "./people-notes.ts";

/** Names change rarely, and live updates tell when they do. */
const NAME_STALE_MS = 10 * 60_000;

/** Name of each key that has one: one's own for the person, else the one they told in messages, with the end of the address, else the one they published. */
export function useNames(keys: readonly PublicKeyHex[]): ReadonlyMap<PublicKeyHex, string> {
  const queries = useNodeQueries();
  const notes = usePeopleNotes((store) => store.notes);
  const published = useQueries({
    queries: keys.map((key) => ({ ...queries.identity(key), staleTime: NAME_STALE_MS })),
    combine: joinNames,
  });
  const kept = useNameCache((cache) => cache.names);
  const told = useProfileNames();
  return useMemo(() => {
    const names = new Map([...keys.flatMap((key) => keptPair(kept, key)), ...published.split("\n").flatMap((line) => pairOf(line))]);
    for (const key of keys) {
      const name = told[key];
      if (name !== undefined) names.set(key, claimedName(name, key));
    }
    for (const [key, { name }] of Object.entries(notes)) if (name !== "") names.set(key, name);
    return names;
  }, [published, notes, kept, told, keys]);
}

interface Answer {
  readonly data: { readonly pub_key: PublicKeyHex; readonly nickname: string } | undefined;
}

/** One text for all names, so that nothing is built anew while no name changes. Names hold no line breaks. */
function joinNames(answers: readonly Answer[]): string {
  return answers.flatMap(({ data }) => (data === undefined ? [] : [`${data.pub_key} ${data.nickname.trim()}`])).join("\n");
}

function keptPair(kept: ReadonlyMap<PublicKeyHex, string>, key: PublicKeyHex): readonly (readonly [PublicKeyHex, string])[] {
  const name = kept.get(key);
  return name === undefined ? [] : [[key, name]];
}

function pairOf(line: string): readonly (readonly [PublicKeyHex, string])[] {
  const end = line.indexOf(" ");
  return end === -1 || end === line.length - 1 ? [] : [[line.slice(0, end), line.slice(end + 1)]];
}
