// The vault on its storage: two copies, the older one overwritten first and read back before the other follows. A crash leaves at
// least one good copy. Damage is reported, never repaired by starting over.
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { concatBytes, equalBytes, utf8 } from "#shared/util/bytes.ts";
import type { RandomBytes } from "#shared/util/clock.ts";
import { deriveKey } from "./derivation.ts";
import { phraseOfEntropy, seedOfPhrase } from "./phrase.ts";
import { openPart, passwordKey, sealPart } from "./vault-cipher.ts";
import {
  type Argon2Parameters,
  deviceSectionCodec,
  encodeVault,
  encodeVaultHeader,
  parseVault,
  type VaultBody,
  type VaultFile,
  type VaultHeader,
} from "./vault-format.ts";

/** The two copies of a vault. */
export const VAULT_COPIES = ["a", "b"] as const;
export type VaultCopy = (typeof VAULT_COPIES)[number];

/** Where a host stores the two copies. A write is complete and durable when its promise resolves. */
export interface VaultStorage {
  read(copy: VaultCopy): Promise<Uint8Array | undefined>;
  write(copy: VaultCopy, bytes: Uint8Array): Promise<void>;
}

/** What a vault protects. */
export interface VaultSecrets {
  /** 32 bytes: the recovery phrase; absent on a device that was linked without it. */
  readonly entropy?: Uint8Array;
  /** 32 bytes: root of the local store's keys. */
  readonly dataKey: Uint8Array;
  /** 32 bytes: X25519 secret of this device. */
  readonly deviceSecret: Uint8Array;
  readonly phraseConfirmed: boolean;
  /** Short-lived keys of this device. */
  readonly epochs?: readonly EpochSecret[];
  /** The master key's word for this device, by network. */
  readonly certificates?: readonly DeviceCertificate[];
  /** Linked by another device: the phrase is not here. */
  readonly isLinked?: boolean;
}

/** The master key's word for a device on a network. */
export interface DeviceCertificate {
  readonly chainId: string;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** A short-lived X25519 secret and until when others may seal to it, unix seconds. */
export interface EpochSecret {
  readonly secret: Uint8Array;
  readonly notAfter: number;
}

export interface OpenedVault {
  readonly header: VaultHeader;
  readonly secrets: VaultSecrets;
}

/** A vault of which the wallet stays closed. */
export interface OpenedDevice {
  readonly header: VaultHeader;
  readonly secrets: Omit<VaultSecrets, "entropy">;
}

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
}

interface StoredCopies {
  /** Good copies, newest first. */
  readonly good: readonly { readonly copy: VaultCopy; readonly file: VaultFile; readonly bytes: Uint8Array }[];
  readonly isEmpty: boolean;
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

type Part = "password slot" | "phrase slot" | "keychain slot" | "wallet" | "device";

/** Reads and writes the vault of one profile. */
export class Vault {
  readonly #options: VaultOptions;

  constructor(options: VaultOptions) {
    this.#options = options;
  }

  /** Whether there is a vault and whose. */
  async inspect(): Promise<VaultInspection> {
    const { good, isEmpty } = await this.#load();
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

  /** Seals the secrets under a new password; a vault that is there is replaced, its keychain slot too. */
  async write(secrets: VaultSecrets, password: string, keys: Pick<VaultHeader, "masterPub" | "devicePub">): Promise<OpenedVault> {
    const { random, argon2 } = this.#options;
    const header: VaultHeader = { id: random(16), argon2, salt: random(16), ...keys };
    const slotKeys: SlotKeys = { walletKey: random(32), dataKey: secrets.dataKey };
    const both = concatBytes(slotKeys.walletKey, slotKeys.dataKey);
    const passwordSlotKey = await passwordKey(password, header.salt, argon2);
    const { entropy = NOTHING } = secrets;
    const seed = entropy.length === 0 ? undefined : seedOfPhrase(phraseOfEntropy(entropy));
    const phraseSlotKey = seed && deriveKey(seed, "vault phrase slot", header.id);
    const seal = (part: Part, key: Uint8Array, plaintext: Uint8Array): Uint8Array =>
      sealPart(key, plaintext, associatedData(header, part), random);
    const { good } = await this.#load();
    await this.#store({
      header,
      body: {
        generation: (good[0]?.file.body.generation ?? 0) + 1,
        passwordSlot: seal("password slot", passwordSlotKey, both),
        phraseSlot: phraseSlotKey === undefined ? NOTHING : seal("phrase slot", phraseSlotKey, both),
        wallet: seal("wallet", slotKeys.walletKey, entropy),
        device: this.#sealDevice(header, secrets),
      },
    });
    wipe(both, passwordSlotKey, phraseSlotKey, seed, slotKeys.walletKey);
    return { header, secrets };
  }

  /** Stores the flags of an open vault again; needs no password. */
  async saveFlags(header: VaultHeader, secrets: Omit<VaultSecrets, "entropy">): Promise<void> {
    const device = this.#sealDevice(header, secrets);
    await this.#changeBody(header.id, (body) => ({ ...body, device }));
  }

