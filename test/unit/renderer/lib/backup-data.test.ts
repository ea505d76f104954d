import { afterEach, beforeEach, expect, it } from "vitest";
import { collectBackupData, restoreBackupData } from "#renderer/lib/backup-data.ts";
import { changeNotes, closePeopleNotes, openPeopleNotes, putNotes, usePeopleNotes } from "#renderer/lib/people/contacts/people-notes.ts";
import { DEFAULT_SETTINGS, useSettings } from "#renderer/lib/settings/settings-store.ts";
import { closeLabels, openLabels, setLabel, useLabelStore } from "#renderer/lib/transactions/label-store.ts";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import type { StoreKeys } from "#shared/keyring/keyring-api.ts";

const BOB = "0b".repeat(32);
const CAROL = "0c".repeat(32);
const NOTES = { name: "Bobby", note: "met in Bern", isVerified: true, declinedRequest: "" };

async function open(): Promise<void> {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string): string | null => stored.get(key) ?? null,
    setItem: (key: string, value: string): void => void stored.set(key, value),
  };
  const raw = (): Uint8Array => new Uint8Array(32).fill(1);
  const keys: StoreKeys<CryptoKey> = {
    name: "store",
    recordKey: await importStoreKey(raw(), "encrypt"),
    indexKey: await importStoreKey(raw(), "authenticate"),
    formerKeys: [],
    dayKeys: [],
  };
  await openPeopleNotes(keys, storage);
  await openLabels(keys, storage);
}

beforeEach(open);

afterEach(() => {
  closePeopleNotes();
  closeLabels();
  useSettings.setState(DEFAULT_SETTINGS);
});

it("names, notes, labels and settings come back on a fresh device", async () => {
  await changeNotes(BOB, NOTES);
  await setLabel("tx1", "Rent");
  useSettings
    .getState()
    .change({ theme: "dark", textSize: "large", density: "compact", accent: "rose", sendReadReceipts: false, sendTyping: true });
  const file = JSON.parse(JSON.stringify(collectBackupData())) as unknown;
  useSettings.setState(DEFAULT_SETTINGS);
  await open();
  await restoreBackupData(file);
  expect(usePeopleNotes.getState().notes).toEqual({ [BOB]: NOTES });
  expect(useLabelStore.getState().labels).toEqual({ tx1: "Rent" });
  expect(useSettings.getState()).toMatchObject({
    ...{ theme: "dark", textSize: "large", density: "compact", accent: "rose" },
    ...{ sendReadReceipts: false, sendTyping: true },
  });
});

it("private contacts come along, and what the messenger has of them is for it to say", async () => {
  await changeNotes(BOB, { ...NOTES, isContact: true });
  await putNotes({ [BOB]: { ...NOTES, isContact: true, sync: "kept" }, [CAROL]: { ...NOTES, isContact: true, sync: "changed" } });
  const file = JSON.parse(JSON.stringify(collectBackupData())) as unknown;
  expect(JSON.stringify(file)).not.toContain("sync");
  await open();
  await restoreBackupData(file);
  expect(usePeopleNotes.getState().notes).toEqual({ [BOB]: { ...NOTES, isContact: true }, [CAROL]: { ...NOTES, isContact: true } });
});

it("what is here goes before what comes", async () => {
  await changeNotes(BOB, { name: "Robert" });
  await setLabel("tx1", "Flat");
  useSettings.getState().change({ theme: "light" });
  await restoreBackupData({
    notes: { [BOB]: NOTES, [CAROL]: NOTES },
    labels: { tx1: "Rent", tx2: "Tea" },
    // Backups of before the sender was always hidden say whether it was.
    settings: { theme: "dark", hideSender: true, sendTyping: true },
  });
  expect(usePeopleNotes.getState().notes[BOB]?.name).toBe("Robert");
  expect(usePeopleNotes.getState().notes[CAROL]).toEqual(NOTES);
  expect(useLabelStore.getState().labels).toEqual({ tx1: "Flat", tx2: "Tea" });
  expect(useSettings.getState()).toMatchObject({ theme: "light", sendTyping: true });
  expect(useSettings.getState()).not.toHaveProperty("hideSender");
});

it.each([
  undefined,
  null,
  7,
  { notes: 7, labels: [], settings: "x" },
  { notes: { [BOB]: { name: 1 } }, labels: { a: 2 }, settings: { theme: 3 } },
  { notes: { [BOB]: { ...NOTES, isContact: "yes" } } },
  { settings: { theme: "sepia", language: "xx", textSize: "huge", density: "", accent: "red", sendTyping: "yes" } },
])("%j changes nothing", async (data) => {
  await restoreBackupData(data);
  expect(usePeopleNotes.getState().notes).toEqual({});
  expect(useLabelStore.getState().labels).toEqual({});
  expect(useSettings.getState()).toMatchObject(DEFAULT_SETTINGS);
});
