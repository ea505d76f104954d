import { describe, expect, it } from "vitest";
import { handleKeychainRequest } from "#electron/main/machine/handle-keychain-request.ts";
import { createSystemKeychain, type SystemStorage } from "#electron/main/machine/system-keychain.ts";
import { TestKeychain } from "#test/support/host/test-keychain.ts";

type Backend = ReturnType<SystemStorage["getSelectedStorageBackend"]>;
const KEY = new Uint8Array(32).fill(9);

/** A storage that turns texts around behind a prefix. */
function storage(backend: Backend, { isAvailable = true, prefix = "v11", shouldReEncrypt = false } = {}): SystemStorage {
  const turn = (text: string): string => [...text].reverse().join("");
  return {
    isAsyncEncryptionAvailable: () => Promise.resolve(isAvailable),
    getSelectedStorageBackend: () => backend,
    encryptStringAsync: (text) => Promise.resolve(Buffer.from(`${prefix}${turn(text)}`)),
    decryptStringAsync: (sealed) => Promise.resolve({ result: turn(sealed.toString("utf8").slice(prefix.length)), shouldReEncrypt }),
  };
}

describe("the system's keychain", () => {
  it.each(["gnome_libsecret", "kwallet", "kwallet5", "kwallet6"] as const)("is used with %s", async (backend) => {
    const keychain = createSystemKeychain(storage(backend), "linux");
    expect(await keychain.describe()).toEqual({ offer: "ready", name: backend });
    const wrapped = await keychain.wrap(KEY);
    expect(Buffer.from(wrapped).toString("latin1")).not.toContain(Buffer.from(KEY).toString("latin1"));
    expect(await keychain.unwrap(wrapped)).toEqual({ key: KEY, isStale: false });
  });

  it.each(["basic_text", "unknown"] as const)("is refused with %s, and says so", async (backend) => {
    const keychain = createSystemKeychain(storage(backend), "linux");
    expect(await keychain.describe()).toEqual({ offer: "weak", name: backend });
    await expect(keychain.wrap(KEY)).rejects.toThrow("weak");
  });

  it("is refused when it seals with the known password, whatever the system calls it", async () => {
    const keychain = createSystemKeychain(storage("gnome_libsecret", { prefix: "v10" }), "linux");
    await expect(keychain.wrap(KEY)).rejects.toThrow("publicly known password");
    // On macOS the same letters stand in front of what the Keychain's key sealed.
    await expect(createSystemKeychain(storage("unknown", { prefix: "v10" }), "darwin").wrap(KEY)).resolves.toBeDefined();
  });

  it("has no back-end's name elsewhere, and is not weak for that", async () => {
    expect(await createSystemKeychain(storage("unknown"), "darwin").describe()).toEqual({ offer: "ready", name: "Keychain" });
    expect(await createSystemKeychain(storage("unknown"), "win32").describe()).toEqual({ offer: "ready", name: "DPAPI" });
  });

  it("is unavailable where Electron says so", async () => {
    const keychain = createSystemKeychain(storage("gnome_libsecret", { isAvailable: false }), "linux");
    expect(await keychain.describe()).toMatchObject({ offer: "unavailable" });
    await expect(keychain.wrap(KEY)).rejects.toThrow("unavailable");
  });

  it("passes on that its own key has changed", async () => {
    const keychain = createSystemKeychain(storage("gnome_libsecret", { shouldReEncrypt: true }), "linux");
    expect(await keychain.unwrap(await keychain.wrap(KEY))).toMatchObject({ isStale: true });
  });
});

describe("requests of the keyring", () => {
  const note = (): void => undefined;

  it("are answered, and the key that passed is overwritten", async () => {
    const keychain = new TestKeychain();
    expect(await handleKeychainRequest({ type: "keychain", id: 1, action: "describe" }, keychain, note)).toMatchObject({
      id: 1,
      value: { offer: "ready" },
    });
    const bytes = KEY.slice();
    const wrapped = (await handleKeychainRequest({ type: "keychain", id: 2, action: "wrap", bytes }, keychain, note))?.value;
    expect(bytes).toEqual(new Uint8Array(32));
    const unwrapped = await handleKeychainRequest({ type: "keychain", id: 3, action: "unwrap", bytes: wrapped }, keychain, note);
    expect(unwrapped).toEqual({ type: "keychain", id: 3, value: { key: KEY, isStale: false } });
  });

  it("that fail get no value, and the log the reason", async () => {
    const keychain = new TestKeychain();
    keychain.failure = new Error("no answer");
    const failures: unknown[] = [];
    expect(await handleKeychainRequest({ type: "keychain", id: 1, action: "describe" }, keychain, (error) => failures.push(error))).toEqual(
      {
        type: "keychain",
        id: 1,
      },
    );
    expect(failures).toEqual([keychain.failure]);
  });

  it.each([
    undefined,
    "keychain",
    { type: "lockWallet" },
    { type: "keychain", id: "1", action: "describe" },
    { type: "keychain", id: 1, action: "export" },
    { type: "keychain", id: 1, action: "wrap", bytes: "text" },
    { type: "keychain", id: 1, action: "unwrap", bytes: new Uint8Array(5_000) },
  ])("of another shape get no answer: %j", async (message) => {
    const keychain = new TestKeychain();
    expect(await handleKeychainRequest(message, keychain, note)).toBeUndefined();
    expect(keychain.calls).toEqual([]);
  });
});
