// A keychain of an operating system in memory: it can be exchanged, be silent or weak, and count what it is asked.
import { randomBytes } from "node:crypto";
import type { KeychainDescription } from "#shared/keyring/keyring-api.ts";
import type { Keychain, UnwrappedKey } from "#shared/keyring/vault/keychain.ts";
import { openPart, sealPart } from "#shared/keyring/vault/vault-cipher.ts";
import { systemRandom } from "../worlds/keyring-world.ts";

const NOTHING = new Uint8Array();

/** The keychain; its fields may be changed by the test. */
export class TestKeychain implements Keychain {
  description: KeychainDescription = { offer: "ready", name: "gnome_libsecret" };
  failure: Error | undefined;
  isStale = false;
  readonly calls: string[] = [];
  #secret = randomBytes(32);

  /** The system's keychain is another one from here on, as after a new installation. */
  exchange(): void {
    this.#secret = randomBytes(32);
  }

  async describe(): Promise<KeychainDescription> {
    this.#count("describe");
    return this.description;
  }

  async wrap(key: Uint8Array): Promise<Uint8Array> {
    this.#count("wrap");
    return sealPart(this.#secret, key, NOTHING, systemRandom);
  }

  async unwrap(wrapped: Uint8Array): Promise<UnwrappedKey> {
    this.#count("unwrap");
    const key = openPart(this.#secret, wrapped, NOTHING);
    if (key === undefined) throw new Error("The keychain cannot decrypt this");
    return { key, isStale: this.isStale };
  }

  #count(call: string): void {
    this.calls.push(call);
    if (this.failure !== undefined) throw this.failure;
  }
}
