// Notes about people and own devices as they are stored, within their bounds: of each the latest holds. Pure; loaded with the first note.
import { utf8Length } from "#shared/util/bytes.ts";
import type { Note, NoteFields, NoteSubject, NotesRecord, StoredNote } from "./note-content.ts";

/** Most people and devices with notes, those included of whom a note was removed. */
export const MAX_NOTES = 2_000;
/** Most bytes of all names and texts together, UTF-8. */
export const MAX_NOTES_BYTES = 1_048_576;

const SUBJECTS = ["person", "device"] as const satisfies readonly NoteSubject[];

/** True for a note with nothing in it. */
function isEmptyNote({ name, text, isContact }: NoteFields): boolean {
  return name === "" && text === "" && !isContact;
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
