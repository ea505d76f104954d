import { beforeEach, describe, expect, it } from "vitest";
import { sweepItems } from "#renderer/lib/browser/sealed/sealed-item.ts";
import { changeNotes, closePeopleNotes, openPeopleNotes, putNotes, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { memoryStorage, storeKeys } from "#test/support/worlds/sealed-storage.ts";

const ANNA = "0a".repeat(32);
const BORIS = "0b".repeat(32);

describe("notes about people", () => {
  beforeEach(() => closePeopleNotes());

  it("are there again after closing and opening", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    await openPeopleNotes(keys, storage);
    await changeNotes(ANNA, { name: "Anna from work" });
    await changeNotes(ANNA, { isVerified: true });
    await changeNotes(BORIS, { declinedRequest: "tx-1" });
    closePeopleNotes();
    expect(usePeopleNotes.getState().notes).toEqual({});
    await openPeopleNotes(keys, storage);
    expect(usePeopleNotes.getState().notes).toEqual({
      [ANNA]: { name: "Anna from work", note: "", isVerified: true, declinedRequest: "" },
      [BORIS]: { name: "", note: "", isVerified: false, declinedRequest: "tx-1" },
    });
  });

  it("are stored encrypted", async () => {
    const storage = memoryStorage();
    await openPeopleNotes(await storeKeys(1, "one"), storage);
    await changeNotes(ANNA, { note: "owes me lunch" });
    const stored = [...storage.stored.values()].join();
    expect(stored).not.toBe("");
    expect(stored).not.toContain("lunch");
    expect(Buffer.from(stored, "base64").toString("latin1")).not.toContain("lunch");
    expect(stored).not.toContain(ANNA);
  });

  it("are stored again after a change that the disk refused", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    let isFull = true;
    const setItem = (key: string, value: string): void => {
      if (isFull) throw new Error("full");
      storage.setItem(key, value);
    };
    await openPeopleNotes(keys, { ...storage, setItem });
    await expect(changeNotes(ANNA, { name: "Anna" })).rejects.toThrow("full");
    isFull = false;
    await changeNotes(ANNA, { note: "owes me lunch" });
    closePeopleNotes();
    await openPeopleNotes(keys, storage);
    expect(usePeopleNotes.getState().notes[ANNA]).toMatchObject({ name: "Anna", note: "owes me lunch" });
  });

  it("keep the last of several changes made at once", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    await openPeopleNotes(keys, storage);
    await Promise.all(["A", "An", "Ann", "Anna"].map((name) => changeNotes(ANNA, { name })));
    closePeopleNotes();
    await openPeopleNotes(keys, storage);
    expect(usePeopleNotes.getState().notes[ANNA]?.name).toBe("Anna");
  });

  it("forget a person about whom nothing is noted any more", async () => {
    await openPeopleNotes(await storeKeys(1, "one"), memoryStorage());
    await changeNotes(ANNA, { name: "Anna" });
    await changeNotes(ANNA, { name: "" });
    expect(usePeopleNotes.getState().notes).toEqual({});
  });

  it("say that something was removed until the messenger has that, and forget it then", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    await openPeopleNotes(keys, storage);
    await putNotes({ [ANNA]: { name: "Anna", note: "", isVerified: false, declinedRequest: "", isContact: true, sync: "kept" } });
    await changeNotes(ANNA, { isVerified: true });
    expect(usePeopleNotes.getState().notes[ANNA]?.sync).toBe("kept");
    await changeNotes(ANNA, { name: "", isContact: false, isVerified: false });
    closePeopleNotes();
    await openPeopleNotes(keys, storage);
    const removed = { name: "", note: "", isVerified: false, declinedRequest: "", isContact: false };
    expect(usePeopleNotes.getState().notes).toEqual({ [ANNA]: { ...removed, sync: "changed" } });
    await putNotes({ [ANNA]: { ...removed, sync: "kept" } });
    expect(usePeopleNotes.getState().notes).toEqual({});
    const before = usePeopleNotes.getState().notes;
    await putNotes({});
    expect(usePeopleNotes.getState().notes).toBe(before);
  });

  it("set aside what another key has written instead of overwriting it", async () => {
    const storage = memoryStorage();
    await openPeopleNotes(await storeKeys(1, "one"), storage);
    await changeNotes(ANNA, { name: "Anna" });
    const written = storage.getItem("parley.people.one");
    await openPeopleNotes(await storeKeys(2, "one"), storage);
    expect(usePeopleNotes.getState().notes).toEqual({});
    await changeNotes(BORIS, { name: "Boris" });
    expect(storage.getItem("parley.people.one.damaged")).toBe(written);
  });

  it("are read and sealed again after a change of password, once", async () => {
    const storage = memoryStorage();
    await openPeopleNotes(await storeKeys(1, "one"), storage);
    await changeNotes(ANNA, { name: "Anna" });
    const renewed = await storeKeys(2, "one", [1]);
    await openPeopleNotes(renewed, storage);
    expect(usePeopleNotes.getState().notes[ANNA]?.name).toBe("Anna");
    expect(await sweepItems(renewed, storage)).toBe(false);
    expect(await sweepItems(renewed, storage)).toBe(true);
    await openPeopleNotes(await storeKeys(2, "one"), storage);
    expect(usePeopleNotes.getState().notes[ANNA]?.name).toBe("Anna");
    expect(storage.stored.size).toBe(1);
  });

  it("that another window changes while they are sealed again keep that change", async () => {
    const storage = memoryStorage();
    await openPeopleNotes(await storeKeys(1, "one"), storage);
    await changeNotes(ANNA, { name: "Anna" });
    const renewed = await storeKeys(2, "one", [1]);
    const sweeping = sweepItems(renewed, storage);
    storage.setItem("parley.people.one", "changed by another window");
    expect(await sweeping).toBe(false);
    expect(storage.getItem("parley.people.one")).toBe("changed by another window");
  });

  it("do not change while they are closed", async () => {
    await changeNotes(ANNA, { name: "Anna" });
    expect(usePeopleNotes.getState().notes).toEqual({});
  });
});
