// The keyring: the only holder of keys. It builds what it signs, and gives nothing secret away but the phrase, for the password.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { EntryProof } from "#shared/protocol/groups/signed-entry.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { DeviceKeys, SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { Clock, RandomBytes } from "#shared/util/clock.ts";
import { loadedLate } from "#shared/util/loaded-late.ts";
import { OneAtATime } from "#shared/util/one-at-a-time.ts";
import { AppAccess } from "./confirmation/app-access.ts";
import { ConfirmationGate } from "./confirmation/confirmation-gate.ts";
import { decisionOfAutoLock, decisionOfIntent } from "./confirmation/decision.ts";
import type { SpendingDesk } from "./confirmation/spending-desk.ts";
import { DeviceLinking } from "./devices/device-linking.ts";
import { agreeToNode, proveInbox, signHello, signVoucher } from "./devices/small-signatures.ts";
import type { IntentSummary, SignedIntent } from "./intents/intents.ts";
import { lateIntents } from "./intents/late-intents.ts";
import type { SpendingVerdict } from "./intents/spending/judge-spending.ts";
import type {
  CancelHeldRequest,
  HoldRequest,
  JudgeRequest,
  SetRulesRequest,
  SpendingView,
  WaitingPayment,
} from "./intents/spending/spending-api.ts";
import type {
  AutoLockSettings,
  AutoLockState,
  BackupKeyRequest,
  BoxName,
  CertifyDeviceInput,
  DeletionRequest,
  DrawCardsRequest,
  DrawnCard,
  GroupEntryRequest,
  InboxProofRequest,
  KeychainState,
  KeyringApi,
  KeyringStatus,
  LinkedDeviceInput,
  NodeAgreementRequest,
  OpenedItem,
  OpeningsRequest,
  OwnBox,
  PhraseAnswer,
  PrekeyRequest,
  SealedEnvelope,
  SealedItem,
  SealRequest,
  SigningRequest,
  StoreKeys,
  SummaryRequest,
  VoucherRequest,
  WebSocketAuthentication,
} from "./keyring-api.ts";
import type { KeyringDependencies, OtherWindows } from "./keyring-dependencies.ts";
import { HostKem } from "./open/host-kem.ts";
import { lockedStatus, type OpenDevice, type OpenWallet } from "./open/open-keys.ts";
import { OpenSession } from "./open/open-session.ts";
import type { PairDevice } from "./open/pair-device.ts";
import { SharedDevice } from "./open/shared-device.ts";
import { estimatePassword, requirePassword } from "./passwords/estimate-password.ts";
import type { PasswordEstimate, PasswordEstimateRequest } from "./passwords/password-estimate.ts";
import { KeychainSlots } from "./vault/keychain.ts";
import { ENTROPY_BYTES, entropyOfPhrase, phraseOfEntropy } from "./vault/phrase.ts";
import { newIdentity, storeKeysOf } from "./vault/secrets.ts";
import { type OpenedVault, Vault } from "./vault/vault.ts";
import { DEFAULT_ARGON2, passwordKey } from "./vault/vault-cipher.ts";
import { VaultRenewal } from "./vault/vault-renewal.ts";
import { withoutFormerKeys } from "./vault/vault-secrets.ts";

/** Keys of one profile. Every method of {@link KeyringApi}; keys of the local store come out as bytes for the host to wrap. */
export class Keyring implements KeyringApi<Uint8Array> {
  /** For connections of programs, in the process that holds the keyring. */
  readonly apps: AppAccess;
  readonly #vault: Vault;
  readonly #keychain: KeychainSlots;
  readonly #linking: DeviceLinking;
  readonly #renewal: VaultRenewal;
  readonly #session: OpenSession;
  readonly #device: SharedDevice;
  readonly #gate: ConfirmationGate;
  /** Loaded late: people without rules need none of it before they sign. */
  readonly #spending: () => Promise<SpendingDesk>;
  readonly #otherWindows: OtherWindows | undefined;
  readonly #kem: HostKem;
  readonly #random: RandomBytes;
  readonly #clock: Clock;
  /** One change of the vault at a time. */
  readonly #changes = new OneAtATime();

