// Several windows over one vault: none overwrites what another one stored, and mail to the keys of any of them opens in all.
import { beforeEach, describe, expect, it } from "vitest";
import { EPOCH_ROTATION_S } from "#shared/keyring/devices/epoch-keys.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import type { SealedItem } from "#shared/keyring/keyring-api.ts";
import { Vault } from "#shared/keyring/vault/vault.ts";
import { MAX_DAY_KEYS } from "#shared/keyring/vault/vault-format.ts";
import type { VaultSecrets } from "#shared/keyring/vault/vault-secrets.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { CHEAP_ARGON2, createTestKeyring, ManualTime, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const CHAIN = "parley-test";
const DAY_MS = EPOCH_ROTATION_S * 1_000;

let storage: MemoryVault;
let time: ManualTime;
let first: Keyring;
let second: Keyring;
let devicePub = "";

async function openWindow(password = PASSWORD): Promise<Keyring> {
  const { keyring } = createTestKeyring(storage, time);
  await keyring.unlock({ password });
  return keyring;
}

beforeEach(async () => {
  storage = new MemoryVault();
  time = new ManualTime();
  ({ keyring: first } = createTestKeyring(storage, time));
  await first.create({ password: PASSWORD });
  devicePub = (await first.status()).account?.devicePub ?? "";
  second = await openWindow();
});

/** Key that others would seal to, as this window shows it. */
async function shownBy(window: Keyring, chainId = CHAIN): Promise<string> {
  return (await window.signedPrekey({ chainId }))?.epochPub ?? "";
}

async function mailTo(epochPub: string, text: string): Promise<SealedItem> {
  const sender = createTestKeyring().keyring;
  await sender.create({ password: PASSWORD });
  const [envelope] = await sender.seal({ requests: [{ plaintext: utf8(text), recipients: [devicePub], sentAt: 1, epochPub }] });
  if (envelope === undefined) throw new Error("nothing was sealed");
  return envelope;
}

async function textIn(window: Keyring, item: SealedItem): Promise<string> {
  const [opened] = await window.open({ items: [item] });
  return opened?.plaintext == null ? "unreadable" : new TextDecoder().decode(opened.plaintext);
}

