// What a person notes about others and about own devices, for themselves alone: a name, a text, and whom they added as a contact
// privately. On all own devices the latest holds. Pure.
import { utf8Length } from "#shared/util/bytes.ts";

/** Most people and devices with notes, those included of whom a note was removed. */
export const MAX_NOTES = 2_000;
/** Longest private name, UTF-8 bytes. */
export const MAX_NOTE_NAME_BYTES = 256;
/** Longest text, UTF-8 bytes. */
export const MAX_NOTE_TEXT_BYTES = 4_096;
/** Most bytes of all names and texts together, UTF-8. */
export const MAX_NOTES_BYTES = 1_048_576;
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

const SUBJECTS = ["person", "device"] as const satisfies readonly NoteSubject[];

/** True for a note with nothing in it. */
export function isEmptyNote({ name, text, isContact }: NoteFields): boolean {
  return name === "" && text === "" && !isContact;
}

/** True for what a note can hold. */
export function isNote({ about, name, text, isContact }: Note): boolean {
  return utf8Length(name) <= MAX_NOTE_NAME_BYTES && utf8Length(text) <= MAX_NOTE_TEXT_BYTES && !(isContact && about === "device");
}

/** A note that comes to what is known, and when it was changed. */
export type DatedNote = Note & Pick<StoredNote, "at">;

/**
 * With notes that are later than what is known; of one moment the greater one counts, so that all devices end with the same. Where there
 * is no room, notes that were removed go, the oldest first; what does not fit then is left out.
 */
export function withNotes(record: NotesRecord, notes: readonly DatedNote[]): NotesRecord {
  const later = notes.filter(({ about, key, ...note }) => isLater(note, record[about][key]));
  if (later.length === 0) return record;
  const all = new Map(entriesOf(record).map((note) => [idOf(note), note]));
  let bytes = entriesOf(record).reduce((sum, note) => sum + sizeOf(note), 0);
  for (const note of later) {
    const known = all.get(idOf(note));
    const size = bytes + sizeOf(note) - (known === undefined ? 0 : sizeOf(known));
    const isTooMany = known === undefined && all.size >= MAX_NOTES && !dropOldestRemoved(all);
    if (isTooMany || size > MAX_NOTES_BYTES || !isLater(note, known)) continue;
    all.set(idOf(note), note);
    bytes = size;
  }
  return recordOf([...all.values()]);
}

/** Both together: of each note the later one. */
export function joinNotes(one: NotesRecord, other: NotesRecord): NotesRecord {
  return withNotes(one, entriesOf(other));
}

/** All notes of a record. */
export function entriesOf(record: NotesRecord): readonly DatedNote[] {
  return SUBJECTS.flatMap((about) => Object.entries(record[about]).map(([key, note]) => ({ about, key, ...note })));
}

/** A record of these notes. */
export function recordOf(notes: readonly DatedNote[]): NotesRecord {
  const of = (subject: NoteSubject): NotesRecord[NoteSubject] =>
    Object.fromEntries(notes.flatMap(({ about, key, ...note }) => (about === subject ? [[key, note] as const] : [])));
  return { person: of("person"), device: of("device") };
}

/** When a note was changed last; 0 for none. */
export function notedAt(record: NotesRecord, { about, key }: Pick<Note, "about" | "key">): number {
  return record[about][key]?.at ?? 0;
}

/** Keys of the people whom one added as contacts privately. */
export function privateContacts({ person }: NotesRecord): readonly string[] {
  return Object.entries(person).flatMap(([key, { isContact }]) => (isContact ? [key] : []));
}

function isLater({ at, ...fields }: StoredNote, known: StoredNote | undefined): boolean {
  const order = ({ name, text, isContact }: NoteFields): string => JSON.stringify([name, text, isContact]);
  return known === undefined || at > known.at || (at === known.at && order(fields) > order(known));
}

/** Makes room for one: takes out the note that was removed first; false where none was. */
function dropOldestRemoved(all: Map<string, DatedNote>): boolean {
  const removed = [...all.values()].filter(isEmptyNote).sort((a, b) => a.at - b.at);
  const [oldest] = removed;
  return oldest !== undefined && all.delete(idOf(oldest));
}

function idOf({ about, key }: Pick<Note, "about" | "key">): string {
  return `${about} ${key}`;
}

function sizeOf({ name, text }: NoteFields): number {
  return utf8Length(name) + utf8Length(text);
}
