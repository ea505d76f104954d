// Whom the person at this desk added as contacts privately.
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type PersonNotes, usePeopleNotes } from "./people-notes.ts";

const madeFor = new WeakMap<Readonly<Record<PublicKeyHex, PersonNotes>>, ReadonlySet<PublicKeyHex>>();

/** Their keys; the same set until the notes change. */
export function useAddedPeople(): ReadonlySet<PublicKeyHex> {
  return addedPeople(usePeopleNotes(({ notes }) => notes));
}

function addedPeople(notes: Readonly<Record<PublicKeyHex, PersonNotes>>): ReadonlySet<PublicKeyHex> {
  const known = madeFor.get(notes) ?? new Set(Object.entries(notes).flatMap(([key, { isContact }]) => (isContact === true ? [key] : [])));
  madeFor.set(notes, known);
  return known;
}
