// Names, notes and private contacts as the messenger has them for all own devices, and as they are here. Pure.
import type { Note, NotesRecord, StoredNote } from "#shared/content/chat/note-content.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { PersonNotes } from "./people-notes.ts";

type People = Readonly<Record<PublicKeyHex, PersonNotes>>;

const NOTHING: PersonNotes = { name: "", note: "", isVerified: false, declinedRequest: "" };

/** What is noted here and the messenger does not have yet. */
export function notesToPass(here: People, known: NotesRecord): readonly Note[] {
  return Object.entries(here).flatMap(([key, notes]) =>
    isWaiting(notes) && !areSame(notes, known.person[key]) ? [noteOf(key, notes)] : [],
  );
}

/** Notes of which the messenger never had any, once it is about to get them. */
export function asPassed(here: People, passed: readonly Note[]): People {
  return Object.fromEntries(
    passed.flatMap(({ key }) => {
      const notes = here[key];
      return notes === undefined || notes.sync !== undefined ? [] : [[key, { ...notes, sync: "changed" as const }]];
    }),
  );
}

/** What changes here: what the messenger has that is no longer, or not yet, so here; and what it has by now. */
export function notesToTake(here: People, known: NotesRecord): People {
  const changed: Record<PublicKeyHex, PersonNotes> = {};
  for (const [key, stored] of Object.entries(known.person)) {
    const notes = here[key] ?? NOTHING;
    const { name, text: note, isContact } = stored;
    if (areSame(notes, stored)) {
      if (notes.sync !== "kept" && here[key] !== undefined) changed[key] = { ...notes, sync: "kept" };
    } else if (!isWaiting(notes)) changed[key] = { ...notes, name, note, isContact, sync: "kept" };
  }
  return changed;
}

/** True for what was changed here since the messenger got it, and for what it never got. */
function isWaiting({ name, note, isContact = false, sync }: PersonNotes): boolean {
  return sync === "changed" || (sync === undefined && (name !== "" || note !== "" || isContact));
}

function areSame(notes: PersonNotes, stored: StoredNote | undefined): boolean {
  const { name, text, isContact } = noteOf("", notes);
  return stored !== undefined && stored.name === name && stored.text === text && stored.isContact === isContact;
}

/** As the messenger stores it: what it changes of a text is no difference, or it would be passed on again and again. */
function noteOf(key: PublicKeyHex, { name, note, isContact = false }: PersonNotes): Note {
  return { about: "person", key, name: name.trim().toWellFormed(), text: note.toWellFormed(), isContact };
}
