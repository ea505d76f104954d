import { beforeEach, describe, expect, it } from "vitest";
import { forgetUnstored, retryUnstored, storeOrNote, useUnstored } from "#renderer/lib/browser/sealed/unstored.ts";
import { changeNotes, closePeopleNotes, openPeopleNotes, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { memoryStorage, storeKeys } from "#test/support/worlds/sealed-storage.ts";

const places = (): readonly string[] => [...useUnstored.getState().items.keys()];
const full = (): Promise<void> => Promise.reject(new Error("QuotaExceededError"));

describe("what the browser refused to store", () => {
  beforeEach(() => {
    for (const place of places()) forgetUnstored(place);
  });

  it("is noted until a later write to the same place succeeds", async () => {
    await expect(storeOrNote("one", full)).rejects.toThrow("Quota");
    await expect(storeOrNote("two", full)).rejects.toThrow("Quota");
    expect(places()).toEqual(["one", "two"]);
    await storeOrNote("one", () => Promise.resolve());
    expect(places()).toEqual(["two"]);
  });

  it("is not written over by an earlier one that is tried again", async () => {
    const stored: string[] = [];
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isFull = true;
    const old = async (): Promise<void> => {
      if (isFull) throw new Error("QuotaExceededError");
      begun.resolve();
      await held.promise;
      stored.push("old");
    };
    await storeOrNote("one", old).catch(() => undefined);
    isFull = false;
    const retried = retryUnstored();
    const later = storeOrNote("one", () => Promise.resolve(void stored.push("new")));
    await begun.promise;
    held.resolve();
    await Promise.all([retried, later]);
    expect(stored).toEqual(["old", "new"]);
  });

  it("is tried again, all of it, and what fails again stays", async () => {
    let hasRoom = false;
    const written: string[] = [];
    const writer = (name: string) => (): Promise<void> => (hasRoom ? Promise.resolve(void written.push(name)) : full());
    await storeOrNote("one", writer("one")).catch(() => undefined);
    await storeOrNote("two", full).catch(() => undefined);
    hasRoom = true;
    await retryUnstored();
    expect([written, places()]).toEqual([["one"], ["two"]]);
  });

  it("is not tried again once a later one is stored, however long the round takes", async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let hasRoom = false;
    const stored: string[] = [];
    const slow = async (): Promise<void> => {
      if (!hasRoom) throw new Error("QuotaExceededError");
      begun.resolve();
      await held.promise;
    };
    await storeOrNote("one", slow).catch(() => undefined);
    await storeOrNote("two", () => (hasRoom ? Promise.resolve(void stored.push("old")) : full())).catch(() => undefined);
    hasRoom = true;
    const retried = retryUnstored();
    await begun.promise;
    await storeOrNote("two", () => Promise.resolve(void stored.push("new")));
    held.resolve();
    await retried;
    expect([stored, places()]).toEqual([["new"], []]);
  });

  it("stays noted where another one took its place before its turn", async () => {
    const held = Promise.withResolvers<void>();
    await storeOrNote("one", full).catch(() => undefined);
    const later = storeOrNote("one", () => held.promise.then(full)).catch(() => undefined);
    const retried = retryUnstored();
    held.resolve();
    await Promise.all([later, retried]);
    expect(places()).toEqual(["one"]);
  });

  it("is not noted when the keyring was locked meanwhile, nor what waited behind it", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    const setItem = (): void => {
      throw new Error("QuotaExceededError");
    };
    await openPeopleNotes(keys, { ...storage, setItem });
    const place = usePeopleNotes.getState().item?.storageKey ?? "";
    const written = [changeNotes("0a".repeat(32), { name: "Anna" }), changeNotes("0b".repeat(32), { name: "Boris" })];
    forgetUnstored(place);
    closePeopleNotes();
    expect((await Promise.allSettled(written)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(places()).toEqual([]);
  });

  it("does not replace what another tab has written and this one has read", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    let isFull = true;
    const narrow = {
      ...storage,
      setItem: (key: string, value: string): void => {
        if (isFull) throw new Error("QuotaExceededError");
        storage.setItem(key, value);
      },
    };
    const [anna, boris] = ["0a".repeat(32), "0b".repeat(32)];
    await openPeopleNotes(keys, storage);
    await changeNotes(boris, { name: "Boris" });
    const ofOtherTab = [...storage.stored];
    storage.stored.clear();
    await openPeopleNotes(keys, narrow);
    await changeNotes(anna, { name: "Anna" }).catch(() => undefined);
    for (const [key, value] of ofOtherTab) storage.setItem(key, value);
    await openPeopleNotes(keys, narrow);
    isFull = false;
    await retryUnstored();
    expect([...storage.stored]).toEqual(ofOtherTab);
    expect([Object.keys(usePeopleNotes.getState().notes), places()]).toEqual([[boris], []]);
    closePeopleNotes();
  });

  it("are changed notes about people, too, and what is tried again is the newest of them", async () => {
    const [keys, storage] = [await storeKeys(1, "one"), memoryStorage()];
    let isFull = true;
    const narrow = {
      ...storage,
      setItem: (key: string, value: string): void => {
        if (isFull) throw new Error("QuotaExceededError");
        storage.setItem(key, value);
      },
    };
    await openPeopleNotes(keys, narrow);
    const [anna, boris] = ["0a".repeat(32), "0b".repeat(32)];
    await changeNotes(anna, { name: "Anna" }).catch(() => undefined);
    await changeNotes(boris, { name: "Boris" }).catch(() => undefined);
    expect(places()).toHaveLength(1);
    isFull = false;
    await retryUnstored();
    expect(places()).toEqual([]);
    closePeopleNotes();
    await openPeopleNotes(keys, storage);
    expect(Object.keys(usePeopleNotes.getState().notes)).toEqual([anna, boris]);
    closePeopleNotes();
  });
});
