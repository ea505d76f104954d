// Hands notes to the messenger. One for which there is no room keeps no other one from it.
import { MAX_NOTES_A_CONTENT, type Note } from "#shared/content/chat/note-content.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Messenger } from "#shared/messenger/messenger.ts";

/** Notes of any number. @throws CodedError of the first that the messenger refused, once all others are set. */
export async function setNotesWithRoom(messenger: Pick<Messenger, "setNotes">, notes: readonly Note[]): Promise<void> {
  const refusals: unknown[] = [];
  for (let start = 0; start < notes.length; start += MAX_NOTES_A_CONTENT)
    refusals.push(...(await setSome(messenger, notes.slice(start, start + MAX_NOTES_A_CONTENT))));
  if (refusals.length > 0) throw refusals[0];
}

/** Sets notes together, or half by half where one of them is refused: the messenger does not say which. */
async function setSome(messenger: Pick<Messenger, "setNotes">, notes: readonly Note[]): Promise<readonly unknown[]> {
  try {
    await messenger.setNotes(notes);
    return [];
  } catch (error) {
    if (!isCodedError(error, "BAD_REQUEST")) throw error;
    if (notes.length === 1) return [error];
    const half = Math.ceil(notes.length / 2);
    return [...(await setSome(messenger, notes.slice(0, half))), ...(await setSome(messenger, notes.slice(half)))];
  }
}
