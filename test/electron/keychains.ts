// What a test decides about the keychain of the machine that the app believes to run on.
import { rmSync } from "node:fs";
import { join } from "node:path";

/** Back-ends that a test may choose, by Electron's names. */
export type KeychainBackend = "gnome_libsecret" | "basic_text";

/** File of the keychain's secret beside the profile. */
export function keychainFile(folder: string): string {
  return join(folder, "stand-in-keychain");
}

/** The system gets another keychain, as after a new installation. */
export function exchangeKeychain(folder: string): void {
  rmSync(keychainFile(folder), { force: true });
}
