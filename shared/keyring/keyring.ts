// The keyring: the only holder of keys. It builds what it signs, and gives nothing secret away but the phrase, for the password.
import { CodedError } from "#shared/errors/coded-error.ts";
import { buildTransaction, signTransaction, type TransactionDraft } from "#shared/protocol/build-transaction.ts";
import type { DeviceKeys, EpochCard } from "#shared/protocol/device-certificate.ts";
import type { Envelope } from "#shared/protocol/envelope.ts";
import { ed25519PublicKey } from "#shared/protocol/signature.ts";
import type { TransactionType } from "#shared/protocol/transaction.ts";
import { toHex } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes, Timers } from "#shared/util/clock.ts";
import { AutoLock } from "./auto-lock.ts";
import { DeviceBox } from "./device-box.ts";
import { certify, DeviceCredentials } from "./device-credentials.ts";
import { DeviceLinking } from "./device-linking.ts";
import { EpochKeys } from "./epoch-keys.ts";
import { draftOfIntent, summarizeIntent } from "./intent-transaction.ts";
import type { Intent, IntentSummary, SignedIntent } from "./intents.ts";
import { type Keychain, KeychainSlots, type KeychainState } from "./keychain.ts";
import type {
  AutoLockSettings,
  BackupKeyRequest,
  CertifyDeviceInput,
  InboxProofRequest,
  KeyringApi,
  KeyringStatus,
  LinkedDeviceInput,
  OpenedItem,
  PhraseAnswer,
  SealedItem,
  SealRequest,
  StoreKeys,
  VoucherRequest,
  WebSocketAuthentication,
} from "./keyring-api.ts";
import { ENTROPY_BYTES, entropyOfPhrase, phraseOfEntropy } from "./phrase.ts";
import { drawQuiz, isQuizPassed } from "./phrase-quiz.ts";
import { accountOf, phraseMissing, requirePassword, seedOfEntropy, storeKeysOf, wipeSecrets } from "./secrets.ts";
import { proveInbox, signHello, signVoucher } from "./small-signatures.ts";
import { type OpenedDevice, type OpenedVault, Vault, type VaultSecrets, type VaultStorage, wipe } from "./vault.ts";
import { DEFAULT_ARGON2, passwordKey } from "./vault-cipher.ts";
import type { Argon2Parameters, VaultHeader } from "./vault-format.ts";

/** What a keyring needs of its host. */
export interface KeyringDependencies {
  readonly storage: VaultStorage;
  readonly random: RandomBytes;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Cost of passwords of new vaults. */
  readonly argon2?: Argon2Parameters;
  /** The operating system's keychain, where the host can reach it. */
  readonly keychain?: Keychain;
}

interface OpenWallet {
  readonly entropy: Uint8Array;
  readonly seed: Uint8Array;
}

interface OpenDevice {
  readonly header: VaultHeader;
  readonly box: DeviceBox;
  readonly epochs: EpochKeys;
  readonly credentials: DeviceCredentials;
  readonly dataKey: Uint8Array;
  readonly isLinked: boolean;
  phraseConfirmed: boolean;
}

/** Keys of one profile. Every method of {@link KeyringApi}; keys of the local store come out as bytes for the host to wrap. */
export class Keyring implements KeyringApi<Uint8Array> {
  readonly #vault: Vault;
  readonly #keychain: KeychainSlots;
  readonly #linking: DeviceLinking;
  readonly #random: RandomBytes;
  readonly #clock: Clock;
  readonly #autoLock: AutoLock;
  readonly #listeners = new Set<(status: KeyringStatus) => void>();
  #wallet: OpenWallet | undefined;
  #device: OpenDevice | undefined;
  #quiz: readonly number[] | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** Rises with every full lock: an unlocking that was overtaken by it must not take effect. */
  #lockCount = 0;