describe("two windows over one vault", () => {
  it("show the same short-lived key, whichever makes it", async () => {
    expect(await shownBy(second)).toBe(await shownBy(first));
    time.advance(DAY_MS);
    expect(await shownBy(first)).toBe(await shownBy(await openWindow()));
  });

  it("open mail to the keys of each other, now and after both have ended", async () => {
    const toFirst = await mailTo(await shownBy(first), "to the first");
    time.advance(DAY_MS);
    const toSecond = await mailTo(await shownBy(second), "to the second");
    const later = await openWindow();
    for (const window of [first, second, later]) {
      expect(await textIn(window, toFirst)).toBe("to the first");
      expect(await textIn(window, toSecond)).toBe("to the second");
    }
  });

  it("lose no key when both make one at the same time, again and again", async () => {
    const windows = [first, second, await openWindow(), await openWindow()];
    const items: { item: SealedItem; text: string }[] = [];
    for (let day = 0; day < 10; day += 1) {
      const shown = await Promise.all(windows.map((window, index) => shownBy(window, index % 2 === 0 ? CHAIN : "other-network")));
      for (const epochPub of shown) items.push({ item: await mailTo(epochPub, `day ${day}`), text: `day ${day}` });
      time.advance(DAY_MS);
    }
    const later = await openWindow();
    for (const { item, text } of items) expect(await textIn(later, item)).toBe(text);
    expect(await later.signedPrekey({ chainId: "other-network" })).not.toBeNull();
  });

  it("keep the newest key when one of them stores something else", async () => {
    const item = await mailTo(await shownBy(first), "still here");
    const { positions } = await second.phraseQuiz();
    const { words } = await second.revealPhrase({ password: PASSWORD });
    const answers = positions.map((position) => ({ position, word: words[position - 1] ?? "" }));
    expect(await second.confirmPhrase({ answers })).toEqual({ confirmed: true });
    const later = await openWindow();
    expect(await textIn(later, item)).toBe("still here");
    expect(await later.status()).toMatchObject({ phraseConfirmed: true });
    await later.retireEpochs({ blockS: 4_000_000_000 });
    await first.retireEpochs({ blockS: 4_000_000_000 });
    expect(await textIn(await openWindow(), item)).toBe("still here");
  });

  it("make and destroy keys of messages that disappear for both, and no more than the vault holds", async () => {
    await Promise.all([first.makeDayKey({ until: 5 }), second.makeDayKey({ until: 6 })]);
    await first.signedPrekey({ chainId: CHAIN });
    const { dayKeys } = await first.storeKeys();
    expect(dayKeys.map(({ until }) => until).toSorted()).toEqual([5, 6]);
    const [one, other] = dayKeys.map(({ id }) => id);
    expect(new Set(dayKeys.map(({ id, key }) => `${id} ${key.join()}`)).size).toBe(2);
    await second.dropDayKeys({ ids: [one ?? ""] });
    await first.dropDayKeys({ ids: [one ?? ""] });
    for (const window of [second, await openWindow()]) expect((await window.storeKeys()).dayKeys.map(({ id }) => id)).toEqual([other]);
    for (let more = 1; more < MAX_DAY_KEYS; more += 1) expect(await first.makeDayKey({ until: 7 })).toBe(true);
    expect(await first.makeDayKey({ until: 8 })).toBe(false);
    await first.changePassword({ current: PASSWORD, next: "another horse battery" });
    const later = await openWindow("another horse battery");
    const kept = (await later.storeKeys()).dayKeys;
    expect([kept.length, kept[0]?.id, kept.some(({ until }) => until === 8)]).toEqual([MAX_DAY_KEYS, other, false]);
  });

  it("go on under a new password that one of them set, once it is typed in the other one too", async () => {
    const item = await mailTo(await shownBy(second), "before");
    await first.changePassword({ current: PASSWORD, next: "another horse battery" });
    time.advance(DAY_MS);
    // It would store its new key under the data key of the password before.
    await expect(shownBy(second)).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect((await second.status()).state).toBe("locked");
    await second.unlock({ password: "another horse battery" });
    const after = await mailTo(await shownBy(second), "after");
    for (const window of [first, second, await openWindow("another horse battery")])
      expect([await textIn(window, item), await textIn(window, after)]).toEqual(["before", "after"]);
  });

  it("lock at once when another one sets a new password, and not when it is their own", async () => {
    const listeners: (() => void)[] = [];
    const windowOf = (): Keyring => {
      const own: (() => void)[] = [];
      const announce = (): void => {
        for (const listener of listeners) if (!own.includes(listener)) listener();
      };
      const listen = (listener: () => void): void => {
        own.push(listener);
        listeners.push(listener);
      };
      return new Keyring({
        storage,
        random: systemRandom,
        clock: time,
        timers: time,
        argon2: CHEAP_ARGON2,
        otherWindows: { announce, listen },
      });
    };
    const [one, other] = [windowOf(), windowOf()];
    await one.unlock({ password: PASSWORD });
    await other.unlock({ password: PASSWORD });
    await one.changePassword({ current: PASSWORD, next: "another horse battery" });
    await pollUntil(async () => (await other.status()).state === "locked");
    expect((await one.status()).state).toBe("unlocked");
    await other.unlock({ password: "another horse battery" });
    expect(await other.storeKeys()).toEqual(await one.storeKeys());
  });

  it("do not make two identities of one empty profile", async () => {
    storage = new MemoryVault();
    const windows = Array.from({ length: 4 }, () => createTestKeyring(storage, time).keyring);
    const made = await Promise.allSettled(windows.map((window) => window.create({ password: PASSWORD })));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of made) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VAULT_EXISTS" });
    await expect(openWindow()).resolves.toBeDefined();
  });

  it("store nothing into a vault of another person, and say so", async () => {
    const stranger = new MemoryVault();
    await createTestKeyring(stranger, time).keyring.create({ password: PASSWORD });
    for (const [copy, bytes] of stranger.copies) storage.copies.set(copy, bytes);
    await expect(first.signedPrekey({ chainId: CHAIN })).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(storage.copies).toEqual(stranger.copies);
  });

  it("do not show a key that could not be stored", async () => {
    storage.failWriteOf = "b";
    await expect(first.signedPrekey({ chainId: CHAIN })).rejects.toThrow("disk full");
    await expect(first.signedPrekey({ chainId: CHAIN })).rejects.toThrow("disk full");
    storage.failWriteOf = undefined;
    const item = await mailTo(await shownBy(first), "stored");
    expect(await textIn(await openWindow(), item)).toBe("stored");
  });
});

