// What a vault protects, and the ways into it. Damage is reported, never repaired by starting over. What is stored is the truth: another
// window may have changed it since it was opened here, so every change is made to what the storage holds at that time.
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes, equalBytes } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { hostClock } from "#shared/util/host.ts";
import { deriveKey } from "./derivation.ts";
import { PasswordGuesses } from "./password-guesses.ts";
import { phraseOfEntropy, seedOfPhrase } from "./phrase.ts";
import { openPart, passwordKey, sealPart } from "./vault-cipher.ts";
import { VaultCopies, type VaultStorage } from "./vault-copies.ts";
import type { Argon2Parameters, VaultBody, VaultFile, VaultHeader } from "./vault-format.ts";
import {
  associatedData,
  type DeviceSection,
  openDeviceSection,
  sealDeviceSection,
  type VaultPart,
  type VaultSecrets,
  wipe,
  withStored,
} from "./vault-secrets.ts";

/** A vault, and what was stored of it when it was opened. */
interface Opened<Secrets> {
  readonly header: VaultHeader;
  /** Rises with every change of what is stored. */
  readonly generation: number;
  readonly secrets: Secrets;
}

export type OpenedVault = Opened<VaultSecrets>;

/** A vault of which the wallet stays closed. */
export type OpenedDevice = Opened<Omit<VaultSecrets, "entropy">>;

/** What is stored of a device now. */
export type StoredDevice = Opened<DeviceSection>;

/** What the storage holds. */
export type VaultInspection =
  | { readonly state: "empty" }
  | { readonly state: "damaged" }
  | {
      readonly state: "present";
      readonly header: VaultHeader;
      /** The wrapping key of the keychain's slot as the keychain sealed it; undefined without that slot. */
      readonly keychainWrap: Uint8Array | undefined;
    };

export interface VaultOptions {
  readonly storage: VaultStorage;
  readonly random: RandomBytes;
  readonly argon2: Argon2Parameters;
  /** Against guesses; the host's own unless another is given. */
  readonly clock?: Pick<Clock, "nowMs">;
}

/** One of the ways into a vault: what opens its slot, and what the slot opens. */
interface WayIn<Secrets> {
  readonly openSlot: (file: VaultFile) => Promise<Uint8Array | undefined>;
  readonly readSecrets: (file: VaultFile, slot: Uint8Array) => Secrets | undefined;
  /** When the newest copy's slot does not open. */
  readonly refusal: CodedError;
}

interface SlotKeys {
  readonly walletKey: Uint8Array;
  readonly dataKey: Uint8Array;
}

const NOTHING = new Uint8Array(0);

/** Reads and writes the vault of one profile. */
export class Vault {
  readonly #options: VaultOptions;
  readonly #copies: VaultCopies;
  readonly #guesses: PasswordGuesses;

  constructor(options: VaultOptions) {
    this.#options = options;
    this.#copies = new VaultCopies(options.storage);
    this.#guesses = new PasswordGuesses(this.#copies, options.clock ?? hostClock);
  }

  /** Whether there is a vault and whose. */
  async inspect(): Promise<VaultInspection> {
    const { good, isEmpty } = await this.#copies.load();
    const newest = good[0];
    if (newest !== undefined) {
      const { header, body } = newest.file;
      return { state: "present", header, keychainWrap: body.keychain?.wrapped };
    }
    return { state: isEmpty ? "empty" : "damaged" };
  }

  /** @throws CodedError VAULT_EXISTS, VAULT_CORRUPT unless the storage is empty, or damaged where that is required. */
  async require(required: "empty" | "damaged"): Promise<void> {
    const { state } = await this.inspect();
    if (state === required || (state === "empty" && required === "damaged")) return;
    if (state === "damaged")
      throw new CodedError("VAULT_CORRUPT", "A damaged vault exists: restore from the recovery phrase to replace it");
    throw new CodedError("VAULT_EXISTS", "A vault already exists: unlock it, or reset its password with the recovery phrase");
  }

