// What a linked device gets beside messages: what the person has noted about people and payments, and settings.
import { collectBackupData, restoreBackupData } from "../backup-data.ts";
import { usePeopleNotes } from "../people/contacts/people-notes.ts";

/** As text. */
export function collectSavedNotes(): string {
  return JSON.stringify(collectBackupData());
}

/** Takes over what is not here, as soon as the notes are open. */
export async function restoreSavedNotes(notes: string): Promise<void> {
  await untilNotesAreOpen();
  await restoreBackupData(JSON.parse(notes));
}

function untilNotesAreOpen(): Promise<void> {
  if (usePeopleNotes.getState().item !== undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = usePeopleNotes.subscribe(({ item }) => {
      if (item === undefined) return;
      stop();
      resolve();
    });
  });
}
