// What the person at this desk notes about others: own name for them, a note, whom they added as a contact, keys compared, requests
// declined. It is stored encrypted with the key of the message store, readable only while the keyring is open. Name, note and contact are
// the same on all own devices (synced-notes.ts); the rest stays on this one.
import { create } from "zustand";
import { createSealedItem, type ItemStorage, type SealedItem } from "#renderer/lib/browser/sealed/sealed-item.ts";
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
  /** Added as a contact, without a request on the chain. */
  readonly isContact?: boolean;
  /**
   * How the messenger, which passes name, note and contact on to the other own devices, stands to them: `kept` where it has them as they
   * are here, `changed` where it has earlier ones. Absent where it has none.
   */
  readonly sync?: "kept" | "changed";
  /** The person at this desk has called or answered them, and knows what that shows. */
  readonly hasCalled?: boolean;
}

/** What can be noted. */
export type NotesChange = Partial<Omit<PersonNotes, "sync">>;

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
export function changeNotes(publicKey: PublicKeyHex, changes: NotesChange): Promise<void> {
  const current = usePeopleNotes.getState().notes[publicKey] ?? NO_NOTES;
  const isShared = "name" in changes || "note" in changes || "isContact" in changes;
  const sync = isShared && current.sync !== undefined ? ({ sync: "changed" } as const) : {};
  return putNotes({ [publicKey]: { ...current, ...changes, ...sync } });
}

/** Replaces the notes about people at once, as they are; resolves when they are stored. Does nothing while the notes are closed. */
export function putNotes(changed: Readonly<Record<PublicKeyHex, PersonNotes>>): Promise<void> {
  const { item, notes: before } = usePeopleNotes.getState();
  if (item === undefined || Object.keys(changed).length === 0) return Promise.resolve();
  const notes = Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, entry]) => !isOver(entry)));
  usePeopleNotes.setState({ notes });
  const write = saving.then(() => item.write(notes));
  // A full disk loses one change, not all that follow.
  saving = write.catch(() => undefined);
  return write;
}

/** True for notes without anything in them, of which the messenger has no earlier ones either. */
function isOver({ name, note, isVerified, declinedRequest, isContact = false, hasCalled = false, sync }: PersonNotes): boolean {
  const isMarked = isVerified || isContact || hasCalled;
  return name === "" && note === "" && declinedRequest === "" && !isMarked && sync !== "changed";
}

/** Keys of all people and addresses with a private name. */
export function namedKeys(notes: Readonly<Record<PublicKeyHex, PersonNotes>>): readonly PublicKeyHex[] {
  return Object.entries(notes).flatMap(([key, { name }]) => (name === "" ? [] : [key]));
}

/** Takes notes over about people of whom there are none here. */
export async function addNotes(notes: Readonly<Record<PublicKeyHex, PersonNotes>>): Promise<void> {
  const known = usePeopleNotes.getState().notes;
  for (const [publicKey, note] of Object.entries(notes))
    if (known[publicKey] === undefined) await changeNotes(publicKey, withoutSync(note));
}

/** Notes as they go into a backup, or to another own device. */
export function withoutSync({ sync: _, ...notes }: PersonNotes): PersonNotes {
  return notes;
}