  /** Seals the data key under a wrapping key that the operating system's keychain stores. */
  async addKeychainSlot(
    header: VaultHeader,
    dataKey: Uint8Array,
    { wrappingKey, wrapped }: { readonly wrappingKey: Uint8Array; readonly wrapped: Uint8Array },
  ): Promise<void> {
    const slot = sealPart(wrappingKey, dataKey, associatedData(header, "keychain slot"), this.#options.random);
    await this.#changeBody(header.id, (body) => ({ ...body, keychain: { slot, wrapped } }));
  }

  /** Takes the keychain's way in away, from both copies. */
  async removeKeychainSlot(): Promise<void> {
    const { good } = await this.#load();
    const newest = good[0];
    if (newest === undefined) throw damaged();
    await this.#changeBody(newest.file.header.id, ({ keychain: _, ...body }) => body);
  }

  /** @throws CodedError VAULT_WRONG_PASSWORD, VAULT_CORRUPT, NOT_FOUND without a vault. */
  openWithPassword(password: string): Promise<OpenedVault> {
    return this.#open({
      openSlot: async ({ header, body }) => {
        const key = await passwordKey(password, header.salt, header.argon2);
        const slot = openPart(key, body.passwordSlot, associatedData(header, "password slot"));
        wipe(key);
        return slot;
      },
      readSecrets: openSecrets,
      refusal: new CodedError("VAULT_WRONG_PASSWORD", "Wrong password for the vault"),
    });
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

  async #open<Secrets>(way: WayIn<Secrets>): Promise<{ readonly header: VaultHeader; readonly secrets: Secrets }> {
    const { good, isEmpty } = await this.#load();
    if (isEmpty) throw new CodedError("NOT_FOUND", "No vault yet: create an identity or import a phrase");
    for (const { copy, file, bytes } of good) {
      const slot = await way.openSlot(file);
      if (slot === undefined && file === good[0]?.file) throw way.refusal;
      const secrets = slot === undefined ? undefined : way.readSecrets(file, slot);
      if (secrets === undefined) continue;
      await this.#repair(copy, bytes);
      return { header: file.header, secrets };
    }
    throw damaged();
  }

  /** Writes a new generation of the newest vault with that id. */
  async #changeBody(id: Uint8Array, change: (body: VaultBody) => VaultBody): Promise<void> {
    const { good } = await this.#load();
    const newest = good.find(({ file }) => equalBytes(file.header.id, id));
    if (newest === undefined) throw damaged();
    const { header, body } = newest.file;
    await this.#store({ header, body: { ...change(body), generation: body.generation + 1 } });
  }

  #sealDevice(header: VaultHeader, secrets: Omit<VaultSecrets, "entropy">): Uint8Array {
    const { deviceSecret, phraseConfirmed, epochs = [], certificates = [], isLinked = false } = secrets;
    const plaintext = encode(deviceSectionCodec, {
      deviceSecret,
      phraseConfirmed,
      ...(epochs.length > 0 && { epochs }),
      ...(certificates.length > 0 && { certificates }),
      ...(isLinked && { isLinked }),
    });
    const key = deriveKey(secrets.dataKey, "vault device");
    const sealed = sealPart(key, plaintext, associatedData(header, "device"), this.#options.random);
    wipe(plaintext, key);
    return sealed;
  }

  async #load(): Promise<StoredCopies> {
    const stored = await Promise.all(VAULT_COPIES.map(async (copy) => ({ copy, bytes: await this.#options.storage.read(copy) })));
    const good = stored.flatMap(({ copy, bytes }) => {
      const file = bytes === undefined ? undefined : parseVault(bytes);
      return bytes === undefined || file === undefined ? [] : [{ copy, file, bytes }];
    });
    good.sort((x, y) => y.file.body.generation - x.file.body.generation);
    return { good, isEmpty: stored.every(({ bytes }) => bytes === undefined) };
  }

  async #store(file: VaultFile): Promise<void> {
    const bytes = encodeVault(file);
    const target = (await this.#load()).good[0]?.copy === "a" ? "b" : "a";
    await this.#writeChecked(target, bytes);
    await this.#repair(target, bytes);
  }

  async #writeChecked(copy: VaultCopy, bytes: Uint8Array): Promise<void> {
    await this.#options.storage.write(copy, bytes);
    const stored = await this.#options.storage.read(copy);
    if (stored === undefined || !equalBytes(stored, bytes))
      throw new CodedError("LOCAL_STORE_FAILED", "The vault could not be written: the storage returned different bytes than were written");
  }

  /** Brings the other copy up to the good one. A failure is no reason to refuse the person: the next opening tries again. */
  async #repair(good: VaultCopy, bytes: Uint8Array): Promise<void> {
    const other = good === "a" ? "b" : "a";
    const { storage } = this.#options;
    try {
      const stored = await storage.read(other);
      if (stored === undefined || !equalBytes(stored, bytes)) await storage.write(other, bytes);
    } catch {
      return;
    }
  }
}

/** Overwrites secrets, as far as a garbage-collected runtime allows. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
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

function openDeviceSecrets({ header, body }: VaultFile, slot: Uint8Array): OpenedDevice["secrets"] | undefined {
  const dataKey = slot.slice();
  const deviceKey = deriveKey(dataKey, "vault device");
  const device = openPart(deviceKey, body.device, associatedData(header, "device"));
  wipe(slot, deviceKey);
  if (device === undefined) return undefined;
  return { dataKey, epochs: [], ...decode(deviceSectionCodec, device) };
}

function associatedData(header: VaultHeader, part: Part): Uint8Array {
  return concatBytes(encodeVaultHeader(header), utf8(part));
}

function damaged(): CodedError {
  return new CodedError("VAULT_CORRUPT", "Both copies of the vault are damaged: restore from the recovery phrase");
}
