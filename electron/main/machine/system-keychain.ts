// The operating system's keychain by Electron's asynchronous safeStorage. It seals the keyring's wrapping key and knows no other.
import type { SafeStorage } from "electron";
import type { KeychainDescription } from "#shared/keyring/keyring-api.ts";
import type { Keychain } from "#shared/keyring/vault/keychain.ts";

/** The part of Electron's module that is used. */
export type SystemStorage = Pick<
  SafeStorage,
  "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
>;

/** Back-ends of Linux whose key is a well-known password. */
const WEAK_BACKENDS: readonly string[] = ["basic_text", "unknown"];
/** What is sealed by that password begins so, whichever back-end the system names. */
const WEAK_PREFIX = "v10";
const NAMES: Partial<Readonly<Record<NodeJS.Platform, string>>> = { darwin: "Keychain", win32: "DPAPI" };

/** The keychain of this computer. It is asked nothing before the first call: on some systems every request opens a window. */
export function createSystemKeychain(storage: SystemStorage, platform: NodeJS.Platform): Keychain {
  const isLinux = platform === "linux";
  const describe = async (): Promise<KeychainDescription> => {
    const isAvailable = await storage.isAsyncEncryptionAvailable();
    const name = isLinux ? storage.getSelectedStorageBackend() : (NAMES[platform] ?? "");
    if (isLinux && WEAK_BACKENDS.includes(name)) return { offer: "weak", name };
    return { offer: isAvailable ? "ready" : "unavailable", name };
  };
  return {
    describe,
    async wrap(key): Promise<Uint8Array> {
      const { offer } = await describe();
      if (offer !== "ready") throw new Error(`The keychain is ${offer}`);
      const sealed = await storage.encryptStringAsync(Buffer.from(key).toString("base64"));
      if (isLinux && sealed.subarray(0, WEAK_PREFIX.length).toString("latin1") === WEAK_PREFIX)
        throw new Error("The keychain encrypted with a publicly known password");
      return new Uint8Array(sealed);
    },
    async unwrap(wrapped): Promise<{ readonly key: Uint8Array; readonly isStale: boolean }> {
      const { result, shouldReEncrypt } = await storage.decryptStringAsync(Buffer.from(wrapped));
      return { key: new Uint8Array(Buffer.from(result, "base64")), isStale: shouldReEncrypt };
    },
  };
}
