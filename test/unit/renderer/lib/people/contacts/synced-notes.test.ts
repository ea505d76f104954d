// Notes of two devices with a messenger between them: what one changes reaches the other, whatever happens in between.
import { describe, expect, it } from "vitest";
import type { PersonNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { asPassed, notesToPass, notesToTake } from "#renderer/lib/people/contacts/synced-notes.ts";
import { NO_NOTES, type NotesRecord } from "#shared/content/chat/note-content.ts";
import { withNotes } from "#shared/content/chat/note-record.ts";

const ANNA = "0a".repeat(32);
const BORIS = "0b".repeat(32);

const notes = (fields: Partial<PersonNotes> = {}): PersonNotes => ({
  name: "",
  note: "",
  isVerified: false,
  declinedRequest: "",
  ...fields,
});
const known = (name: string, { key = ANNA, isContact = false, at = 1 } = {}): NotesRecord =>
  withNotes(NO_NOTES, [{ about: "person", key, name, text: "", isContact, at }]);

describe("notes for the messenger", () => {
  it("are those that it never got, and those that were changed since; a removed one too", () => {
    const here = {
      [ANNA]: notes({ name: "Anna", isContact: true }),
      [BORIS]: notes({ isVerified: true }),
      cc: notes({ name: "Carla", sync: "kept" }),
      dd: notes({ sync: "changed" }),
    };
    expect(notesToPass(here, known("David", { key: "dd" }))).toEqual([
      { about: "person", key: ANNA, name: "Anna", text: "", isContact: true },
      { about: "person", key: "dd", name: "", text: "", isContact: false },
    ]);
    expect(notesToPass({ [ANNA]: notes({ name: "Anna" }) }, known("Anna"))).toEqual([]);
  });

  it("are as the messenger stores them: what it changes of a text is not passed on again", () => {
    const here = { [ANNA]: notes({ name: " Anna ", note: "cut in the middle \ud83d", sync: "changed" }) };
    const [passed] = notesToPass(here, NO_NOTES);
    expect(passed).toMatchObject({ name: "Anna", text: "cut in the middle \ufffd" });
    const stored = withNotes(NO_NOTES, passed === undefined ? [] : [{ ...passed, at: 1 }]);
    expect(notesToPass(here, stored)).toEqual([]);
    expect(notesToTake(here, stored)[ANNA]?.sync).toBe("kept");
  });

  it("leave a mark before it gets them: what is removed meanwhile is passed on as well", () => {
    const here = { [ANNA]: notes({ name: "Anna" }) };
    const passed = asPassed(here, notesToPass(here, NO_NOTES));
    expect(passed).toEqual({ [ANNA]: notes({ name: "Anna", sync: "changed" }) });
    expect(asPassed(passed, notesToPass(passed, NO_NOTES))).toEqual({});
  });
});

describe("notes from the messenger", () => {
  it("come where nothing else was noted here, and leave the rest of what is known of a person", () => {
    const here = { [ANNA]: notes({ isVerified: true, declinedRequest: "tx-1" }) };
    expect(notesToTake(here, known("Anna", { isContact: true }))).toEqual({
      [ANNA]: notes({ name: "Anna", isContact: true, isVerified: true, declinedRequest: "tx-1", sync: "kept" }),
    });
    expect(notesToTake({ [ANNA]: notes({ name: "Anna", sync: "kept" }) }, known("Anne"))[ANNA]?.name).toBe("Anne");
    expect(notesToTake({ [ANNA]: notes({ name: "Anna", sync: "kept" }) }, known(""))[ANNA]).toEqual(
      notes({ sync: "kept", isContact: false }),
    );
  });

  it("never replace what waits to be passed on, and change nothing where both are the same", () => {
    for (const waiting of [notes({ name: "Anna" }), notes({ name: "Anna", sync: "changed" }), notes({ sync: "changed" })])
      expect(notesToTake({ [ANNA]: waiting }, known("Anne"))).toEqual({});
    expect(notesToTake({ [ANNA]: notes({ name: "Anna", sync: "changed" }) }, known("Anna"))[ANNA]?.sync).toBe("kept");
    expect(notesToTake({ [ANNA]: notes({ name: "Anna", sync: "kept" }) }, known("Anna"))).toEqual({});
    expect(notesToTake({}, known(""))).toEqual({});
  });
});
