// Seals a vault again: under another password, under a new one for a forgotten one, with a phrase that was added. Each time under a new data
// key, so that a former password with a copy of the vault opens nothing that comes later. The keychain's way in stays open.
import type { RandomBytes } from "#shared/util/clock.ts";
import { requirePassword } from "../passwords/estimate-password.ts";
import type { KeychainSlots } from "./keychain.ts";
import { entropyOfPhrase } from "./phrase.ts";
import { wipeSecrets } from "./secrets.ts";
import type { OpenedVault, Vault } from "./vault.ts";
import { requireSwept, wipe, withNewDataKey } from "./vault-secrets.ts";

/** Writes the vault of one profile again. */
export class VaultRenewal {
  readonly #vault: Vault;
  readonly #keychain: KeychainSlots;

  readonly #random: RandomBytes;

  constructor(vault: Vault, keychain: KeychainSlots, random: RandomBytes) {
    this.#vault = vault;
    this.#keychain = keychain;
    this.#random = random;
  }

  /**
   * @throws CodedError PASSWORD_WEAK, VAULT_WRONG_PASSWORD, VAULT_CORRUPT, PASSWORD_CHANGES_PENDING while much lies under keys of former
   * passwords: a change can wait until that was sealed again. A forgotten password cannot, so a reset goes on.
   */
  async changePassword({ current, next }: { readonly current: string; readonly next: string }): Promise<OpenedVault> {
    await requirePassword(next);
    const opened = await this.#vault.openWithPassword(current);
    try {
      requireSwept(opened.secrets);
    } catch (error) {
      wipeSecrets(opened.secrets);
      throw error;
    }
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

  /** Seals what is open under a password and a new data key. */
  write({ header, secrets }: Pick<OpenedVault, "header" | "secrets">, password: string): Promise<OpenedVault> {
    const { masterPub, devicePub, id } = header;
    const { dataKey } = secrets;
    const renewed = withNewDataKey(secrets, this.#random);
    return this.#keychain.renewVault(() => this.#vault.write(renewed, password, { masterPub, devicePub }, { id, dataKey }));
  }
}