  /**
   * Seals the secrets under a new password; a vault that is there is replaced, its keychain slot too. `basis` is the vault that the
   * secrets were read from, and the data key that opened it; without one it is what the storage holds now.
   * @throws CodedError VAULT_EXISTS when another window has written another vault meanwhile.
   */
  async write(
    secrets: VaultSecrets,
    password: string,
    keys: Pick<VaultHeader, "masterPub" | "devicePub">,
    basis?: Pick<VaultHeader, "id"> & Pick<VaultSecrets, "dataKey">,
  ): Promise<OpenedVault> {
    const { random, argon2 } = this.#options;
    const basisId = basis === undefined ? (await this.#copies.load()).good[0]?.file.header.id : basis.id;
    const header: VaultHeader = { id: random(16), argon2, salt: random(16), ...keys };
    const slotKeys: SlotKeys = { walletKey: random(32), dataKey: secrets.dataKey };
    const both = concatBytes(slotKeys.walletKey, slotKeys.dataKey);
    const passwordSlotKey = await passwordKey(password, header.salt, argon2);
    const { entropy = NOTHING } = secrets;
    const seed = entropy.length === 0 ? undefined : seedOfPhrase(phraseOfEntropy(entropy));
    const phraseSlotKey = seed && deriveKey(seed, "vault phrase slot", header.id);
    const seal = (part: VaultPart, key: Uint8Array, plaintext: Uint8Array): Uint8Array =>
      sealPart(key, plaintext, associatedData(header, part), random);
    const sealed = {
      passwordSlot: seal("password slot", passwordSlotKey, both),
      phraseSlot: phraseSlotKey === undefined ? NOTHING : seal("phrase slot", phraseSlotKey, both),
      wallet: seal("wallet", slotKeys.walletKey, entropy),
    };
    wipe(both, passwordSlotKey, phraseSlotKey, seed, slotKeys.walletKey);
    let opened: OpenedVault = { header, generation: 1, secrets };
    await this.#copies.update(({ good }) => {
      const newest = good[0]?.file;
      requireBasis(newest, basisId);
      const stored = newest && openDeviceSection(newest, basis?.dataKey ?? secrets.dataKey);
      // Keys and certificates that another window stored meanwhile are as good as those that were read.
      const current = stored === undefined ? secrets : withStored(secrets, stored);
      opened = { header, generation: (newest?.body.generation ?? 0) + 1, secrets: current };
      return {
        header,
        body: { ...sealed, generation: opened.generation, device: sealDeviceSection(header, current, secrets.dataKey, random) },
      };
    });
    return opened;
  }

  /**
   * Stores what `change` makes of the device section as it is stored now, without a password; undefined changes nothing. It is asked
   * again when another window was faster. Returns what is stored then.
   * @throws CodedError KEYRING_LOCKED when the data key is not that of the stored vault, LOCAL_STORE_FAILED.
   */
  async changeDevice(dataKey: Uint8Array, change: (section: DeviceSection) => DeviceSection | undefined): Promise<StoredDevice> {
    let device: StoredDevice | undefined;
    await this.#copies.update(({ good }) => {
      const stored = storedDevice(good[0]?.file, dataKey);
      const secrets = change(stored.secrets);
      device = secrets === undefined ? stored : { header: stored.header, generation: stored.generation + 1, secrets };
      if (secrets === undefined || good[0] === undefined) return undefined;
      const { header, body } = good[0].file;
      return {
        header,
        body: { ...body, generation: device.generation, device: sealDeviceSection(header, secrets, dataKey, this.#options.random) },
      };
    });
    if (device === undefined) throw damaged();
    return device;
  }

  /** The device section as it is stored now, or undefined while its generation is the given one. @throws CodedError as {@link changeDevice}. */
  async readDevice(dataKey: Uint8Array, knownGeneration: number): Promise<StoredDevice | undefined> {
    const newest = (await this.#copies.load()).good[0]?.file;
    return newest?.body.generation === knownGeneration ? undefined : storedDevice(newest, dataKey);
  }

  /**
   * Seals the data key under a wrapping key that the operating system's keychain stores.
   * @throws CodedError VAULT_EXISTS when another window has written another vault meanwhile.
   */
  async addKeychainSlot(
    header: VaultHeader,
    dataKey: Uint8Array,
    { wrappingKey, wrapped }: { readonly wrappingKey: Uint8Array; readonly wrapped: Uint8Array },
  ): Promise<void> {
    const slot = sealPart(wrappingKey, dataKey, associatedData(header, "keychain slot"), this.#options.random);
    await this.#changeBody(
      ({ id }) => requireSame(id, header.id),
      (body) => ({ ...body, keychain: { slot, wrapped } }),
    );
  }

  /** Takes the keychain's way in away, from both copies. */
  async removeKeychainSlot(): Promise<void> {
    await this.#changeBody(
      () => undefined,
      ({ keychain: _, ...body }) => body,
    );
  }

  /** @throws CodedError VAULT_WRONG_PASSWORD, VAULT_GUESS_DELAY, VAULT_CORRUPT, NOT_FOUND without a vault. */
  openWithPassword(password: string): Promise<OpenedVault> {
    const way: WayIn<VaultSecrets> = {
      openSlot: async ({ header, body }) => {
        if (password === "") return undefined;
        const key = await passwordKey(password, header.salt, header.argon2);
        const slot = openPart(key, body.passwordSlot, associatedData(header, "password slot"));
        wipe(key);
        return slot;
      },
      readSecrets: openSecrets,
      refusal: new CodedError("VAULT_WRONG_PASSWORD", "Wrong password for the vault"),
    };
    return this.#guesses.try(() => this.#open(way));
  }

  /** The words behind a vault. @throws CodedError as {@link openWithPassword}, PHRASE_MISSING. */
  async readPhrase(password: string): Promise<readonly string[]> {
    const { secrets } = await this.openWithPassword(password);
    const words = secrets.entropy && phraseOfEntropy(secrets.entropy);
    wipe(secrets.entropy, secrets.dataKey, secrets.deviceSecret);
    if (words === undefined)
      throw new CodedError("PHRASE_MISSING", "This device was linked without the recovery phrase: add the phrase to sign here");
    return words;
  }

  /** @throws CodedError PHRASE_INVALID when the phrase belongs to another identity, VAULT_CORRUPT, NOT_FOUND without a vault. */
  openWithPhrase(entropy: Uint8Array): Promise<OpenedVault> {
    const seed = seedOfPhrase(phraseOfEntropy(entropy));
    return this.#open({
      openSlot: ({ header, body }) => {
        if (body.phraseSlot.length === 0)
          throw new CodedError("PHRASE_MISSING", "This device was linked without the recovery phrase: only its password unlocks it");
        const key = deriveKey(seed, "vault phrase slot", header.id);
        const slot = openPart(key, body.phraseSlot, associatedData(header, "phrase slot"));
        wipe(key);
        return Promise.resolve(slot);
      },
      readSecrets: openSecrets,
      refusal: new CodedError("PHRASE_INVALID", "This phrase belongs to a different identity than this vault"),
    }).finally(() => wipe(seed));
  }

  /**
   * Opens all but the wallet by the wrapping key that the keychain gave back.
   * @throws CodedError KEYCHAIN_FAILED, VAULT_CORRUPT, NOT_FOUND without a vault.
   */
  openWithKeychain(wrappingKey: Uint8Array): Promise<OpenedDevice> {
    const openSlot = ({ header, body }: VaultFile): Uint8Array | undefined =>
      body.keychain && openPart(wrappingKey, body.keychain.slot, associatedData(header, "keychain slot"));
    return this.#open({
      openSlot: (file) => Promise.resolve(openSlot(file)),
      readSecrets: openDeviceSecrets,
      refusal: new CodedError("KEYCHAIN_FAILED", "This computer's keychain cannot unlock the vault: use the password"),
    });
  }

  async #open<Secrets>(way: WayIn<Secrets>): Promise<Opened<Secrets>> {
    const stored = await this.#copies.load();
    const { good, isEmpty } = stored;
    if (isEmpty) throw new CodedError("NOT_FOUND", "No vault yet: create an identity or import a phrase");
    for (const { copy, file, bytes } of good) {
      const slot = await way.openSlot(file);
      if (slot === undefined && file === good[0]?.file) throw way.refusal;
      const secrets = slot === undefined ? undefined : way.readSecrets(file, slot);
      if (secrets === undefined) continue;
      await this.#copies.repair(copy, bytes, stored);
      return { header: file.header, generation: file.body.generation, secrets };
    }
    throw damaged();
  }

  /** Writes a new generation of the newest vault, whose header is judged first. An older copy never becomes the newest again. */
  async #changeBody(judge: (header: VaultHeader) => void, change: (body: VaultBody) => VaultBody): Promise<void> {
    await this.#copies.update(({ good }) => {
      const newest = good[0];
      if (newest === undefined) throw damaged();
      const { header, body } = newest.file;
      judge(header);
      return { header, body: { ...change(body), generation: body.generation + 1 } };
    });
  }
}

