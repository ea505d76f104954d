// Notes for which there is no room keep no other ones from the messenger.
import { expect, it } from "vitest";
import { setNotesWithRoom } from "#renderer/lib/people/contacts/set-notes.ts";
import type { Note } from "#shared/content/chat/note-content.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

const noteOf = (number: number): Note => ({
  about: "person",
  key: number.toString(16).padStart(64, "0"),
  name: String(number),
  text: "",
  isContact: false,
});
const NOTES = Array.from({ length: 70 }, (_, number) => noteOf(number));

/** A messenger that has no room for some notes. */
function messengerWithout(refused: ReadonlySet<Note>): { set: Note[]; setNotes: (notes: readonly Note[]) => Promise<void> } {
  const set: Note[] = [];
  return {
    set,
    setNotes: async (notes): Promise<void> => {
      if (notes.some((note) => refused.has(note))) throw new CodedError("BAD_REQUEST", "There is no room for more notes");
      set.push(...notes);
    },
  };
}

it("notes without room are said, and the others are set", async () => {
  const refused = new Set([NOTES[0], NOTES[33], NOTES[69]].filter((note) => note !== undefined));
  const messenger = messengerWithout(refused);
  await expect(setNotesWithRoom(messenger, NOTES)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(messenger.set).toEqual(NOTES.filter((note) => !refused.has(note)));
  await setNotesWithRoom(messengerWithout(new Set()), NOTES);
});

it("a messenger that is gone is asked once", async () => {
  let calls = 0;
  const setNotes = async (): Promise<void> => {
    calls += 1;
    throw new CodedError("MESSENGER_UNAVAILABLE", "stopped");
  };
  await expect(setNotesWithRoom({ setNotes }, NOTES)).rejects.toMatchObject({ code: "MESSENGER_UNAVAILABLE" });
  expect(calls).toBe(1);
});