  constructor(dependencies: KeyringDependencies) {
    const { storage, random, clock, timers, argon2 = DEFAULT_ARGON2 } = dependencies;
    this.#vault = new Vault({ storage, random, argon2, clock });
    this.#gate = new ConfirmationGate({ vault: this.#vault, clock, confirm: dependencies.confirm }, () => this.#session.autoLock.prove());
    this.#keychain = new KeychainSlots(this.#vault, dependencies.keychain, random);
    this.#linking = new DeviceLinking(this.#vault, random);
    this.#renewal = new VaultRenewal(this.#vault, this.#keychain, random);
    this.#kem = new HostKem(dependencies);
    this.#session = new OpenSession({ random, clock, timers, agree: dependencies.kem?.x25519, onLocked: (): void => this.#gate.close() });
    const host = { onReplaced: (): void => this.#session.dropAll(), agreeAhead: this.#kem.agreeAhead };
    this.#device = new SharedDevice(this.#vault, this.#session.keys, random, host);
    this.#otherWindows = dependencies.otherWindows;
    this.#otherWindows?.listen(() => void this.#changes.run(() => this.#followReplaced()).catch(() => undefined));
    [this.#random, this.#clock] = [random, clock];
    const exclusive = <T>(task: () => Promise<T>): Promise<T> => this.#changes.run(task);
    const signer = (): OpenDevice["header"] => this.#session.requireDevice().header;
    this.#spending = loadedLate(async () => {
      return new (await import("./confirmation/spending-desk.ts")).SpendingDesk({ device: this.#device, exclusive, signer, clock, random });
    });
    this.apps = new AppAccess(this.#vault, this.#device, {
      openDevice: (): OpenDevice => this.#session.requireDevice(),
      openWallet: (): OpenWallet => this.#session.requireWallet(),
      charge: async (request, id): Promise<void> => (await this.#spending()).charge(request, id),
      exclusive,
      prove: (): void => this.#session.autoLock.prove(),
    });
  }

  /** Calls back whenever the state changes; returns the way to stop that. */
  onStatus(listener: (status: KeyringStatus) => void): () => void {
    return this.#session.onStatus(listener);
  }

  async status(): Promise<KeyringStatus> {
    this.#session.autoLock.check();
    const open = this.#session.keys.status;
    if (open !== undefined) return open;
    const inspection = await this.#vault.inspect();
    if (inspection.state !== "present") return { state: inspection.state, account: null, phraseConfirmed: null };
    const locked = lockedStatus(inspection.header);
    return inspection.keychainWrap !== undefined && this.#session.lockCount === 0 ? { ...locked, opensWithKeychain: true } : locked;
  }

  create(input: { readonly password: string }): Promise<{ readonly words: readonly string[] }> {
    return this.#changes.run(async () => {
      await this.#vault.require("empty");
      const entropy = this.#random(ENTROPY_BYTES);
      const words = phraseOfEntropy(entropy);
      await this.#begin(entropy, input.password, false);
      return { words };
    });
  }