describe("a vault that is written while another window changes it", () => {
  const secrets = (): VaultSecrets => ({
    entropy: new Uint8Array(32).fill(1),
    dataKey: new Uint8Array(32).fill(2),
    deviceSecret: new Uint8Array(32).fill(3),
    phraseConfirmed: false,
  });
  const keys = { masterPub: "aa".repeat(32), devicePub: "bb".repeat(32) };
  const epoch = { secret: new Uint8Array(32).fill(7), notAfter: 5 };
  const open = (): Vault => new Vault({ storage, random: systemRandom, argon2: CHEAP_ARGON2 });

  beforeEach(() => {
    storage = new MemoryVault();
  });

  it("keeps keys that were stored between reading and writing", async () => {
    const vault = open();
    await vault.write(secrets(), PASSWORD, keys);
    const opened = await vault.openWithPassword(PASSWORD);
    await open().changeDevice(secrets().dataKey, (section) => ({ ...section, epochs: [epoch] }));
    await vault.write(opened.secrets, "another horse", keys, { ...opened.header, dataKey: secrets().dataKey });
    expect((await vault.openWithPassword("another horse")).secrets.epochs).toEqual([epoch]);
  });

  it("brings no day key back that was destroyed between reading and writing", async () => {
    const vault = open();
    const day = { id: new Uint8Array(8).fill(4), until: 5, secret: new Uint8Array(32).fill(6) };
    await vault.write({ ...secrets(), dayKeys: [day] }, PASSWORD, keys);
    const opened = await vault.openWithPassword(PASSWORD);
    expect(opened.secrets.dayKeys).toEqual([day]);
    await open().changeDevice(secrets().dataKey, (section) => ({ ...section, dayKeys: [] }));
    await vault.write(opened.secrets, "another horse", keys, { ...opened.header, dataKey: secrets().dataKey });
    expect((await vault.openWithPassword("another horse")).secrets.dayKeys ?? []).toEqual([]);
  });

  it("refuses a second new password that began with the old one", async () => {
    const vault = open();
    await vault.write(secrets(), PASSWORD, keys);
    const opened = await vault.openWithPassword(PASSWORD);
    await open().write(opened.secrets, "the first horse", keys, { ...opened.header, dataKey: secrets().dataKey });
    await expect(
      vault.write(opened.secrets, "the second horse", keys, { ...opened.header, dataKey: secrets().dataKey }),
    ).rejects.toMatchObject({ code: "VAULT_EXISTS" });
    await expect(vault.openWithPassword("the first horse")).resolves.toBeDefined();
  });

  it("never goes back to an older copy by repairing the other one", async () => {
    await open().write(secrets(), PASSWORD, keys);
    const before = new Map(storage.copies);
    await open().changeDevice(secrets().dataKey, (section) => ({ ...section, epochs: [epoch] }));
    // Read before the change, repaired after it.
    const stale = new MemoryVault();
    for (const [copy, bytes] of before) stale.copies.set(copy, bytes);
    stale.damage("b");
    storage.read = stale.read.bind(stale);
    await open().openWithPassword(PASSWORD);
    storage.read = MemoryVault.prototype.read;
    expect((await open().openWithPassword(PASSWORD)).secrets.epochs).toEqual([epoch]);
  });

  it("gives up with a reason when the storage never stays the same", async () => {
    await open().write(secrets(), PASSWORD, keys);
    storage.replace = async (): Promise<boolean> => false;
    const change = open().changeDevice(secrets().dataKey, (section) => ({ ...section, epochs: [epoch] }));
    await expect(change).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
  });
});
