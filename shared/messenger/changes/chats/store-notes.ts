// Notes about people and own devices, as the person made them here or on another own device; loaded with the first one.
import type { Note, NotesRecord } from "#shared/content/chat/note-content.ts";
import { withNotes } from "#shared/content/chat/note-record.ts";
import type { Change } from "../change.ts";
import { queueWithheldReceipts } from "./receipts.ts";

/** Latest time of a date, milliseconds since 1970. After a later one nothing could be noted any more. */
const LATEST_MS = 8_640_000_000_000_000;

type NotesContext = Parameters<typeof queueWithheldReceipts>[0];

/** Another own device noted something; the latest holds. What claims a time that no clock shows is left out. */
export async function storeNotes(
  context: NotesContext,
  change: Change,
  { notes, at }: { readonly notes: readonly Note[]; readonly at: number },
): Promise<void> {
  if (at > LATEST_MS) return;
  const dated = notes.map((note) => ({ ...note, at }));
  await putNotes(context, change, withNotes(change.notes, dated));
}

/** Stores notes. Who becomes a contact by them gets the receipts that were withheld from a stranger. */
export async function putNotes(context: NotesContext, change: Change, notes: NotesRecord): Promise<void> {
  const met = context.registry.strangersAmong({ notes });
  change.putNotes(notes);
  for (const id of met) if (change.isStranger(id)) await queueWithheldReceipts(context, change, id);
}