  importPhrase(input: { readonly phrase: string; readonly password: string; readonly replaceDamaged?: boolean }): Promise<KeyringStatus> {
    return this.#changes.run(async () => {
      const entropy = entropyOfPhrase(input.phrase);
      await this.#vault.require(input.replaceDamaged === true ? "damaged" : "empty");
      return this.#begin(entropy, input.password, true);
    });
  }

  beginLink(): Promise<DeviceKeys> {
    return this.#changes.run(async () => {
      await this.#vault.require("empty");
      return this.#linking.begin();
    });
  }

  finishLink(input: LinkedDeviceInput): Promise<KeyringStatus> {
    return this.#changes.run(async () => {
      await this.#vault.require("empty");
      const lockCount = this.#session.lockCount;
      return this.#session.take(await this.#linking.finish(input), lockCount);
    });
  }

  async certifyDevice(input: CertifyDeviceInput): Promise<string> {
    const certificate = await this.#changes.run(() => this.#linking.certify(input));
    await this.#gate.certify({ chainId: input.chainId, devicePub: input.devicePub.toLowerCase() });
    return certificate;
  }

  addPhrase(input: { readonly phrase: string; readonly password: string }): Promise<KeyringStatus> {
    return this.#changes.run(async () => {
      const lockCount = this.#session.lockCount;
      return this.#takeRenewed(await this.#renewal.write(await this.#linking.withPhrase(input), input.password), lockCount);
    });
  }

  unlock(input: { readonly password: string }): Promise<KeyringStatus> {
    return this.#changes.run(async () => {
      const lockCount = this.#session.lockCount;
      const status = this.#session.take(await this.#vault.openWithPassword(input.password), lockCount);
      void this.#judgePassword(input.password);
      return status;
    });
  }

  keychain(): Promise<KeychainState> {
    return this.#keychain.state();
  }

  setKeychain(input: { readonly password: string | null }): Promise<KeychainState> {
    return this.#changes.run(() => this.#keychain.change(input.password));
  }

  async unlockWithKeychain(): Promise<KeyringStatus> {
    const lockCount = this.#session.lockCount;
    if (lockCount > 0) throw new CodedError("KEYRING_LOCKED", "Parley was locked since it started: use the password");
    // Outside of the queue: while the system asks the person, the password opens too.
    const unwrapped = await this.#keychain.askKey();
    return this.#changes.run(async () => this.#session.keys.status ?? this.#session.take(await this.#keychain.open(unwrapped), lockCount));
  }

  lockWallet(): Promise<KeyringStatus> {
    this.#session.dropWallet();
    return this.status();
  }

  lock(): Promise<KeyringStatus> {
    this.#session.dropAll();
    return this.status();
  }

  estimatePassword(input: PasswordEstimateRequest): Promise<PasswordEstimate> {
    return estimatePassword(input);
  }

  touch(): Promise<void> {
    this.#session.autoLock.touch();
    return Promise.resolve();
  }

  async autoLock(): Promise<AutoLockState> {
    const { autoLock } = this.#session.requireDevice();
    return { ...(autoLock ?? this.#session.defaultAutoLock), isChosen: autoLock !== undefined };
  }

  async setAutoLock({ password, ...after }: AutoLockSettings & { readonly password?: string }): Promise<AutoLockState> {
    if (this.#session.keys.device === undefined && (await this.#vault.inspect()).state === "empty") {
      this.#session.defaultAutoLock = after;
      return { ...after, isChosen: false };
    }
    await this.#gate.require(decisionOfAutoLock(await this.autoLock(), after), password);
    await this.#changes.run(() => this.#device.change((section) => ({ ...section, autoLock: after })));
    this.#session.autoLock.configure(after);
    return this.autoLock();
  }

  async phraseQuiz(): Promise<{ readonly positions: readonly number[] }> {
    this.#session.requireWallet();
    return { positions: this.#session.quiz.draw() };
  }

  confirmPhrase(input: { readonly answers: readonly PhraseAnswer[] }): Promise<{ readonly confirmed: boolean }> {
    return this.#changes.run(async () => {
      const { entropy } = this.#session.requireWallet();
      if (!this.#session.quiz.take(input.answers, phraseOfEntropy(entropy))) return { confirmed: false };
      await this.#device.change((section) => ({ ...section, phraseConfirmed: true }));
      this.#session.announce();
      return { confirmed: true };
    });
  }

  async revealPhrase(input: { readonly password: string }): Promise<{ readonly words: readonly string[] }> {
    const words = await this.#changes.run(() => this.#vault.readPhrase(input.password));
    await this.#gate.show({ kind: "revealPhrase" });
    return { words };
  }

  changePassword(input: { readonly current: string; readonly next: string }): Promise<void> {
    return this.#changes.run(async () => {
      this.#session.keys.renew(await this.#renewal.changePassword(input));
      this.#session.autoLock.prove();
      this.#otherWindows?.announce();
      this.#session.announce();
    });
  }

  resetPassword(input: { readonly phrase: string; readonly password: string }): Promise<KeyringStatus> {
    return this.#changes.run(async () => {
      const lockCount = this.#session.lockCount;
      return this.#takeRenewed(await this.#renewal.resetPassword(input), lockCount);
    });
  }

  async summarize({ intent, leastFeeUt }: SummaryRequest): Promise<IntentSummary> {
    return (await lateIntents()).summarizeIntent(intent, this.#session.requireDevice().header, leastFeeUt);
  }

  async sign({ intent, chainId, leastFeeUt: minFeeUt, password, blockMs }: SigningRequest): Promise<SignedIntent> {
    this.#session.requireWallet();
    const { summarizeIntent, signIntent } = await lateIntents();
    const signer = this.#session.requireDevice().header;
    // No one is asked about what cannot be signed.
    await this.#gate.require(decisionOfIntent(intent, summarizeIntent(intent, signer, minFeeUt), { signer, chainId }), password);
    await (await this.#spending()).charge({ intent, leastFeeUt: minFeeUt, blockMs });
    const context = { chainId, nowMs: this.#clock.nowMs(), random: this.#random, minFeeUt };
    const signed = signIntent(intent, { signer, seed: this.#session.requireWallet().seed }, context);
    this.#session.autoLock.touch();
    return signed;
  }

  async spending({ blockMs }: { readonly blockMs?: number | undefined }): Promise<SpendingView> {
    return (await this.#spending()).view(blockMs);
  }

  async setSpendingRules({ rules, blockMs, password }: SetRulesRequest): Promise<SpendingView> {
    if (password !== undefined) await this.apps.requirePassword(password);
    return (await this.#spending()).setRules(rules, blockMs, password !== undefined);
  }

  async judgeSpending(input: JudgeRequest): Promise<SpendingVerdict> {
    return (await this.#spending()).judge(input);
  }

  async holdPayment({ password, ...input }: HoldRequest): Promise<WaitingPayment> {
    this.#session.requireWallet();
    const { intent, chainId, leastFeeUt } = input;
    const { summarizeIntent } = await lateIntents();
    const signer = this.#session.requireDevice().header;
    // Nobody is asked when it is signed: what gives lasting power is confirmed before it waits.
    await this.#gate.require(decisionOfIntent(intent, summarizeIntent(intent, signer, leastFeeUt), { signer, chainId }), password);
    return (await this.#spending()).hold(input);
  }

  async signHeldPayment({ id, blockMs }: { readonly id: string; readonly blockMs?: number | undefined }): Promise<SignedIntent> {
    this.#session.requireWallet();
    const { signIntent } = await lateIntents();
    const { intent, context } = await (await this.#spending()).release(id, blockMs);
    return signIntent(intent, { signer: this.#session.requireDevice().header, seed: this.#session.requireWallet().seed }, context);
  }

  async cancelHeldPayment({ id, isOver = false }: CancelHeldRequest): Promise<void> {
    return (await this.#spending()).cancel(id, isOver);
  }

  async seal(input: { readonly requests: readonly SealRequest[] }): Promise<readonly SealedEnvelope[]> {
    const { box, header } = this.#session.requireDevice();
    if (input.requests.some(({ pair }) => pair !== undefined)) return (await this.#pairs()).seal(input.requests);
    return box.seal(input.requests, header.masterPub);
  }

  async drawCards(input: DrawCardsRequest): Promise<readonly DrawnCard[] | null> {
    const pairs = await this.#pairs();
    return this.#changes.run(() => pairs.draw(input));
  }

  readonly openPairs: KeyringApi<Uint8Array>["openPairs"] = async (input) => (await this.#pairs()).open(input);

  readonly drawPublicCard: KeyringApi<Uint8Array>["drawPublicCard"] = async (input) =>
    this.#changes.run(async () => (await this.#pairs()).drawPublic(input));

  readonly openPublic: KeyringApi<Uint8Array>["openPublic"] = async (input) => (await this.#pairs()).openPublic(input);

  async renewCardKey(): Promise<void> {
    const pairs = await this.#pairs();
    await this.#changes.run(() => pairs.renewKey());
  }

  readonly resealCards: KeyringApi<Uint8Array>["resealCards"] = async ({ secrets }) => (await this.#pairs()).reseal(secrets);

  async dropFormerCardKey(): Promise<void> {
    const pairs = await this.#pairs();
    return this.#changes.run(() => pairs.dropFormerKey());
  }

  async open(input: { readonly items: readonly SealedItem[] }): Promise<readonly OpenedItem[]> {
    this.#session.autoLock.check();
    return this.#device.open(input.items);
  }

  signedPrekey({ chainId, blockS }: PrekeyRequest): Promise<SignedPrekey | null> {
    return this.#changes.run(() => {
      this.#session.autoLock.check();
      return this.#device.prekey(chainId, { ownS: this.#nowS(), blockS });
    });
  }

  retireEpochs({ blockS }: { readonly blockS: number }): Promise<void> {
    return this.#changes.run(() => {
      this.#session.autoLock.check();
      return this.#device.retireEpochs({ ownS: this.#nowS(), blockS });
    });
  }

  async signVoucher(input: VoucherRequest): Promise<string> {
    this.#session.requireWallet();
    await (await this.#spending()).chargeVoucher(input.channelId, input.paidUt, input.blockMs);
    return signVoucher(this.#session.requireWallet().seed, input);
  }

  async agreeToNode(input: NodeAgreementRequest): Promise<string> {
    return agreeToNode(this.#session.requireWallet().seed, input);
  }

  async authenticateWebSocket(input: { readonly chainId: string; readonly nonce: string }): Promise<WebSocketAuthentication> {
    return signHello(this.#session.requireWallet().seed, this.#session.requireDevice().header.masterPub, input);
  }

  async inboxProof(input: InboxProofRequest): Promise<string> {
    return proveInbox(this.#session.requireDevice().box.agree(input.relayPub), input, this.#nowS(), this.#random);
  }

  async ownBoxes({ boxes }: { readonly boxes: readonly BoxName[] }): Promise<readonly OwnBox[]> {
    const { ownBox } = await import("./devices/contact-boxes.ts");
    return this.#session.requireDevice().box.withSecret((secret) => boxes.map((name) => ownBox(secret, name)));
  }

  async signOpenings(input: OpeningsRequest): Promise<readonly BoxOpening[]> {
    const { signOpenings } = await import("./devices/sign-openings.ts");
    return this.#session.requireDevice().box.withSecret((secret) => signOpenings(secret, input, this.#random));
  }

  async signDeletion(input: DeletionRequest): Promise<string> {
    const { signDeletion } = await import("./devices/sign-deletion.ts");
    return signDeletion(this.#session.requireDevice().box.secretOf(input.box), input, this.#random);
  }

  async signGroupEntry(input: GroupEntryRequest): Promise<EntryProof | null> {
    const { signGroupEntry } = await import("./devices/sign-group-entry.ts");
    const { credentials, header } = this.#session.requireDevice();
    return signGroupEntry(credentials, header, input);
  }

  backupKey({ password, salt, ...cost }: BackupKeyRequest): Promise<Uint8Array> {
    return passwordKey(password, salt, cost);
  }

  async storeKeys(): Promise<StoreKeys<Uint8Array>> {
    return storeKeysOf(this.#session.requireDevice());
  }

  readonly makeDayKey: KeyringApi<Uint8Array>["makeDayKey"] = ({ until }) => this.#changes.run(() => this.#device.makeDayKey(until));

  readonly dropDayKeys: KeyringApi<Uint8Array>["dropDayKeys"] = ({ ids }) => this.#changes.run(() => this.#device.dropDayKeys(ids));

  storeCheckpoint({ counter }: { readonly counter: number }): Promise<{ readonly counter: number; readonly generation: number }> {
    return this.#changes.run(() => this.#device.storeCheckpoint(counter));
  }

  dropFormerKeys({ formerDataKeys }: { readonly formerDataKeys: number }): Promise<void> {
    return this.#changes.run(() => this.#device.change((section) => withoutFormerKeys(section, "records", formerDataKeys)));
  }

  /** What seals and opens with cards, loaded when it is first needed. */
  async #pairs(): Promise<PairDevice> {
    this.#session.requireDevice();
    const { loadPairDevice } = await import("./open/pair-device.ts");
    return loadPairDevice(this.#device, () => this.#session.requireDevice(), this.#kem, this.#random);
  }

  #nowS(): number {
    return Math.floor(this.#clock.nowMs() / 1000);
  }

  async #begin(entropy: Uint8Array, password: string, phraseConfirmed: boolean): Promise<KeyringStatus> {
    const lockCount = this.#session.lockCount;
    await requirePassword(password);
    const { secrets, keys } = newIdentity(entropy, phraseConfirmed, this.#random);
    return this.#session.take(await this.#vault.write(secrets, password, keys), lockCount);
  }

  #takeRenewed(opened: OpenedVault, lockCount: number): KeyringStatus {
    this.#otherWindows?.announce();
    return this.#session.take(opened, lockCount);
  }

  /** Another window has written the vault again. What is open here would go on under keys of the password before. */
  async #followReplaced(): Promise<void> {
    const known = this.#session.keys.device?.header.id;
    const inspection = await this.#vault.inspect();
    if (known === undefined || inspection.state !== "present" || equalBytes(inspection.header.id, known)) return;
    if (this.#session.keys.device?.header.id === known) this.#session.dropAll();
  }

  async #judgePassword(password: string): Promise<void> {
    const isAcceptable = await this.#device.judgePassword(password);
    if (isAcceptable === true) await this.#changes.run(() => this.#device.storeJudgement()).catch(() => undefined);
    else if (isAcceptable === false) this.#session.announce();
  }
}
