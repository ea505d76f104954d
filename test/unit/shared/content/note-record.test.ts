import { describe, expect, it } from "vitest";
import { MAX_NOTE_TEXT_BYTES, NO_NOTES, privateContacts } from "#shared/content/chat/note-content.ts";
import { type DatedNote, entriesOf, joinNotes, MAX_NOTES, MAX_NOTES_BYTES, withNotes } from "#shared/content/chat/note-record.ts";

const keyOf = (index: number): string => index.toString(16).padStart(64, "0");
const note = (index: number, fields: Partial<DatedNote> = {}): DatedNote => ({
  about: "person",
  key: keyOf(index),
  name: "Anna",
  text: "",
  isContact: false,
  at: 10,
  ...fields,
});

describe("notes", () => {
  it("are the later ones, in any order; of one moment all devices take the same", () => {
    const changes = [
      note(1),
      note(1, { name: "Anne", at: 11 }),
      note(1, { name: "Zoe", at: 11 }),
      note(1, { about: "device", name: "Desk" }),
    ];
    const forward = withNotes(NO_NOTES, changes);
    expect(forward).toEqual(changes.toReversed().reduce((record, change) => withNotes(record, [change]), NO_NOTES));
    expect(forward.person[keyOf(1)]).toEqual({ name: "Zoe", text: "", isContact: false, at: 11 });
    expect(forward.device[keyOf(1)]?.name).toBe("Desk");
    expect(withNotes(forward, changes)).toBe(forward);
    expect(joinNotes(withNotes(NO_NOTES, changes.slice(0, 2)), forward)).toEqual(forward);
  });

  it("stay removed, and say who is a contact", () => {
    const contact = withNotes(NO_NOTES, [note(1, { isContact: true }), note(2)]);
    expect(privateContacts(contact)).toEqual([keyOf(1)]);
    const removed = withNotes(contact, [note(1, { name: "", at: 12 })]);
    expect(privateContacts(removed)).toEqual([]);
    expect(joinNotes(removed, contact)).toEqual(removed);
  });

  it("have their bounds: what was removed first makes room, and what does not fit is left out", () => {
    const full = withNotes(
      NO_NOTES,
      Array.from({ length: MAX_NOTES }, (_, index) => note(index, index < 2 ? { name: "", at: 20 - index } : {})),
    );
    const one = withNotes(full, [note(MAX_NOTES)]);
    expect(entriesOf(one)).toHaveLength(MAX_NOTES);
    expect(Object.hasOwn(one.person, keyOf(1))).toBe(false);
    expect(Object.hasOwn(one.person, keyOf(0))).toBe(true);
    const two = withNotes(one, [note(MAX_NOTES + 1), note(MAX_NOTES + 2), note(2, { name: "Renamed", at: 30 })]);
    expect(Object.hasOwn(two.person, keyOf(MAX_NOTES + 1))).toBe(true);
    expect(Object.hasOwn(two.person, keyOf(MAX_NOTES + 2))).toBe(false);
    expect(two.person[keyOf(2)]?.name).toBe("Renamed");
    const fitting = Math.floor(MAX_NOTES_BYTES / MAX_NOTE_TEXT_BYTES);
    const long = Array.from({ length: fitting + 1 }, (_, index) => note(index, { name: "", text: "x".repeat(MAX_NOTE_TEXT_BYTES) }));
    expect(entriesOf(withNotes(NO_NOTES, long))).toHaveLength(fitting);
  });
});
