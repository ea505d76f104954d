import { describe, expect, it } from "vitest";
import type { KeychainRequest } from "#electron/keychain-messages.ts";
import { createShellKeychain } from "#electron/keyring/shell-keychain.ts";
import { handleKeychainRequest } from "#electron/main/machine/handle-keychain-request.ts";
import { TestKeychain } from "#test/support/host/test-keychain.ts";

describe("the keychain as the keyring's process has it", () => {
  it("answers every request by its own number, in any order", async () => {
    const questions: KeychainRequest[] = [];
    const { keychain, receive } = createShellKeychain((question) => questions.push(structuredClone(question)));
    const system = new TestKeychain();
    const key = new Uint8Array(32).fill(5);
    const wrapped = await system.wrap(key);
    const [described, unwrapped] = [keychain.describe(), keychain.unwrap(wrapped)];
    for (const question of questions.reverse()) receive(structuredClone(await handleKeychainRequest(question, system, () => undefined)));
    expect(await described).toEqual({ offer: "ready", name: "gnome_libsecret" });
    expect(await unwrapped).toEqual({ key, isStale: false });
  });

  it("fails when the shell has no response, and ignores what is none", async () => {
    const { keychain, receive } = createShellKeychain(() => undefined);
    const wrapping = keychain.wrap(new Uint8Array(32));
    for (const message of [undefined, { type: "lockWallet" }, { type: "keychain", id: 77, value: new Uint8Array() }]) receive(message);
    receive({ type: "keychain", id: 1 });
    await expect(wrapping).rejects.toThrow("The keychain failed");
  });
});
