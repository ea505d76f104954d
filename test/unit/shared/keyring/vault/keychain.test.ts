import { beforeEach, describe, expect, it } from "vitest";
import { Keyring } from "#shared/keyring/keyring.ts";
import type { UnwrappedKey } from "#shared/keyring/vault/keychain.ts";
import { parseVault } from "#shared/keyring/vault/vault-format.ts";
import { toHex } from "#shared/util/bytes.ts";
import { TestKeychain } from "#test/support/host/test-keychain.ts";
import { CHEAP_ARGON2, ManualTime, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";
const CHAIN = "parley-test";

let storage: MemoryVault;
let keychain: TestKeychain;
let time: ManualTime;
let keyring: Keyring;

/** The app starts: a new process with the same files and the same computer. */
function start(): Keyring {
  return new Keyring({ storage, random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2, keychain });
}

beforeEach(async () => {
  storage = new MemoryVault();
  keychain = new TestKeychain();
  time = new ManualTime();
  keyring = start();
  await keyring.create({ password: PASSWORD });
});

describe("a vault that the keychain does not open", () => {
  it("is the usual one: nothing is written for the keychain and nothing is asked of it", async () => {
    expect(parseVault(storage.copies.get("a") ?? new Uint8Array())?.body.keychain).toBeUndefined();
    expect((await start().status()).opensWithKeychain).toBeUndefined();
    await start().unlock({ password: PASSWORD });
    expect(keychain.calls).toEqual([]);
    expect(await keyring.keychain()).toEqual({ offer: "ready", name: "gnome_libsecret", isEnabled: false });
    await expect(start().unlockWithKeychain()).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
  });

  it("is opened to the keychain by the password only", async () => {
    await expect(keyring.setKeychain({ password: "wrong horse battery" })).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    expect(keychain.calls).toEqual([]);
    expect(await keyring.keychain()).toMatchObject({ isEnabled: false });
  });

  it("says that there is no keychain where the host has none", async () => {
    const alone = new Keyring({ storage, random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2 });
    expect(await alone.keychain()).toEqual({ offer: "absent", name: "", isEnabled: false });
    await expect(alone.setKeychain({ password: PASSWORD })).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
  });

  it("is not opened to a keychain that protects nothing", async () => {
    keychain.description = { offer: "weak", name: "basic_text" };
    await expect(keyring.setKeychain({ password: PASSWORD })).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
    expect(await keyring.keychain()).toEqual({ offer: "weak", name: "basic_text", isEnabled: false });
    expect(keychain.calls).not.toContain("wrap");
  });

  it("stays as it is when the keychain fails", async () => {
    const before = toHex(storage.copies.get("a") ?? new Uint8Array());
    keychain.failure = new Error("no answer");
    await expect(keyring.setKeychain({ password: PASSWORD })).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
    expect(await keyring.keychain()).toEqual({ offer: "unavailable", name: "", isEnabled: false });
    expect(toHex(storage.copies.get("a") ?? new Uint8Array())).toBe(before);
  });
});

describe("a vault that the keychain opens", () => {
  beforeEach(async () => {
    expect(await keyring.setKeychain({ password: PASSWORD })).toMatchObject({ isEnabled: true });
    keyring = start();
  });

  it("opens without a password for everything but the wallet", async () => {
    const account = (await keyring.status()).account;
    expect(await keyring.status()).toEqual({ state: "locked", account, phraseConfirmed: null, opensWithKeychain: true });
    expect(await keyring.unlockWithKeychain()).toEqual({ state: "walletLocked", account, phraseConfirmed: false });
    const [envelope] = await keyring.seal({
      requests: [{ plaintext: new Uint8Array([1]), recipients: [account?.devicePub ?? ""], sentAt: 1_800_000_000 }],
    });
    const [opened] = await keyring.open({ items: envelope === undefined ? [] : [envelope] });
    expect(opened?.plaintext).toEqual(new Uint8Array([1]));
    const payment = { intent: { kind: "pay", to: account?.masterPub ?? "", amountUt: 1 }, chainId: CHAIN } as const;
    await expect(keyring.sign(payment)).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await expect(keyring.phraseQuiz()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(await keyring.unlock({ password: PASSWORD })).toMatchObject({ state: "unlocked" });
    await expect(keyring.sign(payment)).resolves.toBeDefined();
  });

  it("gives the same keys of the local history as the password does", async () => {
    await keyring.unlockWithKeychain();
    const byPassword = start();
    await byPassword.unlock({ password: PASSWORD });
    expect(await keyring.storeKeys()).toEqual(await byPassword.storeKeys());
  });

  it("holds neither the data key nor the wrapping key in the clear", async () => {
    const stored = toHex(storage.copies.get("a") ?? new Uint8Array());
    expect(storage.copies.get("b")).toEqual(storage.copies.get("a"));
    const wrapped = parseVault(storage.copies.get("a") ?? new Uint8Array())?.body.keychain?.wrapped ?? new Uint8Array();
    const { key } = await keychain.unwrap(wrapped);
    expect(stored).not.toContain(toHex(key));
  });

  it("asks for the password after every lock, for every caller", async () => {
    await keyring.unlockWithKeychain();
    await keyring.lock();
    expect((await keyring.status()).opensWithKeychain).toBeUndefined();
    await expect(keyring.unlockWithKeychain()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    await keyring.unlock({ password: PASSWORD });
  });

  it("leads to the password when the keychain is another one, and loses nothing", async () => {
    keychain.exchange();
    await expect(keyring.unlockWithKeychain()).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
    expect(await keyring.status()).toMatchObject({ state: "locked", opensWithKeychain: true });
    expect(await keyring.unlock({ password: PASSWORD })).toMatchObject({ state: "unlocked" });
    await keyring.setKeychain({ password: PASSWORD });
    await expect(start().unlockWithKeychain()).resolves.toMatchObject({ state: "walletLocked" });
  });

  it("lets the password open while the system asks the person, and does not close again when the keychain answers", async () => {
    const unwrap = keychain.unwrap.bind(keychain);
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    keychain.unwrap = async (wrapped): Promise<UnwrappedKey> => {
      asked.resolve();
      await answered.promise;
      return await unwrap(wrapped);
    };
    const opening = keyring.unlockWithKeychain();
    await asked.promise;
    await keyring.unlock({ password: PASSWORD });
    answered.resolve();
    expect(await opening).toMatchObject({ state: "unlocked" });
  });

  it("stays locked when it was locked while the system asked", async () => {
    const unwrap = keychain.unwrap.bind(keychain);
    keychain.unwrap = async (wrapped): Promise<UnwrappedKey> => {
      await keyring.lock();
      return await unwrap(wrapped);
    };
    await expect(keyring.unlockWithKeychain()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(await keyring.status()).toMatchObject({ state: "locked" });
  });

  it("leads to the password when the wrapping key is another one", async () => {
    keychain.unwrap = (): Promise<UnwrappedKey> => Promise.resolve({ key: new Uint8Array(32).fill(7), isStale: false });
    await expect(keyring.unlockWithKeychain()).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
    await expect(keyring.unlock({ password: PASSWORD })).resolves.toBeDefined();
  });

  it("opens from the other copy when one is damaged", async () => {
    storage.damage("a");
    await expect(keyring.unlockWithKeychain()).resolves.toMatchObject({ state: "walletLocked" });
    expect(storage.copies.get("a")).toEqual(storage.copies.get("b"));
  });

  it("wraps again when the keychain asks for it", async () => {
    const before = parseVault(storage.copies.get("a") ?? new Uint8Array())?.body.keychain?.wrapped ?? new Uint8Array();
    keychain.isStale = true;
    await keyring.unlockWithKeychain();
    const after = parseVault(storage.copies.get("a") ?? new Uint8Array())?.body.keychain?.wrapped ?? new Uint8Array();
    expect(toHex(after)).not.toBe(toHex(before));
    await expect(start().unlockWithKeychain()).resolves.toMatchObject({ state: "walletLocked" });
  });

  it("still opens after a new password, and no longer when the keychain was away then", async () => {
    await keyring.unlock({ password: PASSWORD });
    await keyring.changePassword({ current: PASSWORD, next: "another good password" });
    await expect(start().unlockWithKeychain()).resolves.toMatchObject({ state: "walletLocked" });
    keychain.failure = new Error("no answer");
    await keyring.changePassword({ current: "another good password", next: PASSWORD });
    keychain.failure = undefined;
    expect(await keyring.keychain()).toMatchObject({ isEnabled: false });
    await expect(start().unlock({ password: PASSWORD })).resolves.toBeDefined();
  });

  it("keeps the way in when flags are stored, and closes it in both copies when asked to", async () => {
    await keyring.unlockWithKeychain();
    await keyring.signedPrekey({ chainId: "parley-test" });
    await expect(start().unlockWithKeychain()).resolves.toBeDefined();
    expect(await keyring.setKeychain({ password: null })).toMatchObject({ isEnabled: false });
    for (const copy of storage.copies.values()) expect(parseVault(copy)?.body.keychain).toBeUndefined();
    await expect(start().unlockWithKeychain()).rejects.toMatchObject({ code: "KEYCHAIN_FAILED" });
    await expect(start().unlock({ password: PASSWORD })).resolves.toBeDefined();
  });
});
