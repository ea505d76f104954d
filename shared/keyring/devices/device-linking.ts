// Both ends of linking a device inside the keyring: the new device makes its keys and its vault, the old one vouches for it. The phrase
// and the device secret stay where they are.
import { CodedError } from "#shared/errors/coded-error.ts";
import { type DeviceKeys, isCertified } from "#shared/protocol/mail/device-certificate.ts";
import { fromHex, toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import type { CertifyDeviceInput, LinkedDeviceInput } from "../keyring-api.ts";
import { requirePassword } from "../passwords/estimate-password.ts";
import { certify } from "../vault/device-credentials.ts";
import { entropyOfPhrase } from "../vault/phrase.ts";
import { keysOfDevice, phraseMissing, requireSameIdentity, seedOfEntropy, wipeSecrets } from "../vault/secrets.ts";
import type { OpenedVault, Vault } from "../vault/vault.ts";
import { type VaultSecrets, wipe } from "../vault/vault-secrets.ts";

/** Links devices by the vault of one profile. */
export class DeviceLinking {
  readonly #vault: Vault;
  readonly #random: RandomBytes;
  /** Secret of this device while it is being linked. */
  #unlinked: Uint8Array | undefined;

  constructor(vault: Vault, random: RandomBytes) {
    this.#vault = vault;
    this.#random = random;
  }

  begin(): DeviceKeys {
    wipe(this.#unlinked);
    this.#unlinked = this.#random(32);
    return keysOfDevice(this.#unlinked);
  }

  /** @throws CodedError PASSWORD_WEAK; BAD_REQUEST for a certificate of other keys, or without {@link begin}. */
  async finish({ masterPub, chainId, certificate, password }: LinkedDeviceInput): Promise<OpenedVault> {
    await requirePassword(password);
    const deviceSecret = this.#unlinked;
    if (deviceSecret === undefined) throw new CodedError("BAD_REQUEST", "Begin the linking first");
    const keys = keysOfDevice(deviceSecret);
    if (!isCertified(chainId, masterPub, { ...keys, certificate }))
      throw new CodedError("BAD_REQUEST", "The certificate is not for this device", { details: { field: "certificate" } });
    this.#unlinked = undefined;
    const certificates = [{ chainId, signature: fromHex(certificate) }];
    const secrets: VaultSecrets = {
      dataKey: this.#random(32),
      deviceSecret,
      phraseConfirmed: true,
      certificates,
      isLinked: true,
      isPasswordJudged: true,
    };
    return this.#vault.write(secrets, password, { masterPub, devicePub: keys.devicePub });
  }

  /** @throws CodedError VAULT_WRONG_PASSWORD, PHRASE_MISSING. */
  async certify({ devicePub, signingPub, chainId, password }: CertifyDeviceInput): Promise<string> {
    const { secrets } = await this.#vault.openWithPassword(password);
    const seed = secrets.entropy && seedOfEntropy(secrets.entropy);
    wipeSecrets(secrets);
    if (seed === undefined) throw phraseMissing();
    const certificate = toHex(certify(seed, chainId, { devicePub, signingPub }));
    wipe(seed);
    return certificate;
  }

  /** The vault with the phrase, still to be written. @throws CodedError VAULT_WRONG_PASSWORD, PHRASE_INVALID. */
  async withPhrase({ phrase, password }: { readonly phrase: string; readonly password: string }): Promise<OpenedVault> {
    const entropy = entropyOfPhrase(phrase);
    const { header, generation, secrets } = await this.#vault.openWithPassword(password);
    requireSameIdentity(entropy, header.masterPub);
    const { isLinked: _, ...own } = secrets;
    return { header, generation, secrets: { ...own, entropy } };
  }
}
