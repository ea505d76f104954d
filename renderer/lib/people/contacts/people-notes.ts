// What the person at this desk notes about others: own name for them, a note, keys compared, requests declined. It never leaves this
// device, and it is stored encrypted with the key of the message store, readable only while the keyring is open.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed-item.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { SealedStore } from "../../keyring/use-while-open.ts";

/** Longest name that one gives a person, characters. */
export const MAX_OWN_NAME_CHARS = 64;
/** Longest note, characters. */
export const MAX_NOTE_CHARS = 1_000;

/** Notes about one person. Empty texts are absent ones. */
export interface PersonNotes {
  readonly name: string;
  readonly note: string;
  /** The safety number was compared. */
  readonly isVerified: boolean;
  /** Transaction id of their request that was declined here; a later request shows again. */
  readonly declinedRequest: string;
}

interface NotesStore {
  /** Undefined while the notes are closed. */
  readonly item: SealedItem | undefined;
  readonly notes: Readonly<Record<PublicKeyHex, PersonNotes>>;
}

const NO_NOTES: PersonNotes = { name: "", note: "", isVerified: false, declinedRequest: "" };

/** The notes; empty while they are closed. */
export const usePeopleNotes = create<NotesStore>()(() => ({ item: undefined, notes: {} }));

let saving: Promise<void> = Promise.resolve();

export function useNotesAbout(publicKey: PublicKeyHex): PersonNotes {
  return usePeopleNotes(({ notes }) => notes[publicKey] ?? NO_NOTES);
}

/** Reads the notes of an opened keyring. Ones that cannot be read are set aside, never overwritten. */
export async function openPeopleNotes(keys: StoreKeys<CryptoKey>, storage: ItemStorage): Promise<void> {
  const item = createSealedItem(keys, storage, "people");
  usePeopleNotes.setState({ notes: ((await item.readOrSetAside()) ?? {}) as NotesStore["notes"], item });
}

/** Forgets what was read: when the keyring is locked. */
export function closePeopleNotes(): void {
  usePeopleNotes.setState({ item: undefined, notes: {} });
}

/** The notes as `useWhileOpen` keeps them. */
export const sealedNotes: SealedStore = {
  open: openPeopleNotes,
  close: closePeopleNotes,
  storageKey: () => usePeopleNotes.getState().item?.storageKey,
};

/** Changes the notes about a person at once; resolves when they are stored. Does nothing while the notes are closed. */
export function changeNotes(publicKey: PublicKeyHex, changes: Partial<PersonNotes>): Promise<void> {
  const { item, notes: before } = usePeopleNotes.getState();
  if (item === undefined) return Promise.resolve();
  const { [publicKey]: current = NO_NOTES, ...others } = before;
  const changed = { ...current, ...changes };
  const isEmpty = changed.name === "" && changed.note === "" && !changed.isVerified && changed.declinedRequest === "";
  const notes = isEmpty ? others : { ...others, [publicKey]: changed };
  usePeopleNotes.setState({ notes });
  saving = saving.then(() => item.write(notes));
  return saving;
}

/** Takes notes over about people of whom there are none here. */
export async function addNotes(notes: Readonly<Record<PublicKeyHex, PersonNotes>>): Promise<void> {
  const known = usePeopleNotes.getState().notes;
  for (const [publicKey, note] of Object.entries(notes)) if (known[publicKey] === undefined) await changeNotes(publicKey, note);
}
