import { beforeEach, describe, expect, it } from "vitest";
import { Vault } from "#shared/keyring/vault/vault.ts";
import type { VaultSecrets } from "#shared/keyring/vault/vault-secrets.ts";
import { toHex } from "#shared/util/bytes.ts";
import { CHEAP_ARGON2, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const KEYS = { masterPub: "aa".repeat(32), devicePub: "bb".repeat(32) };
const fresh = (): VaultSecrets => ({
  entropy: new Uint8Array(32).fill(1),
  dataKey: new Uint8Array(32).fill(2),
  deviceSecret: new Uint8Array(32).fill(3),
  epochs: [{ secret: new Uint8Array(32).fill(4), notAfter: 1_800_000_000 }],
  phraseConfirmed: false,
});

let storage: MemoryVault;
let vault: Vault;

beforeEach(() => {
  storage = new MemoryVault();
  vault = new Vault({ storage, random: systemRandom, argon2: CHEAP_ARGON2 });
});

describe("vault", () => {
  it("keeps two equal copies and opens with password and with phrase", async () => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    expect(storage.copies.get("a")).toEqual(storage.copies.get("b"));
    expect((await vault.openWithPassword("correct horse battery")).secrets).toEqual(fresh());
    expect((await vault.openWithPhrase(new Uint8Array(32).fill(1))).secrets).toEqual(fresh());
  });

  it("holds no secret in the clear", async () => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    const stored = toHex(storage.copies.get("a") ?? new Uint8Array());
    for (const byte of ["01", "02", "03"]) expect(stored).not.toContain(byte.repeat(32));
  });

  it("tells a wrong password from damage", async () => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    await expect(vault.openWithPassword("wrong horse")).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    await expect(vault.openWithPhrase(new Uint8Array(32).fill(9))).rejects.toMatchObject({ code: "PHRASE_INVALID" });
    storage.damage("a");
    storage.damage("b");
    await expect(vault.openWithPassword("correct horse battery")).rejects.toMatchObject({ code: "VAULT_CORRUPT" });
    expect(await vault.inspect()).toEqual({ state: "damaged" });
  });

  it.each(["a", "b"] as const)("opens from the other copy when %s is damaged, and repairs it", async (copy) => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    storage.damage(copy);
    await vault.openWithPassword("correct horse battery");
    expect(storage.copies.get("a")).toEqual(storage.copies.get("b"));
  });

  it("leaves damage as it is until it is opened", async () => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    storage.damage("a");
    storage.damage("b");
    const before = [...storage.copies.values()].map(toHex);
    await vault.inspect();
    await vault.openWithPassword("correct horse battery").catch(() => undefined);
    expect([...storage.copies.values()].map(toHex)).toEqual(before);
  });

  it("reads Unicode passwords alike in every composition", async () => {
    await vault.write(fresh(), "pässwörd", KEYS);
    await expect(vault.openWithPassword("pa\u0308sswo\u0308rd")).resolves.toBeDefined();
  });

  it.each([
    ["first", "b", "old password", "new password"],
    ["second", "a", "new password", "old password"],
  ] as const)("survives a failure of the %s write of a new password", async (_, failing, valid, invalid) => {
    await vault.write(fresh(), "old password", KEYS);
    storage.failWriteOf = failing;
    await vault.write(fresh(), "new password", KEYS).catch((error: Error) => expect(error.message).toBe("disk full"));
    storage.failWriteOf = undefined;
    await expect(vault.openWithPassword(invalid)).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
    await expect(vault.openWithPassword(valid)).resolves.toBeDefined();
    expect(storage.copies.get("a")).toEqual(storage.copies.get("b"));
  });

  it("does not trust a storage that returns other bytes than it took", async () => {
    storage.replace = async (copy, _, bytes): Promise<boolean> => {
      storage.copies.set(copy, bytes.slice(1));
      return true;
    };
    await expect(vault.write(fresh(), "correct horse battery", KEYS)).rejects.toMatchObject({ code: "LOCAL_STORE_FAILED" });
  });

  it("stores flags without the password and keeps everything else", async () => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    await vault.changeDevice(fresh().dataKey, (section) => ({ ...section, phraseConfirmed: true }));
    expect((await vault.openWithPassword("correct horse battery")).secrets).toEqual({ ...fresh(), phraseConfirmed: true });
    expect((await vault.openWithPhrase(new Uint8Array(32).fill(1))).secrets.phraseConfirmed).toBe(true);
  });

  it("refuses to store more than it reads, and stays as it was", async () => {
    await vault.write(fresh(), "correct horse battery", KEYS);
    const certificates = Array.from({ length: 1_000 }, (_, number) => ({ chainId: `${number}`, signature: new Uint8Array(64) }));
    await expect(vault.changeDevice(fresh().dataKey, (section) => ({ ...section, certificates }))).rejects.toMatchObject({
      code: "LOCAL_STORE_FAILED",
    });
    expect((await vault.openWithPassword("correct horse battery")).secrets).toEqual(fresh());
  });

  it("reports nothing to open", async () => {
    expect(await vault.inspect()).toEqual({ state: "empty" });
    await expect(vault.openWithPassword("x")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
