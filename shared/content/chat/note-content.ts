// What a person notes about others and about own devices, for themselves alone: a name, a text, and whom they added as a contact
// privately. On all own devices the latest holds. Pure.
import { utf8Length } from "#shared/util/bytes.ts";

/** Longest private name, UTF-8 bytes. */
export const MAX_NOTE_NAME_BYTES = 256;
/** Longest text, UTF-8 bytes. */
export const MAX_NOTE_TEXT_BYTES = 4_096;
/** Notes of one content: all of the longest fit. */
export const MAX_NOTES_A_CONTENT = 32;

/** What a note is about: a person, or an address of whomever, by its master key; an own device by its X25519 key. */
export type NoteSubject = "person" | "device";

/** What is noted. Empty texts are absent ones. */
export interface NoteFields {
  readonly name: string;
  readonly text: string;
  /** The person is a contact, without a request on the chain. Never of a device. */
  readonly isContact: boolean;
}

/** A note about someone or something. */
export interface Note extends NoteFields {
  readonly about: NoteSubject;
  /** 32 bytes in hex. */
  readonly key: string;
}

/** To one's own other devices: what was noted. The latest about each person and device counts. */
export interface SyncNotesBody {
  readonly kind: "sync.notes";
  readonly notes: readonly Note[];
}

/** A note as it is stored. One without anything in it says that it was removed. */
export interface StoredNote extends NoteFields {
  /** When it was changed, milliseconds since 1970. */
  readonly at: number;
}

/** All notes, as they are stored. */
export type NotesRecord = { readonly [Subject in NoteSubject]: Readonly<Record<string, StoredNote>> };

/** Before anything is noted. */
export const NO_NOTES: NotesRecord = { person: {}, device: {} };

/** True for what a note can hold. */
export function isNote({ about, name, text, isContact }: Note): boolean {
  return utf8Length(name) <= MAX_NOTE_NAME_BYTES && utf8Length(text) <= MAX_NOTE_TEXT_BYTES && !(isContact && about === "device");
}

/** Keys of the people whom one added as contacts privately. */
export function privateContacts({ person }: NotesRecord): readonly string[] {
  return Object.entries(person).flatMap(([key, { isContact }]) => (isContact ? [key] : []));
}
