// With each new password comes a new data key: a copy of the vault and the password of that time open nothing that is written afterwards.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importStoreKey } from "#renderer/workers/store-key.ts";
import { Keyring } from "#shared/keyring/keyring.ts";
import { importStoreKeys } from "#shared/keyring/port.ts";
import { Vault } from "#shared/keyring/vault/vault.ts";
import type { VaultCopy } from "#shared/keyring/vault/vault-copies.ts";
import { MAX_FORMER_KEYS, MAX_UNSWEPT_CHANGES } from "#shared/keyring/vault/vault-format.ts";
import { type FormerKeys, type VaultSecrets, withNewDataKey } from "#shared/keyring/vault/vault-secrets.ts";
import { createRecordCipher, type RecordCipher } from "#shared/messenger/store/sealing/record-cipher.ts";
import { toHex } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { TestKeychain } from "#test/support/host/test-keychain.ts";
import { CHEAP_ARGON2, createTestKeyring, ManualTime, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const OLD = "correct horse battery";
const NEW = "another horse battery";

const vaultOn = (storage: MemoryVault): Vault => new Vault({ storage, random: systemRandom, argon2: CHEAP_ARGON2 });

async function cipherOf(keyring: Keyring): Promise<RecordCipher> {
  return createRecordCipher(await importStoreKeys(await keyring.storeKeys(), importStoreKey));
}

/** What a thief of the disk has. */
function copyOf(storage: MemoryVault): MemoryVault {
  const copy = new MemoryVault();
  for (const [name, bytes] of storage.copies) copy.copies.set(name, bytes.slice());
  return copy;
}

const RENEWALS: readonly (readonly [string, (keyring: Keyring, phrase: string) => Promise<unknown>])[] = [
  ["changed", (keyring): Promise<unknown> => keyring.changePassword({ current: OLD, next: NEW })],
  ["reset by the phrase", (keyring, phrase): Promise<unknown> => keyring.resetPassword({ phrase, password: NEW })],
];

describe.each(RENEWALS)("a password that was %s", (_, renew) => {
  it("leaves a thief of the vault before with keys that open nothing later", async () => {
    const { keyring, storage } = createTestKeyring();
    const { words } = await keyring.create({ password: OLD });
    const stolen = copyOf(storage);
    const thief = createTestKeyring(stolen).keyring;
    await thief.unlock({ password: OLD });
    const theirs = await cipherOf(thief);
    const before = await (await cipherOf(keyring)).seal("message 1", "before");

    await renew(keyring, words.join(" "));
    const own = await cipherOf(keyring);
    const after = await own.seal("message 2", "after");
    expect([await theirs.open("message 1", before), await theirs.open("message 2", after)]).toEqual(["before", undefined]);
    expect([await own.open("message 1", before), await own.open("message 2", after)]).toEqual(["before", "after"]);

    const resealed = (await own.reseal("message 1", before)) ?? new Uint8Array();
    expect([await theirs.open("message 1", resealed), await own.open("message 1", resealed)]).toEqual([undefined, "before"]);
    expect([await own.reseal("message 1", resealed), await own.reseal("message 2", after)]).toEqual([undefined, undefined]);
    expect(await own.reseal("message 3", before)).toBeUndefined();

    const { secrets } = await vaultOn(stolen).openWithPassword(OLD);
    await expect(vaultOn(storage).readDevice(secrets.dataKey, -1)).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
  });

  it("leaves programs' files under keys of their own, and the numbers of orders as they stand on the chain", async () => {
    const { keyring } = createTestKeyring();
    const { words } = await keyring.create({ password: OLD });
    const { file, journal, numbers } = keyring.apps.keys();
    await renew(keyring, words.join(" "));
    const after = keyring.apps.keys();
    expect(after).toMatchObject({ numbers, former: [{ file, journal }], renewals: 1 });
    expect([after.file, after.journal]).not.toContainEqual(file);
    expect([after.file, after.journal]).not.toContainEqual(journal);
  });
});

describe("data keys", () => {
  it("open the keychain's way in too, with the newest", async () => {
    const storage = new MemoryVault();
    const [time, keychain] = [new ManualTime(), new TestKeychain()];
    const start = (): Keyring => new Keyring({ storage, random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2, keychain });
    const keyring = start();
    await keyring.create({ password: OLD });
    await keyring.setKeychain({ password: OLD });
    const stolen = copyOf(storage);
    await keyring.changePassword({ current: OLD, next: NEW });
    const sealed = await (await cipherOf(keyring)).seal("message 1", "after");
    const restarted = start();
    expect(await restarted.unlockWithKeychain()).toMatchObject({ state: "walletLocked", formerDataKeys: 1 });
    expect(await (await cipherOf(restarted)).open("message 1", sealed)).toBe("after");
    const thief = new Keyring({ storage: stolen, random: systemRandom, clock: time, timers: time, argon2: CHEAP_ARGON2, keychain });
    await thief.unlockWithKeychain();
    expect(await (await cipherOf(thief)).open("message 1", sealed)).toBeUndefined();
  });

  it("all stay until nothing lies under them: with too many, a password is reset but not changed", async () => {
    const { keyring, storage } = createTestKeyring();
    const { words } = await keyring.create({ password: `${OLD} 0` });
    const phrase = words.join(" ");
    const first = await keyring.storeKeys();
    const before = await (await cipherOf(keyring)).seal("message 1", "before");
    for (let count = 1; count <= MAX_UNSWEPT_CHANGES; count += 1)
      await keyring.changePassword({ current: `${OLD} ${count - 1}`, next: `${OLD} ${count}` });
    const full = await keyring.storeKeys();
    const current = `${OLD} ${MAX_UNSWEPT_CHANGES}`;
    await expect(keyring.changePassword({ current, next: NEW })).rejects.toMatchObject({ code: "PASSWORD_CHANGES_PENDING" });
    expect(await keyring.storeKeys()).toEqual(full);
    for (let count = 1; count <= 3; count += 1) await keyring.resetPassword({ phrase, password: `${NEW} ${count}` });
    const after = await keyring.storeKeys();
    expect(after).toMatchObject({ name: first.name, indexKey: first.indexKey });
    expect(after.formerKeys).toHaveLength(MAX_UNSWEPT_CHANGES + 3);
    const restarted = createTestKeyring(storage).keyring;
    const formerDataKeys = MAX_UNSWEPT_CHANGES + 3;
    expect(await restarted.unlock({ password: `${NEW} 3` })).toMatchObject({ formerDataKeys });
    expect(await restarted.storeKeys()).toEqual(after);
    expect(await (await cipherOf(restarted)).open("message 1", before)).toBe("before");
    await restarted.dropFormerKeys({ formerDataKeys });
    await restarted.changePassword({ current: `${NEW} 3`, next: NEW });
    expect((await restarted.storeKeys()).formerKeys).toHaveLength(1);
  }, 60_000);

  it("stay bounded: the last is refused, and the vault has room for as many", async () => {
    const storage = new MemoryVault();
    let secrets: VaultSecrets = { dataKey: systemRandom(32), deviceSecret: systemRandom(32), phraseConfirmed: false };
    for (let count = 0; count < MAX_FORMER_KEYS; count += 1) secrets = withNewDataKey(secrets, systemRandom);
    expect(() => withNewDataKey(secrets, systemRandom)).toThrow(expect.objectContaining({ code: "PASSWORD_CHANGES_PENDING" }));
    await vaultOn(storage).write(secrets, OLD, KEYS);
    expect((await vaultOn(storage).openWithPassword(OLD)).secrets.formerKeys).toEqual(secrets.formerKeys);
    expect(storage.copies.get("a")?.length ?? 0).toBeLessThan(32_768);
    // A host without programs never says that nothing lies there.
    const swept = { ...secrets, formerKeys: { ...(secrets.formerKeys as FormerKeys), records: [] } };
    const { formerKeys } = withNewDataKey(swept, systemRandom);
    expect([formerKeys?.records.length, formerKeys?.files.length]).toEqual([1, MAX_FORMER_KEYS]);
  });

  it("are overwritten when the keyring locks", async () => {
    const { keyring } = createTestKeyring();
    await keyring.create({ password: OLD });
    await keyring.changePassword({ current: OLD, next: NEW });
    await keyring.lock();
    await expect(keyring.storeKeys()).rejects.toMatchObject({ code: "KEYRING_LOCKED" });
    expect(() => keyring.apps.keys()).toThrow("locked");
  });
});

const KEYS = { masterPub: "aa".repeat(32), devicePub: "bb".repeat(32) };

/** A storage whose window is killed before or after one of its writes. */
class KilledVault extends MemoryVault {
  writesLeft = Number.POSITIVE_INFINITY;

  override async replace(copy: VaultCopy, expected: Uint8Array | undefined, bytes: Uint8Array): Promise<boolean> {
    if (this.writesLeft <= 0) return new Promise(() => undefined);
    this.writesLeft -= 1;
    return super.replace(copy, expected, bytes);
  }
}

/** What has to be there whatever is killed. */
interface Expected {
  readonly passwords: readonly string[];
  /** Data keys under which something may be sealed. */
  readonly used: readonly Uint8Array[];
  readonly epochs: readonly number[];
}

/** A window changes the password, and is killed after so many writes. */
async function changePassword(storage: KilledVault, before: Expected, number: number, writes: number): Promise<Expected> {
  const { secrets, header, password } = await openedWith(storage, before.passwords);
  const { dataKey } = secrets;
  const next = withNewDataKey(secrets, systemRandom);
  storage.writesLeft = writes;
  const isDone = await settled(vaultOn(storage).write(next, `password ${number}`, KEYS, { ...header, dataKey }));
  return isDone
    ? { ...before, passwords: [`password ${number}`], used: [...before.used, next.dataKey.slice()] }
    : { ...before, passwords: [password, `password ${number}`] };
}

/** A window stores a short-lived key, and is killed after so many writes. */
async function storeEpoch(storage: KilledVault, before: Expected, notAfter: number, writes: number): Promise<Expected> {
  const { secrets, password } = await openedWith(storage, before.passwords);
  storage.writesLeft = writes;
  const epoch = { secret: systemRandom(32), notAfter };
  const task = vaultOn(storage).changeDevice(secrets.dataKey, (section) => ({ ...section, epochs: [...(section.epochs ?? []), epoch] }));
  const isDone = await settled(task);
  return { ...before, passwords: [password], epochs: isDone ? [...before.epochs, notAfter] : before.epochs };
}

describe("windows that change passwords and are killed at any write", () => {
  it("lose no data key under which something was sealed, and nothing that was stored", async () => {
    const step = fc.constantFrom(changePassword, storeEpoch);
    const writes = fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat({ max: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ step, writes }), { minLength: 1, maxLength: 8 }), async (steps) => {
        const storage = new KilledVault();
        const first: VaultSecrets = { dataKey: systemRandom(32), deviceSecret: systemRandom(32), phraseConfirmed: false };
        await vaultOn(storage).write(first, "password 0", KEYS);
        let expected: Expected = { passwords: ["password 0"], used: [first.dataKey.slice()], epochs: [] };
        for (const [index, { step: take, writes: left }] of steps.entries()) {
          expected = await take(storage, expected, index + 1, left);
          storage.writesLeft = Number.POSITIVE_INFINITY;
        }
        const { secrets } = await openedWith(storage, expected.passwords);
        const known = [secrets.dataKey, ...(secrets.formerKeys?.records ?? [])].map(toHex);
        expect(known).toEqual(expect.arrayContaining(expected.used.map(toHex)));
        expect(toHex(secrets.formerKeys?.first ?? secrets.dataKey)).toBe(toHex(first.dataKey));
        expect((secrets.epochs ?? []).map(({ notAfter }) => notAfter)).toEqual(expect.arrayContaining([...expected.epochs]));
      }),
      { seed: 41, numRuns: extent(40, 120) },
    );
  }, 60_000);
});

/** The vault by whichever of the passwords opens it: one of them does. */
async function openedWith(
  storage: MemoryVault,
  passwords: readonly string[],
): Promise<Awaited<ReturnType<Vault["openWithPassword"]>> & { readonly password: string }> {
  for (const password of passwords) {
    const clock = { nowMs: (): number => 0 };
    const vault = new Vault({ storage: copyOf(storage), random: systemRandom, argon2: CHEAP_ARGON2, clock });
    const opened = await vault.openWithPassword(password).catch(() => undefined);
    if (opened !== undefined) return { ...opened, password };
  }
  throw new Error(`none of ${passwords.join(", ")} opens the vault`);
}

/** True when a task has ended well; false when its window was killed in the middle. */
async function settled(task: Promise<unknown>): Promise<boolean> {
  const killed = Symbol("killed");
  const turns = (async (): Promise<symbol> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return killed;
  })();
  return (await Promise.race([task, turns])) !== killed;
}
