// What the person notes about others and own devices, on all own devices; loaded with the first note.
import { isNote, MAX_NOTE_NAME_BYTES, MAX_NOTE_TEXT_BYTES, MAX_NOTES_A_CONTENT, type Note } from "#shared/content/chat/note-content.ts";
import { MAX_NOTES, notedAt, withNotes } from "#shared/content/chat/note-record.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { writeChange } from "../changes/change.ts";
import { putNotes } from "../changes/chats/store-notes.ts";
import { newId } from "../model/records.ts";
import type { EngineContext } from "../state/engine-context.ts";

/** Notes of a running messenger. */
export class Noting {
  readonly #context: EngineContext;
  readonly #onQueued: () => void;

  constructor(context: EngineContext, onQueued: () => void) {
    this.#context = context;
    this.#onQueued = onQueued;
  }

  /**
   * Notes something about people or own devices; a note with nothing in it removes the one before.
   * @throws CodedError BAD_REQUEST for what no note can hold, and where there is no room for all: then none is stored.
   */
  async setNotes(notes: readonly Note[]): Promise<void> {
    const { account, clock, random } = this.#context;
    const named = notes.map((note) => ({ ...note, name: note.name.trim().toWellFormed(), text: note.text.toWellFormed() }));
    if (!named.every(isNote))
      throw new CodedError("BAD_REQUEST", `A name has at most ${MAX_NOTE_NAME_BYTES} bytes, a note ${MAX_NOTE_TEXT_BYTES}`);
    if (named.length === 0) return;
    await writeChange(this.#context, async (change) => {
      const at = Math.max(clock.nowMs(), ...named.map((note) => notedAt(change.notes, note) + 1));
      const after = withNotes(
        change.notes,
        named.map((note) => ({ ...note, at })),
      );
      if (!named.every(({ about, key }) => after[about][key]?.at === at))
        throw new CodedError("BAD_REQUEST", `There is no room for more notes: at most ${MAX_NOTES}`, { details: { count: MAX_NOTES } });
      await putNotes(this.#context, change, after);
      for (let start = 0; start < named.length; start += MAX_NOTES_A_CONTENT)
        change.queue(account.masterPub, {
          kind: "notes",
          id: newId(random),
          at,
          notes: named.slice(start, start + MAX_NOTES_A_CONTENT),
        });
    });
    this.#onQueued();
  }
}