  constructor(dependencies: KeyringDependencies) {
    const { storage, random, clock, timers, argon2 = DEFAULT_ARGON2 } = dependencies;
    this.#vault = new Vault({ storage, random, argon2 });
    this.#keychain = new KeychainSlots(this.#vault, dependencies.keychain, random);
    this.#linking = new DeviceLinking(this.#vault, random);
    this.#random = random;
    this.#clock = clock;
    this.#autoLock = new AutoLock(clock, timers, {
      lockWallet: (): void => this.#dropWallet(),
      lock: (): void => this.#dropAll(),
    });
  }

  /** Calls back whenever the state changes; returns the way to stop that. */
  onStatus(listener: (status: KeyringStatus) => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  async status(): Promise<KeyringStatus> {
    this.#autoLock.check();
    const device = this.#device;
    if (device !== undefined) return this.#openStatus(device);
    const inspection = await this.#vault.inspect();
    if (inspection.state !== "present") return { state: inspection.state, account: null, phraseConfirmed: null };
    const locked = { state: "locked", account: accountOf(inspection.header), phraseConfirmed: null } as const;
    return inspection.keychainWrap !== undefined && this.#lockCount === 0 ? { ...locked, opensWithKeychain: true } : locked;
  }

  create(input: { readonly password: string }): Promise<{ readonly words: readonly string[] }> {
    return this.#exclusive(async () => {
      await this.#vault.require("empty");
      const entropy = this.#random(ENTROPY_BYTES);
      const words = phraseOfEntropy(entropy);
      await this.#begin(entropy, input.password, false);
      return { words };
    });
  }

  importPhrase(input: { readonly phrase: string; readonly password: string; readonly replaceDamaged?: boolean }): Promise<KeyringStatus> {
    return this.#exclusive(async () => {
      const entropy = entropyOfPhrase(input.phrase);
      await this.#vault.require(input.replaceDamaged === true ? "damaged" : "empty");
      return this.#begin(entropy, input.password, true);
    });
  }

  beginLink(): Promise<DeviceKeys> {
    return this.#exclusive(async () => {
      await this.#vault.require("empty");
      return this.#linking.begin();
    });
  }

  finishLink(input: LinkedDeviceInput): Promise<KeyringStatus> {
    return this.#exclusive(async () => {
      await this.#vault.require("empty");
      const lockCount = this.#lockCount;
      return this.#take(await this.#linking.finish(input), lockCount);
    });
  }

  certifyDevice(input: CertifyDeviceInput): Promise<string> {
    return this.#exclusive(async () => {
      const certificate = await this.#linking.certify(input);
      await this.touch();
      return certificate;
    });
  }

  addPhrase(input: { readonly phrase: string; readonly password: string }): Promise<KeyringStatus> {
    return this.#exclusive(async () => {
      const lockCount = this.#lockCount;
      const { header, secrets } = await this.#linking.withPhrase(input);
      return this.#take(await this.#rewrite(header, secrets, input.password), lockCount);
    });
  }

  unlock(input: { readonly password: string }): Promise<KeyringStatus> {
    return this.#exclusive(async () => {
      const lockCount = this.#lockCount;
      return this.#take(await this.#vault.openWithPassword(input.password), lockCount);
    });
  }

  keychain(): Promise<KeychainState> {
    return this.#keychain.state();
  }

  setKeychain(input: { readonly password: string | null }): Promise<KeychainState> {
    return this.#exclusive(async () => {
      if (input.password === null) await this.#keychain.disable();
      else {
        const { header, secrets } = await this.#vault.openWithPassword(input.password);
        await this.#keychain.enable(header, secrets.dataKey).finally(() => wipeSecrets(secrets));
      }
      return this.#keychain.state();
    });
  }

  async unlockWithKeychain(): Promise<KeyringStatus> {
    const lockCount = this.#lockCount;
    if (lockCount > 0) throw new CodedError("KEYRING_LOCKED", "Parley was locked since it started: use the password");
    // Outside of the queue: while the system asks the person, the password opens too.
    const answer = await this.#keychain.askKey();
    return this.#exclusive(async () =>
      this.#device === undefined ? this.#take(await this.#keychain.open(answer), lockCount) : this.#openStatus(this.#device),
    );
  }

  lockWallet(): Promise<KeyringStatus> {
    this.#dropWallet();
    return this.status();
  }

  lock(): Promise<KeyringStatus> {
    this.#dropAll();
    return this.status();
  }

  touch(): Promise<void> {
    this.#autoLock.check();
    if (this.#device !== undefined) this.#autoLock.touch();
    return Promise.resolve();
  }

  setAutoLock(input: AutoLockSettings): Promise<void> {
    this.#autoLock.configure(input);
    return Promise.resolve();
  }

  async phraseQuiz(): Promise<{ readonly positions: readonly number[] }> {
    this.#openWallet();
    this.#quiz = drawQuiz(this.#random);
    return { positions: this.#quiz };
  }

  confirmPhrase(input: { readonly answers: readonly PhraseAnswer[] }): Promise<{ readonly confirmed: boolean }> {
    return this.#exclusive(async () => {
      const { entropy } = this.#openWallet();
      const device = this.#openDevice();
      const quiz = this.#quiz;
      this.#quiz = undefined;
      if (quiz === undefined) throw new CodedError("BAD_REQUEST", "Ask for a quiz first");
      if (!isQuizPassed(quiz, input.answers, phraseOfEntropy(entropy))) return { confirmed: false };
      await this.#saveDevice({ ...device, phraseConfirmed: true });
      device.phraseConfirmed = true;
      this.#announce();
      return { confirmed: true };
    });
  }

  revealPhrase(input: { readonly password: string }): Promise<{ readonly words: readonly string[] }> {
    return this.#exclusive(async () => {
      const { secrets } = await this.#vault.openWithPassword(input.password);
      const words = secrets.entropy && phraseOfEntropy(secrets.entropy);
      wipeSecrets(secrets);
      if (words === undefined) throw phraseMissing();
      await this.touch();
      return { words };
    });
  }

  changePassword(input: { readonly current: string; readonly next: string }): Promise<void> {
    return this.#exclusive(async () => {
      requirePassword(input.next);
      const { header, secrets } = await this.#vault.openWithPassword(input.current);
      await this.#rewrite(header, secrets, input.next);
      wipeSecrets(secrets);
      await this.touch();
    });
  }

  resetPassword(input: { readonly phrase: string; readonly password: string }): Promise<KeyringStatus> {
    return this.#exclusive(async () => {
      requirePassword(input.password);
      const lockCount = this.#lockCount;
      const entropy = entropyOfPhrase(input.phrase);
      const { header, secrets } = await this.#vault.openWithPhrase(entropy);
      wipe(entropy);
      return this.#take(await this.#rewrite(header, { ...secrets, phraseConfirmed: true }, input.password), lockCount);
    });
  }

  async summarize(input: { readonly intent: Intent }): Promise<IntentSummary> {
    return summarizeIntent(input.intent, this.#openDevice().header);
  }

  async sign(input: { readonly intent: Intent; readonly chainId: string }): Promise<SignedIntent> {
    const { seed } = this.#openWallet();
    const signer = this.#openDevice().header;
    const draft = draftOfIntent(input.intent, signer);
    const summary = summarizeIntent(input.intent, signer);
    this.#autoLock.touch();
    const context = { chainId: input.chainId, nowMs: this.#clock.nowMs(), random: this.#random };
    const unsigned = buildTransaction(draft as TransactionDraft<TransactionType>, context);
    return { transaction: signTransaction(unsigned, seed), summary };
  }

  async seal(input: { readonly requests: readonly SealRequest[] }): Promise<readonly Envelope[]> {
    const { box, header } = this.#openDevice();
    return box.seal(input.requests, header.masterPub);
  }

  async open(input: { readonly items: readonly SealedItem[] }): Promise<readonly OpenedItem[]> {
    const { box, epochs } = this.#openDevice();
    return box.open(input.items, epochs);
  }

  epochCard({ chainId }: { readonly chainId: string }): Promise<EpochCard | null> {
    return this.#exclusive(async () => {
      const device = this.#openDevice();
      const { epochs, credentials } = device;
      const isNew = this.#wallet !== undefined && !credentials.has(chainId);
      if (this.#wallet !== undefined && isNew)
        credentials.add({ chainId, signature: certify(this.#wallet.seed, chainId, credentials.keys) });
      if (epochs.renew(this.#nowS()) || isNew) await this.#saveDevice(device);
      if (epochs.card === undefined) throw new CodedError("KEYRING_LOCKED", "The keyring was locked meanwhile");
      return credentials.card(chainId, epochs.card);
    });
  }

  retireEpochs(): Promise<void> {
    return this.#exclusive(async () => {
      const device = this.#openDevice();
      if (device.epochs.retire(this.#nowS())) await this.#saveDevice(device);
    });
  }

  async signVoucher(input: VoucherRequest): Promise<string> {
    return signVoucher(this.#openWallet().seed, input);
  }

  async authenticateWebSocket(input: { readonly chainId: string; readonly nonce: string }): Promise<WebSocketAuthentication> {
    return signHello(this.#openWallet().seed, this.#openDevice().header.masterPub, input);
  }

  async inboxProof(input: InboxProofRequest): Promise<string> {
    return proveInbox(this.#openDevice().box.agree(input.relayPub), input, this.#nowS());
  }

  backupKey({ password, salt, ...cost }: BackupKeyRequest): Promise<Uint8Array> {
    return passwordKey(password, salt, cost);
  }

  async storeKeys(): Promise<StoreKeys<Uint8Array>> {
    return storeKeysOf(this.#openDevice().dataKey);
  }

  #nowS(): number {
    return Math.floor(this.#clock.nowMs() / 1000);
  }

  async #saveDevice({ header, box, dataKey, epochs, credentials, phraseConfirmed, isLinked }: OpenDevice): Promise<void> {
    const deviceSecret = box.exportSecret();
    const secrets = epochs.exportSecrets();
    const { certificates } = credentials;
    await this.#vault.saveFlags(header, { dataKey, deviceSecret, phraseConfirmed, epochs: secrets, certificates, isLinked });
    wipe(deviceSecret, ...secrets.map(({ secret }) => secret));
  }

  async #begin(entropy: Uint8Array, password: string, phraseConfirmed: boolean): Promise<KeyringStatus> {
    requirePassword(password);
    const lockCount = this.#lockCount;
    const box = new DeviceBox(this.#random(32), this.#random);
    const secrets: VaultSecrets = { entropy, dataKey: this.#random(32), deviceSecret: box.exportSecret(), phraseConfirmed };
    const seed = seedOfEntropy(entropy);
    const keys = { masterPub: toHex(ed25519PublicKey(seed)), devicePub: box.publicKey };
    wipe(seed);
    box.close();
    return this.#take(await this.#vault.write(secrets, password, keys), lockCount);
  }

  async #rewrite(header: VaultHeader, secrets: VaultSecrets, password: string): Promise<OpenedVault> {
    const { masterPub, devicePub } = header;
    const hadKeychain = await this.#keychain.isEnabled();
    const opened = await this.#vault.write(secrets, password, { masterPub, devicePub });
    // Without the keychain's answer the way in is closed, and the settings say so.
    if (hadKeychain) await this.#keychain.enable(opened.header, secrets.dataKey).catch(() => undefined);
    if (this.#device !== undefined) this.#device = { ...this.#device, header: opened.header };
    return opened;
  }

  #take({ header, secrets }: OpenedVault | OpenedDevice, lockCount: number): KeyringStatus {
    if (lockCount !== this.#lockCount) {
      wipeSecrets(secrets);
      throw new CodedError("KEYRING_LOCKED", "The keyring was locked meanwhile");
    }
    const entropy = "entropy" in secrets ? secrets.entropy : undefined;
    const wallet = entropy && { entropy, seed: seedOfEntropy(entropy) };
    const { dataKey, deviceSecret, phraseConfirmed, isLinked = false } = secrets;
    const { devicePub } = header;
    const credentials = new DeviceCredentials(deviceSecret, devicePub, secrets.certificates);
    const box = new DeviceBox(deviceSecret, this.#random);
    const isOwnWallet = wallet === undefined || toHex(ed25519PublicKey(wallet.seed)) === header.masterPub;
    if (!isOwnWallet || box.publicKey !== devicePub) {
      wipe(wallet?.seed);
      box.close();
      credentials.close();
      wipeSecrets(secrets);
      throw new CodedError("VAULT_CORRUPT", "The keys in the vault are not those that it names: restore from the recovery phrase");
    }
    this.#forget();
    this.#wallet = wallet;
    const epochs = new EpochKeys(secrets.epochs ?? [], this.#random);
    this.#device = { header, box, epochs, credentials, dataKey, phraseConfirmed, isLinked };
    this.#autoLock.touch();
    this.#announce();
    return this.#openStatus(this.#device);
  }

  #openWallet(): OpenWallet {
    this.#autoLock.check();
    if (this.#wallet === undefined && this.#device?.isLinked === true) throw phraseMissing();
    if (this.#wallet === undefined) throw new CodedError("KEYRING_LOCKED", "The wallet is locked: unlock it first");
    return this.#wallet;
  }

  #openDevice(): OpenDevice {
    this.#autoLock.check();
    if (this.#device === undefined) throw new CodedError("KEYRING_LOCKED", "The keyring is locked: unlock it first");
    return this.#device;
  }

  #openStatus(device: OpenDevice): KeyringStatus {
    const state = this.#wallet === undefined ? "walletLocked" : "unlocked";
    const { header, phraseConfirmed, isLinked } = device;
    return { state, account: accountOf(header), phraseConfirmed, ...(isLinked && { isLinked: true }) };
  }

  #dropWallet(): void {
    if (this.#wallet === undefined) return;
    wipe(this.#wallet.entropy, this.#wallet.seed);
    this.#wallet = undefined;
    this.#quiz = undefined;
    this.#announce();
  }

  #dropAll(): void {
    this.#lockCount += 1;
    const device = this.#device;
    this.#forget();
    this.#autoLock.stop();
    if (device !== undefined) this.#tell({ state: "locked", account: accountOf(device.header), phraseConfirmed: null });
  }

  #forget(): void {
    wipe(this.#wallet?.entropy, this.#wallet?.seed, this.#device?.dataKey);
    this.#device?.box.close();
    this.#device?.epochs.close();
    this.#device?.credentials.close();
    this.#wallet = undefined;
    this.#device = undefined;
    this.#quiz = undefined;
  }

  #announce(): void {
    if (this.#device !== undefined) this.#tell(this.#openStatus(this.#device));
  }

  #tell(status: KeyringStatus): void {
    for (const listener of [...this.#listeners]) listener(status);
  }

  /** One change of the vault at a time. */
  #exclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(task);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
