// The keys that are open right now: of the wallet, and of the device with its messages and history. What is let go of is overwritten.
import { CodedError } from "#shared/errors/coded-error.ts";
import { ed25519PublicKey } from "#shared/protocol/primitives/signature.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { type Agree, DeviceBox } from "../devices/device-box.ts";
import { EpochKeys } from "../devices/epoch-keys.ts";
import type { AutoLockSettings, KeyringStatus } from "../keyring-api.ts";
import { DeviceCredentials } from "../vault/device-credentials.ts";
import { accountOf, type DataKeys, phraseMissing, seedOfEntropy, wipeFormer, wipeSecrets, wipeSection } from "../vault/secrets.ts";
import type { OpenedDevice, OpenedVault, StoredDevice } from "../vault/vault.ts";
import type { VaultHeader } from "../vault/vault-format.ts";
import { type FormerKeys, wipe } from "../vault/vault-secrets.ts";

/** What signs. */
export interface OpenWallet {
  readonly entropy: Uint8Array;
  readonly seed: Uint8Array;
}

/** What seals and opens messages and history. */
export interface OpenDevice extends DataKeys {
  readonly header: VaultHeader;
  /** Of the vault when this was read from it. */
  readonly generation: number;
  readonly box: DeviceBox;
  readonly epochs: EpochKeys;
  /** Keys of the secrets of cards, the newest first; none before the first card. */
  readonly cardKeys: readonly Uint8Array[];
  readonly credentials: DeviceCredentials;
  readonly isLinked: boolean;
  readonly phraseConfirmed: boolean;
  /** Idle times that the person chose. */
  readonly autoLock: AutoLockSettings | undefined;
  /** The password was found hard enough to guess. */
  readonly isPasswordJudged: boolean;
}

/** The open keys of one profile; none of them while it is locked, and the device's alone while the wallet is. */
export class OpenKeys {
  readonly #random: RandomBytes;
  readonly #agree: Agree | undefined;
  #wallet: OpenWallet | undefined;
  #device: OpenDevice | undefined;
  #isPasswordWeak = false;

  constructor(random: RandomBytes, agree?: Agree) {
    this.#random = random;
    this.#agree = agree;
  }

  get wallet(): OpenWallet | undefined {
    return this.#wallet;
  }

  get device(): OpenDevice | undefined {
    return this.#device;
  }

  /** Undefined while locked. */
  get status(): KeyringStatus | undefined {
    return this.#device && this.#statusOf(this.#device);
  }

