// Windows that change one vault at the same time, in every way and every order: no change that was stored is lost, and none brings an
// older vault back.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Vault } from "#shared/keyring/vault/vault.ts";
import type { VaultCopy } from "#shared/keyring/vault/vault-copies.ts";
import type { VaultSecrets } from "#shared/keyring/vault/vault-secrets.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { CHEAP_ARGON2, MemoryVault, systemRandom } from "#test/support/worlds/keyring-world.ts";

const KEYS = { masterPub: "aa".repeat(32), devicePub: "bb".repeat(32) };
const FIRST = "the first password";
const DATA_KEY = (): Uint8Array => new Uint8Array(32).fill(2);
/** Of a device that was linked without the phrase: no slow key has to be derived from one. */
const secrets = (): VaultSecrets => ({
  dataKey: DATA_KEY(),
  deviceSecret: new Uint8Array(32).fill(3),
  phraseConfirmed: false,
});
const openOn = (storage: MemoryVault): Vault => new Vault({ storage, random: systemRandom, argon2: CHEAP_ARGON2 });
const slot = { wrappingKey: new Uint8Array(32).fill(9), wrapped: new Uint8Array([1]) };

/** Calls return after as many turns of the queue as the test drew, so windows overtake each other in the middle of a change. */
class SlowVault extends MemoryVault {
  readonly #turns: readonly number[];
  #calls = 0;
  isSlow = false;

  constructor(turns: readonly number[]) {
    super();
    this.#turns = turns;
  }

  override async read(copy: VaultCopy): Promise<Uint8Array | undefined> {
    await this.#wait();
    return super.read(copy);
  }

  override async replace(copy: VaultCopy, expected: Uint8Array | undefined, bytes: Uint8Array): Promise<boolean> {
    await this.#wait();
    return super.replace(copy, expected, bytes);
  }

  async #wait(): Promise<void> {
    this.#calls += 1;
    const turns = this.isSlow ? (this.#turns[this.#calls % this.#turns.length] ?? 0) : 0;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  }
}

type Step = "epoch" | "confirm" | "keychain" | "no keychain" | "password";
const STEPS: readonly Step[] = ["epoch", "confirm", "keychain", "no keychain", "password"];

describe("windows that change one vault at the same time", () => {
  it("lose nothing that was stored", async () => {
    const run = fc.record({
      windows: fc.array(fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 4 }),
      turns: fc.array(fc.nat({ max: 12 }), { minLength: 7, maxLength: 23 }),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ windows, turns }) => {
        const storage = new SlowVault(turns);
        const { header } = await openOn(storage).write(secrets(), FIRST, KEYS);
        storage.isSlow = true;
        const epochs: number[] = [];
        const passwords = [{ generation: 1, password: FIRST }];
        let isConfirmed = false;
        const steps: Record<Step, (vault: Vault, number: number) => Promise<void>> = {
          epoch: async (vault, notAfter) => {
            const epoch = { secret: new Uint8Array(32).fill(4), notAfter };
            await vault.changeDevice(DATA_KEY(), (section) => ({ ...section, epochs: [...(section.epochs ?? []), epoch] }));
            epochs.push(notAfter);
          },
          confirm: async (vault) => {
            await vault.changeDevice(DATA_KEY(), (section) => ({ ...section, phraseConfirmed: true }));
            isConfirmed = true;
          },
          keychain: (vault) => vault.addKeychainSlot(header, DATA_KEY(), slot),
          "no keychain": (vault) => vault.removeKeychainSlot(),
          password: async (vault, number) => {
            const password = `password ${number}`;
            const { generation } = await vault.write(secrets(), password, KEYS, { ...header, dataKey: DATA_KEY() });
            passwords.push({ generation, password });
          },
        };
        await Promise.all(
          windows.map(async (plan, window) => {
            const vault = openOn(storage);
            for (const [index, step] of plan.entries()) await steps[step](vault, window * 10 + index).catch(() => undefined);
          }),
        );
        storage.isSlow = false;
        const last = passwords.sort((a, b) => b.generation - a.generation)[0]?.password ?? "";
        const opened = await openOn(storage).openWithPassword(last);
        expect((opened.secrets.epochs ?? []).map(({ notAfter }) => notAfter).sort()).toEqual(epochs.sort());
        expect(opened.secrets.phraseConfirmed).toBe(isConfirmed);
        expect(storage.copies.get("a")).toEqual(storage.copies.get("b"));
      }),
      { seed: 20, numRuns: extent(40, 150) },
    );
  }, 60_000);

  it("do not bring the old password back by way of the copy that the new one has not reached yet", async () => {
    const storage = new MemoryVault();
    const vault = openOn(storage);
    const { header } = await vault.write(secrets(), FIRST, KEYS);
    const old = storage.copies.get("a");
    const written = await vault.write(secrets(), "a new password", KEYS, { ...header, dataKey: DATA_KEY() });
    // The power went between the first copy and the second.
    storage.copies.set("a", old ?? new Uint8Array());
    await expect(openOn(storage).addKeychainSlot(header, DATA_KEY(), slot)).rejects.toMatchObject({ code: "VAULT_EXISTS" });
    await openOn(storage).removeKeychainSlot();
    expect((await openOn(storage).openWithPassword("a new password")).header).toEqual(written.header);
    await expect(openOn(storage).openWithPassword(FIRST)).rejects.toMatchObject({ code: "VAULT_WRONG_PASSWORD" });
  });
});
