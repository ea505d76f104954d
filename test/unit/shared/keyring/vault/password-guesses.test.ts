import { beforeEach, describe, expect, it } from "vitest";
import type { Keyring } from "#shared/keyring/keyring.ts";
import { FIRST_DELAY_MS, FREE_GUESSES, guessDelayMs, MAX_DELAY_MS } from "#shared/keyring/vault/password-guesses.ts";
import { createTestKeyring, ManualTime, type MemoryVault } from "#test/support/worlds/keyring-world.ts";

const PASSWORD = "correct horse battery";

let storage: MemoryVault;
let time: ManualTime;
let keyring: Keyring;

beforeEach(async () => {
  ({ keyring, storage, time } = createTestKeyring());
  await keyring.create({ password: PASSWORD });
  await keyring.lock();
});

const outcome = (password: string, by = keyring): Promise<string> =>
  by.unlock({ password }).then(
    () => "opened",
    ({ code }: { readonly code: string }) => code,
  );

/** A page that was loaded again, or another tab. */
const reloaded = (): Keyring => createTestKeyring(storage, time).keyring;

describe("wrong passwords", () => {
  it("wait ever longer, in every window and after every reload, up to a limit", async () => {
    let waitedMs = 0;
    for (let wrong = 0; wrong < 14; wrong += 1) {
      const expectedMs = wrong < FREE_GUESSES ? 0 : Math.min(FIRST_DELAY_MS * 2 ** (wrong - FREE_GUESSES), MAX_DELAY_MS);
      if (expectedMs > 0) {
        expect(await outcome(PASSWORD, reloaded())).toBe("VAULT_GUESS_DELAY");
        time.advance(expectedMs - 1);
        expect(await outcome("wrong password", reloaded())).toBe("VAULT_GUESS_DELAY");
        time.advance(1);
      }
      waitedMs += expectedMs;
      expect(await outcome("wrong password", reloaded())).toBe("VAULT_WRONG_PASSWORD");
    }
    expect(waitedMs).toBeGreaterThan(30 * 60_000);
    time.advance(MAX_DELAY_MS);
    expect(await outcome(PASSWORD)).toBe("opened");
    // The right one ends it.
    expect(await outcome("wrong password", reloaded())).toBe("VAULT_WRONG_PASSWORD");
    expect(await outcome(PASSWORD, reloaded())).toBe("opened");
  });

  it("are judged one after the other, however many are sent at once and by whichever method", async () => {
    await keyring.unlock({ password: PASSWORD });
    const input = { password: "wrong password" };
    const tries = Array.from({ length: 8 }, (_, index) => [
      keyring.revealPhrase(input),
      keyring.sign({ intent: { kind: "linkDevice", deviceName: "x", devicePub: "09".repeat(32) }, chainId: "x", ...input }),
      keyring.changePassword({ current: `wrong password ${index}`, next: PASSWORD }),
      keyring.setAutoLock({ walletIdleMs: null, fullIdleMs: null, ...input }),
    ]).flat();
    const codes = await Promise.all(
      tries.map((tried) =>
        tried.then(
          () => "done",
          ({ code }: { readonly code: string }) => code,
        ),
      ),
    );
    expect(codes.filter((code) => code === "VAULT_WRONG_PASSWORD")).toHaveLength(FREE_GUESSES);
    expect(codes.filter((code) => code === "VAULT_GUESS_DELAY")).toHaveLength(codes.length - FREE_GUESSES);
  });

  it("are judged one after the other by several windows too, once some were wrong", async () => {
    for (let wrong = 0; wrong < FREE_GUESSES; wrong += 1) await outcome("wrong password");
    for (let wait = FIRST_DELAY_MS; wait < 16 * FIRST_DELAY_MS; wait *= 2) {
      time.advance(wait);
      const codes = await Promise.all(Array.from({ length: 6 }, () => outcome("wrong password", reloaded())));
      expect(codes.toSorted()).toEqual([...Array<string>(5).fill("VAULT_GUESS_DELAY"), "VAULT_WRONG_PASSWORD"]);
    }
    time.advance(MAX_DELAY_MS);
    expect((await Promise.all(Array.from({ length: 3 }, () => outcome(PASSWORD, reloaded())))).includes("opened")).toBe(true);
    expect(await outcome(PASSWORD)).toBe("opened");
  });

  it("count where the disk cannot be written too", async () => {
    storage.failWriteOf = "b";
    for (let wrong = 0; wrong < FREE_GUESSES; wrong += 1) expect(await outcome("wrong password")).toBe("VAULT_WRONG_PASSWORD");
    expect(await outcome("wrong password")).toBe("VAULT_GUESS_DELAY");
  });

  it("do not wait longer because the clock was set back", async () => {
    expect(guessDelayMs({ count: FREE_GUESSES + 2, atMs: 1_000_000_000 }, 5)).toBe(4 * FIRST_DELAY_MS);
    for (let wrong = 0; wrong < FREE_GUESSES; wrong += 1) await outcome("wrong password");
    const early = new ManualTime(time.nowMs() - 365 * 86_400_000);
    const { keyring: corrected } = createTestKeyring(storage, early);
    expect(await outcome(PASSWORD, corrected)).toBe("VAULT_GUESS_DELAY");
    early.advance(FIRST_DELAY_MS);
    expect(await outcome(PASSWORD, corrected)).toBe("opened");
  });
});
