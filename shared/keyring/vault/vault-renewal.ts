// Seals a vault again: under another password, under a new one for a forgotten one, with a phrase that was added. The keychain's way in
// stays as it was.
import { requirePassword } from "../passwords/estimate-password.ts";
import type { KeychainSlots } from "./keychain.ts";
import { entropyOfPhrase } from "./phrase.ts";
import { type OpenedVault, type Vault, wipe } from "./vault.ts";

/** Writes the vault of one profile again. */
export class VaultRenewal {
  readonly #vault: Vault;
  readonly #keychain: KeychainSlots;

  constructor(vault: Vault, keychain: KeychainSlots) {
    this.#vault = vault;
    this.#keychain = keychain;
  }

  /** @throws CodedError PASSWORD_WEAK, VAULT_WRONG_PASSWORD, VAULT_CORRUPT. */
  async changePassword({ current, next }: { readonly current: string; readonly next: string }): Promise<OpenedVault> {
    await requirePassword(next);
    const opened = await this.#vault.openWithPassword(current);
    return this.write({ ...opened, secrets: { ...opened.secrets, isPasswordJudged: true } }, next);
  }

  /** @throws CodedError PASSWORD_WEAK, PHRASE_INVALID, PHRASE_MISSING, VAULT_CORRUPT. */
  async resetPassword({ phrase, password }: { readonly phrase: string; readonly password: string }): Promise<OpenedVault> {
    await requirePassword(password);
    const entropy = entropyOfPhrase(phrase);
    const opened = await this.#vault.openWithPhrase(entropy);
    wipe(entropy);
    return this.write({ ...opened, secrets: { ...opened.secrets, phraseConfirmed: true, isPasswordJudged: true } }, password);
  }

  /** Seals what is open under a password. */
  write({ header, secrets }: Pick<OpenedVault, "header" | "secrets">, password: string): Promise<OpenedVault> {
    const { masterPub, devicePub } = header;
    return this.#keychain.renewVault(() => this.#vault.write(secrets, password, { masterPub, devicePub }, header));
  }
}