  /** Replaces the open secrets by those of a vault. @throws CodedError VAULT_CORRUPT when they are not those it names. */
  open({ header, generation, secrets }: OpenedVault | OpenedDevice): KeyringStatus {
    const entropy = "entropy" in secrets ? secrets.entropy : undefined;
    const wallet = entropy && { entropy, seed: seedOfEntropy(entropy) };
    const { dataKey, deviceSecret, phraseConfirmed, isLinked = false, autoLock, isPasswordJudged = false } = secrets;
    const { devicePub } = header;
    const credentials = new DeviceCredentials(deviceSecret, devicePub, secrets.certificates);
    const box = new DeviceBox(deviceSecret, this.#random, this.#agree);
    const isOwnWallet = wallet === undefined || toHex(ed25519PublicKey(wallet.seed)) === header.masterPub;
    if (!isOwnWallet || box.publicKey !== devicePub) {
      wipe(wallet?.seed);
      box.close();
      credentials.close();
      wipeSecrets(secrets);
      throw new CodedError("VAULT_CORRUPT", "The keys in the vault do not match its address: restore from the recovery phrase");
    }
    this.close();
    this.#wallet = wallet;
    this.#isPasswordWeak = false;
    const epochs = new EpochKeys(secrets.epochs ?? [], this.#random);
    const { formerKeys, cardKeys = [], dayKeys = [] } = secrets;
    const flags = { phraseConfirmed, isLinked, autoLock, isPasswordJudged };
    this.#device = { header, generation, box, epochs, cardKeys, dayKeys, credentials, dataKey, formerKeys, ...flags };
    return this.#statusOf(this.#device);
  }

  /** Takes over what is stored of the open device now; secrets of a device that was closed meanwhile are overwritten. */
  adopt({ header, generation, secrets }: StoredDevice): void {
    const device = this.#device;
    if (device !== undefined && device.generation !== generation) {
      const { deviceSecret, phraseConfirmed, isLinked = false, autoLock, isPasswordJudged = false } = secrets;
      const epochs = new EpochKeys(secrets.epochs ?? [], this.#random);
      const credentials = new DeviceCredentials(deviceSecret, header.devicePub, secrets.certificates);
      const cardKeys = secrets.cardKeys?.map((key) => key.slice()) ?? [];
      const dayKeys = secrets.dayKeys?.map((key) => ({ ...key, secret: key.secret.slice() })) ?? [];
      device.epochs.close();
      wipe(...device.cardKeys, ...device.dayKeys.map(({ secret }) => secret));
      device.credentials.close();
      const formerKeys = secrets.formerKeys && copyOf(secrets.formerKeys);
      wipeFormer(device.formerKeys);
      const flags = { phraseConfirmed, isLinked, autoLock, isPasswordJudged };
      this.#device = { ...device, header, generation, epochs, cardKeys, dayKeys, credentials, formerKeys, ...flags };
    }
    wipeSection(secrets);
  }

  /** Takes over a vault that was written again under another data key. */
  renew({ header, generation, secrets }: OpenedVault): void {
    const { entropy, dataKey, ...section } = secrets;
    if (this.#device !== undefined) {
      wipe(this.#device.dataKey);
      this.#device = { ...this.#device, dataKey: dataKey.slice() };
    }
    this.adopt({ header, generation, secrets: section });
    wipe(entropy, dataKey);
  }

  /** What was open by a password that is easy to guess says so. */
  markWeakPassword(): void {
    this.#isPasswordWeak = true;
  }

  /** @throws CodedError KEYRING_LOCKED, PHRASE_MISSING. */
  requireWallet(): OpenWallet {
    if (this.#wallet === undefined && this.#device?.isLinked === true) throw phraseMissing();
    if (this.#wallet === undefined) throw new CodedError("KEYRING_LOCKED", "The wallet is locked: unlock it first");
    return this.#wallet;
  }

  /** @throws CodedError KEYRING_LOCKED. */
  requireDevice(): OpenDevice {
    if (this.#device === undefined) throw new CodedError("KEYRING_LOCKED", "The keyring is locked: unlock it first");
    return this.#device;
  }

  closeWallet(): void {
    wipe(this.#wallet?.entropy, this.#wallet?.seed);
    this.#wallet = undefined;
  }

  close(): void {
    this.closeWallet();
    wipe(this.#device?.dataKey);
    wipeFormer(this.#device?.formerKeys);
    this.#device?.box.close();
    this.#device?.epochs.close();
    wipe(...(this.#device?.cardKeys ?? []), ...(this.#device?.dayKeys.map(({ secret }) => secret) ?? []));
    this.#device?.credentials.close();
    this.#device = undefined;
  }

  #statusOf({ header, phraseConfirmed, isLinked, isPasswordJudged, formerKeys }: OpenDevice): KeyringStatus {
    const state = this.#wallet === undefined ? "walletLocked" : "unlocked";
    const hasWeakPassword = this.#isPasswordWeak && !isPasswordJudged;
    return {
      state,
      account: accountOf(header),
      phraseConfirmed,
      ...(isLinked && { isLinked: true }),
      ...(hasWeakPassword && { hasWeakPassword: true }),
      ...(formerKeys !== undefined && { formerDataKeys: formerKeys.count }),
    };
  }
}

function copyOf({ count, first, records, files }: FormerKeys): FormerKeys {
  const slice = (key: Uint8Array): Uint8Array => key.slice();
  return { count, first: slice(first), records: records.map(slice), files: files.map(slice) };
}

/** Status of a vault that is locked. */
export function lockedStatus(header: VaultHeader): KeyringStatus {
  return { state: "locked", account: accountOf(header), phraseConfirmed: null };
}
