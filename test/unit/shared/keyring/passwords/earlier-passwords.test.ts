import { beforeEach, describe, expect, it } from "vitest";
import type { Keyring } from "#shared/keyring/keyring.ts";
import type { KeyringStatus } from "#shared/keyring/keyring-api.ts";
import { Vault } from "#shared/keyring/vault/vault.ts";
import { CHEAP_ARGON2, createTestKeyring, type MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";

let storage: MemoryVault;

beforeEach(async () => {
  const made = createTestKeyring();
  storage = made.storage;
  await made.keyring.create({ password: PASSWORD });
});

describe("a password from before there was a floor", () => {
  /** The vault as an earlier version would have written it. */
  async function writeEarlier(password: string): Promise<void> {
    const vault = new Vault({ storage, random: systemRandom, argon2: CHEAP_ARGON2 });
    const { header, secrets } = await vault.openWithPassword(PASSWORD);
    const { isPasswordJudged: _, ...earlier } = secrets;
    await vault.write(earlier, password, header, { ...header, dataKey: secrets.dataKey });
  }

  function nextStatus(keyring: Keyring, isMeant: (status: KeyringStatus) => boolean): Promise<KeyringStatus> {
    return new Promise((resolve) => {
      keyring.onStatus((status) => {
        if (isMeant(status)) resolve(status);
      });
    });
  }

  it("still opens, with the advice to change it, until it is changed", async () => {
    await writeEarlier("Sommer2024!");
    for (let start = 0; start < 2; start += 1) {
      const restarted = createTestKeyring(storage).keyring;
      const advised = nextStatus(restarted, ({ hasWeakPassword }) => hasWeakPassword === true);
      expect((await restarted.unlock({ password: "Sommer2024!" })).state).toBe("unlocked");
      expect(await advised).toMatchObject({ state: "unlocked", hasWeakPassword: true });
      expect(await restarted.lockWallet()).toMatchObject({ hasWeakPassword: true });
      if (start === 1) await restarted.changePassword({ current: "Sommer2024!", next: PASSWORD });
      if (start === 1) expect(await restarted.status()).not.toHaveProperty("hasWeakPassword");
    }
  });

  it("is judged once when it is strong", async () => {
    await writeEarlier(PASSWORD);
    const restarted = createTestKeyring(storage).keyring;
    await restarted.unlock({ password: PASSWORD });
    const vault = new Vault({ storage, random: systemRandom, argon2: CHEAP_ARGON2 });
    await expect.poll(async () => (await vault.openWithPassword(PASSWORD)).secrets.isPasswordJudged).toBe(true);
    expect(await restarted.status()).not.toHaveProperty("hasWeakPassword");
  });
});
