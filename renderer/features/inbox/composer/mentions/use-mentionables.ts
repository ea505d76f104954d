// Members of a group as they are named behind an "@".
import { useMemo } from "react";
import { shorten } from "#renderer/lib/format/key.ts";
import { useAccount } from "#renderer/lib/keyring/keyring-context.tsx";
import { usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { claimedName } from "#renderer/lib/people/names/claimed-name.ts";
import { useNameClaims } from "#renderer/lib/people/names/use-names.ts";
import { formatAddress, type PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { visibleText } from "#shared/text/visible-text.ts";
import type { Mentionable } from "./mention-text.ts";

/** No person's name is longer, in characters. */
const MAX_NAME_CHARS = 64;

/** All but oneself, by name. Of two who are called the same each has the end of the address behind the name. */
export function useMentionables(members: readonly PublicKeyHex[]): readonly Mentionable[] {
  const { masterPub } = useAccount();
  const others = useMemo(() => members.filter((member) => member !== masterPub), [members, masterPub]);
  const claims = useNameClaims(others);
  const notes = usePeopleNotes((store) => store.notes);
  return useMemo(() => {
    const claimed = new Map(claims.map(([person, name]) => [person, inLine(name)]));
    const calledOf = (person: PublicKeyHex): string => inLine(notes[person]?.name ?? "") || claimed.get(person) || addressOf(person);
    const counts = new Map<string, number>();
    for (const person of others) counts.set(calledOf(person), (counts.get(calledOf(person)) ?? 0) + 1);
    const labelOf = (person: PublicKeyHex): string => {
      const called = calledOf(person);
      return counts.get(called) === 1 ? called : claimedName(called, person, false);
    };
    return others
      .map((person) => ({ person, label: labelOf(person), publicName: claimed.get(person) || addressOf(person) }))
      .sort((a, b) => a.label.localeCompare(b.label));
  }, [others, claims, notes]);
}

function addressOf(person: PublicKeyHex): string {
  return shorten(formatAddress(person));
}

function inLine(name: string): string {
  return [...visibleText(name.trim())].slice(0, MAX_NAME_CHARS).join("");
}
