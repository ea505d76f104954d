import { beforeEach, describe, expect, it } from "vitest";
import { changeNotes, closePeopleNotes, notesKey, openPeopleNotes, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";

const ANNA = "0a".repeat(32);
const BORIS = "0b".repeat(32);

describe("notes about people", () => {
  beforeEach(() => closePeopleNotes());

  it("are there again after closing and opening", async () => {
    const [keys, storage] = [await someKeys("one"), memoryStorage()];
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
    await openPeopleNotes(await someKeys("one"), storage);
    await changeNotes(ANNA, { note: "owes me lunch" });
    const stored = [...storage.values.values()].join();
    expect(stored).not.toBe("");
    expect(stored).not.toContain("lunch");
    expect(Buffer.from(stored, "base64").toString("latin1")).not.toContain("lunch");
    expect(stored).not.toContain(ANNA);
  });

  it("keep the last of several changes made at once", async () => {
    const [keys, storage] = [await someKeys("one"), memoryStorage()];
    await openPeopleNotes(keys, storage);
    await Promise.all(["A", "An", "Ann", "Anna"].map((name) => changeNotes(ANNA, { name })));
    closePeopleNotes();
    await openPeopleNotes(keys, storage);
    expect(usePeopleNotes.getState().notes[ANNA]?.name).toBe("Anna");
  });

  it("forget a person about whom nothing is noted any more", async () => {
    await openPeopleNotes(await someKeys("one"), memoryStorage());
    await changeNotes(ANNA, { name: "Anna" });
    await changeNotes(ANNA, { name: "" });
    expect(usePeopleNotes.getState().notes).toEqual({});
  });

  it("set aside what another key has written instead of overwriting it", async () => {
    const storage = memoryStorage();
    await openPeopleNotes(await someKeys("one"), storage);
    await changeNotes(ANNA, { name: "Anna" });
    const written = storage.getItem(notesKey("one"));
    await openPeopleNotes(await someKeys("one"), storage);
    expect(usePeopleNotes.getState().notes).toEqual({});
    await changeNotes(BORIS, { name: "Boris" });
    expect(storage.getItem(`${notesKey("one")}.damaged`)).toBe(written);
  });

  it("do not change while they are closed", async () => {
    await changeNotes(ANNA, { name: "Anna" });
    expect(usePeopleNotes.getState().notes).toEqual({});
  });
});

interface MemoryStorage {
  readonly values: Map<string, string>;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

function memoryStorage(): MemoryStorage {
  const values = new Map<string, string>();
  return { values, getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

async function someKeys(name: string): Promise<StoreKeys<CryptoKey>> {
  const recordKey = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  const indexKey = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return { name, recordKey, indexKey };
}