function openSecrets(file: VaultFile, slot: Uint8Array): VaultSecrets | undefined {
  const { header, body } = file;
  const walletKey = slot.slice(0, 32);
  const entropy = openPart(walletKey, body.wallet, associatedData(header, "wallet"));
  const device = openDeviceSecrets(file, slot.subarray(32));
  wipe(slot, walletKey);
  if (entropy === undefined || device === undefined) return undefined;
  return entropy.length === 0 ? device : { entropy, ...device };
}

function openDeviceSecrets(file: VaultFile, slot: Uint8Array): OpenedDevice["secrets"] | undefined {
  const dataKey = slot.slice();
  const device = openDeviceSection(file, dataKey);
  wipe(slot);
  return device && { dataKey, epochs: [], ...device };
}

function storedDevice(newest: VaultFile | undefined, dataKey: Uint8Array): StoredDevice {
  if (newest === undefined) throw damaged();
  const secrets = openDeviceSection(newest, dataKey);
  if (secrets === undefined) throw new CodedError("KEYRING_LOCKED", "The vault was replaced in another window: lock, and unlock it again");
  return { header: newest.header, generation: newest.body.generation, secrets };
}

/** What is replaced is what the secrets were read from, whatever else was stored in it since. */
function requireBasis(newest: VaultFile | undefined, basisId: Uint8Array | undefined): void {
  requireSame(newest?.header.id, basisId);
}

function requireSame(id: Uint8Array | undefined, basisId: Uint8Array | undefined): void {
  const isBasis = id === undefined || basisId === undefined ? id === basisId : equalBytes(id, basisId);
  if (!isBasis) throw new CodedError("VAULT_EXISTS", "The vault was changed in another window: try again");
}

function damaged(): CodedError {
  return new CodedError("VAULT_CORRUPT", "Both copies of the vault are damaged: restore from the recovery phrase");
}
