// Keys and slots of the vault do not stay in memory: what ciphers were given and gave back is overwritten when a call is over.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Vault } from "#shared/keyring/vault/vault.ts";
import type * as cipher from "#shared/keyring/vault/vault-cipher.ts";
import type { VaultSecrets } from "#shared/keyring/vault/vault-secrets.ts";
import { CHEAP_ARGON2, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

/** Every buffer that must be overwritten, by what it was. */
const seen = vi.hoisted(() => ({ keys: [] as Uint8Array[], slots: [] as Uint8Array[], plaintexts: [] as Uint8Array[] }));

vi.mock("#shared/keyring/vault/vault-cipher.ts", async (importOriginal) => {
  const real = await importOriginal<typeof cipher>();
  return {
    ...real,
    sealPart: (...[key, plaintext, ...rest]: Parameters<typeof real.sealPart>): Uint8Array => {
      seen.keys.push(key);
      seen.plaintexts.push(plaintext);
      return real.sealPart(key, plaintext, ...rest);
    },
    openPart: (...[key, sealed, associated]: Parameters<typeof real.openPart>): Uint8Array | undefined => {
      const opened = real.openPart(key, sealed, associated);
      seen.keys.push(key);
      if (opened !== undefined && new TextDecoder().decode(associated).endsWith("slot")) seen.slots.push(opened);
      return opened;
    },
  };
});

const KEYS = { masterPub: "aa".repeat(32), devicePub: "bb".repeat(32) };
const SECRETS: VaultSecrets = {
  entropy: new Uint8Array(32).fill(1),
  dataKey: new Uint8Array(32).fill(2),
  deviceSecret: new Uint8Array(32).fill(3),
  phraseConfirmed: true,
};
const WRAPPING_KEY = new Uint8Array(32).fill(4);
const isWiped = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

let vault: Vault;

beforeEach(async () => {
  vault = new Vault({ storage: new MemoryVault(), random: systemRandom, argon2: CHEAP_ARGON2 });
  const { header } = await vault.write(SECRETS, "correct horse battery", KEYS);
  await vault.addKeychainSlot(header, SECRETS.dataKey, { wrappingKey: WRAPPING_KEY, wrapped: new Uint8Array(1) });
  for (const buffers of Object.values(seen)) buffers.length = 0;
});

describe("secrets of the vault", () => {
  it.each(["password", "phrase"])("are overwritten after an opening by %s", async (way) => {
    const opening = way === "password" ? vault.openWithPassword("correct horse battery") : vault.openWithPhrase(new Uint8Array(32).fill(1));
    const { secrets } = await opening;
    expect(secrets).toEqual({ ...SECRETS, epochs: [] });
    expect(seen.slots.map((slot) => slot.length)).toEqual([64]);
    expect(seen.keys).toHaveLength(3);
    expect([...seen.slots, ...seen.keys].map(isWiped)).toEqual([true, true, true, true]);
  });

  it("are overwritten after an opening by the keychain, but for the key that the caller owns", async () => {
    const { secrets } = await vault.openWithKeychain(WRAPPING_KEY);
    expect(secrets.dataKey).toEqual(SECRETS.dataKey);
    expect(seen.slots.map((slot) => [slot.length, isWiped(slot)])).toEqual([[32, true]]);
    expect(seen.keys.filter((key) => key !== WRAPPING_KEY).map(isWiped)).toEqual([true]);
  });

  it("are overwritten after writing, but for those that the caller owns", async () => {
    await vault.write(SECRETS, "another horse", KEYS);
    expect(seen.keys.map(isWiped)).toEqual(seen.keys.map(() => true));
    const owned: readonly (Uint8Array | undefined)[] = [SECRETS.entropy];
    expect(seen.plaintexts.filter((plaintext) => !owned.includes(plaintext)).every(isWiped)).toBe(true);
    expect(seen.plaintexts.length).toBeGreaterThan(3);
    expect(SECRETS.dataKey).toEqual(new Uint8Array(32).fill(2));
  });
});
