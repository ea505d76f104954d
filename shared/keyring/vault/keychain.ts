// The third way into a vault: the operating system's keychain. A random wrapping key seals the data key; the keychain seals the
// wrapping key. It opens messages and history, never the wallet: the signing key stays behind password and phrase.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { KeychainDescription, KeychainState } from "../keyring-api.ts";
import { wipeSecrets } from "./secrets.ts";
import type { OpenedDevice, OpenedVault, Vault } from "./vault.ts";
import type { VaultHeader } from "./vault-format.ts";
import { wipe } from "./vault-secrets.ts";

/** A key as the keychain gave it back. */
export interface UnwrappedKey {
  readonly key: Uint8Array;
  /** The keychain asks for the key to be wrapped again: its own has changed. */
  readonly isStale: boolean;
}

/** The operating system's keychain, as a host hands it to the keyring. Every call may fail at any time. */
export interface Keychain {
  describe(): Promise<KeychainDescription>;
  wrap(key: Uint8Array): Promise<Uint8Array>;
  unwrap(wrapped: Uint8Array): Promise<UnwrappedKey>;
}

/** Opens and closes the keychain's way into one vault. */
export class KeychainSlots {
  readonly #vault: Vault;
  readonly #keychain: Keychain | undefined;
  readonly #random: RandomBytes;

  constructor(vault: Vault, keychain: Keychain | undefined, random: RandomBytes) {
    this.#vault = vault;
    this.#keychain = keychain;
    this.#random = random;
  }

  async state(): Promise<KeychainState> {
    const isEnabled = await this.#isEnabled();
    if (this.#keychain === undefined) return { offer: "absent", name: "", isEnabled };
    const description = await this.#keychain.describe().catch(() => ({ offer: "unavailable", name: "" }) as const);
    return { ...description, isEnabled };
  }

  /**
   * Opens the keychain's way in for the vault's password, or closes it for null.
   * @throws CodedError VAULT_WRONG_PASSWORD, KEYCHAIN_FAILED; the vault is then as it was.
   */
  async change(password: string | null): Promise<KeychainState> {
    if (password === null) await this.#disable();
    else {
      const { header, secrets } = await this.#vault.openWithPassword(password);
      await this.#enable(header, secrets.dataKey).finally(() => wipeSecrets(secrets));
    }
    return this.state();
  }

  /** Has the vault rewritten, which closes the keychain's way in, and opens it again. */
  async renewVault(write: () => Promise<OpenedVault>): Promise<OpenedVault> {
    const wasEnabled = await this.#isEnabled();
    const opened = await write();
    // Without the keychain's response the way in is closed, and the settings say so.
    if (wasEnabled) await this.#enable(opened.header, opened.secrets.dataKey).catch(() => undefined);
    return opened;
  }

  /** Has the keychain open the wrapping key. The system may ask the person, without a time limit. @throws CodedError KEYCHAIN_FAILED */
  async askKey(): Promise<UnwrappedKey> {
    const inspection = await this.#vault.inspect();
    const wrapped = inspection.state === "present" ? inspection.keychainWrap : undefined;
    if (wrapped === undefined) throw new CodedError("KEYCHAIN_FAILED", "This vault is not unlocked by the keychain: use the password");
    return await this.#ask((keychain) => keychain.unwrap(wrapped));
  }

  /** Device key and data key of the vault. @throws CodedError KEYCHAIN_FAILED, VAULT_CORRUPT, NOT_FOUND without a vault. */
  async open({ key, isStale }: UnwrappedKey): Promise<OpenedDevice> {
    const opened = await this.#vault.openWithKeychain(key).finally(() => wipe(key));
    // The old wrap has just opened the vault and stays until a new one is there.
    if (isStale) await this.#enable(opened.header, opened.secrets.dataKey).catch(() => undefined);
    return opened;
  }

  async #isEnabled(): Promise<boolean> {
    const inspection = await this.#vault.inspect();
    return inspection.state === "present" && inspection.keychainWrap !== undefined;
  }

  async #enable(header: VaultHeader, dataKey: Uint8Array): Promise<void> {
    const { offer } = await this.#ask((keychain) => keychain.describe());
    if (offer === "weak")
      throw new CodedError("KEYCHAIN_FAILED", "This computer's keychain offers no protection, so Parley does not use it");
    const wrappingKey = this.#random(32);
    try {
      const wrapped = await this.#ask((keychain) => keychain.wrap(wrappingKey));
      await this.#vault.addKeychainSlot(header, dataKey, { wrappingKey, wrapped });
    } finally {
      wipe(wrappingKey);
    }
  }

  async #disable(): Promise<void> {
    if (await this.#isEnabled()) await this.#vault.removeKeychainSlot();
  }

  async #ask<T>(request: (keychain: Keychain) => Promise<T>): Promise<T> {
    if (this.#keychain === undefined) throw new CodedError("KEYCHAIN_FAILED", "No keychain is available: use the password");
    try {
      return await request(this.#keychain);
    } catch (cause) {
      throw new CodedError("KEYCHAIN_FAILED", "This computer's keychain is not responding: use the password", { cause });
    }
  }
}
