// What is suspicious about the name of a person: it mixes scripts, or reads like the name of another person that one knows.
import { useMemo } from "react";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { mixesScripts, nameSkeleton } from "#shared/text/confusable-names.ts";
import { usePeopleNotes } from "../contacts/people-notes.ts";
import { useContactKeys } from "../contacts/use-is-contact.ts";
import { usePerson } from "../people-context.tsx";
import { useNameClaims } from "./use-names.ts";

/** A warning: whose name it resembles, and what that one is called here. */
export type NameWarning =
  | { readonly kind: "resembles"; readonly other: PublicKeyHex; readonly name: string }
  | { readonly kind: "mixesScripts" };

/** Nothing for names that the person at this desk chose, and for keys that were compared. */
export function useNameWarning(publicKey: PublicKeyHex): NameWarning | undefined {
  const { name, isOwnName, isVerified, isSelf } = usePerson(publicKey);
  const contacts = useContactKeys();
  const notes = usePeopleNotes((store) => store.notes);
  const known = useNameClaims(useMemo(() => [...contacts], [contacts]));
  const isJudged = name !== undefined && !(isOwnName || isVerified || isSelf);
  return useMemo(() => {
    if (!isJudged || name === undefined) return undefined;
    const own = Object.entries(notes).flatMap(([key, note]) => (note.name === "" ? [] : [[key, note.name] as const]));
    return findNameWarning({ publicKey, name }, [...own, ...known]);
  }, [publicKey, name, isJudged, notes, known]);
}

/** The warning about a name among the names that are known. */
export function findNameWarning(
  { publicKey, name }: { readonly publicKey: PublicKeyHex; readonly name: string },
  known: Iterable<readonly [PublicKeyHex, string]>,
): NameWarning | undefined {
  const skeleton = nameSkeleton(name);
  for (const [other, otherName] of known)
    if (other !== publicKey && skeleton !== "" && nameSkeleton(otherName) === skeleton)
      return { kind: "resembles", other, name: otherName };
  return mixesScripts(name) ? { kind: "mixesScripts" } : undefined;
}
