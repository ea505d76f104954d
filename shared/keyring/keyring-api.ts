// The keyring as its users see it: the same methods in the hosting process and, by messages, in the interface.
import type { EntryProof } from "#shared/protocol/groups/signed-entry.ts";
import type { BoxOpening } from "#shared/protocol/mail/box-opening.ts";
import type { DeviceKeys, SignedPrekey } from "#shared/protocol/mail/device-certificate.ts";
import type { Envelope, X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PairCard, ShownCard } from "#shared/protocol/pairs/pair-card.ts";
import type { PairSide } from "#shared/protocol/pairs/pair-cipher.ts";
import type { PairForm } from "#shared/protocol/pairs/pair-wire.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { Intent, SignedIntent } from "./intents/intents.ts";
import type { SpendingVerdict } from "./intents/spending/judge-spending.ts";
import type {
  CancelHeldRequest,
  HoldRequest,
  JudgeRequest,
  SetRulesRequest,
  SpendingView,
  WaitingPayment,
} from "./intents/spending/spending-api.ts";
import type { PasswordEstimate, PasswordEstimateRequest } from "./passwords/password-estimate.ts";

/**
 * - `absent`: this host has no keychain, as in a browser.
 * - `unavailable`: the system has one and it does not answer.
 * - `weak`: what it seals, anyone who has the disk can open.
 * - `ready`: it can be used.
 */
export type KeychainOffer = "absent" | "unavailable" | "weak" | "ready";

/** A keychain as its host describes it. */
export interface KeychainDescription {
  readonly offer: KeychainOffer;
  /** Name of the keychain that the system uses, empty when it has none. */
  readonly name: string;
}

/** The keychain and whether this vault opens with it. */
export interface KeychainState extends KeychainDescription {
  readonly isEnabled: boolean;
}

/**
 * - `empty`: no vault yet: create or import.
 * - `damaged`: a vault exists and neither copy is readable: import the phrase with `replaceDamaged`.
 * - `locked`: nothing in memory; messages do not arrive.
 * - `walletLocked`: messages arrive and can be sent, nothing can be signed.
 * - `unlocked`: everything works.
 */
export type KeyringState = "empty" | "damaged" | "locked" | "walletLocked" | "unlocked";

/** Public keys of the account on this device. */
export interface KeyringAccount {
  readonly masterPub: PublicKeyHex;
  readonly address: string;
  /** X25519 key of this device (this browser profile). */
  readonly devicePub: X25519KeyHex;
}

/** What the keyring reveals without a password. */
export interface KeyringStatus {
  readonly state: KeyringState;
  /** Null while the state is `empty` or `damaged`. */
  readonly account: KeyringAccount | null;
  /** Whether the phrase has been confirmed by the quiz; null until the vault is open. */
  readonly phraseConfirmed: boolean | null;
  /** This device was linked without the recovery phrase: the wallet stays locked until it is added. Known while the vault is open. */
  readonly isLinked?: true;
  /** While `locked`: the keychain may open it. Absent once the keyring was locked since it started. */
  readonly opensWithKeychain?: true;
  /** The vault is older than the floor for passwords, and its password is below it. Known a moment after the password opened it. */
  readonly hasWeakPassword?: true;
  /** How many data keys the open one has replaced: with it rises what {@link KeyringApi.storeKeys} gives. Absent before the first. */
  readonly formerDataKeys?: number;
}

/** One word of the recovery phrase. */
export interface PhraseAnswer {
  /** 1–24. */
  readonly position: number;
  readonly word: string;
}

/** Minutes of no activity until each lock; null never locks by itself. */
export interface AutoLockSettings {
  readonly walletIdleMs: number | null;
  readonly fullIdleMs: number | null;
}

/** Idle times in force. */
export interface AutoLockState extends AutoLockSettings {
  /** False: this vault holds no choice yet, and these are the defaults. */
  readonly isChosen: boolean;
}

/** One plaintext for several devices. */
export interface SealRequest {
  readonly plaintext: Uint8Array;
  readonly recipients: readonly X25519KeyHex[];
  /** Unix seconds shown on the envelope. */
  readonly sentAt: number;
  /** Seals with a key used once and names the hour alone, so that only the recipient sees who wrote. */
  readonly hidesSender?: boolean;
  /** Short-lived key of the only recipient: what is sealed to it cannot be opened once its secret is destroyed. The sender is hidden. */
  readonly epochPub?: X25519KeyHex;
  /** A card of the only recipient: then the plaintext is a content of version 2, and the sender is hidden. */
  readonly pair?: PairSealRequest;
}

/** The card that a content is sealed to. */
export interface PairSealRequest {
  readonly chainId: string;
  readonly recipientMasterPub: PublicKeyHex;
  readonly card: PairCard;
  /** An open box of the recipient's device, which the envelope is for instead of the device's lasting mailbox. */
  readonly box?: OwnBox;
  /** Number of the form; that of a pair by default. With those of the device's public card the sender's keys go along. */
  readonly form?: PairForm;
}

/** A mailbox of a device for one person, with what signs envelopes for it. */
export interface OwnBox {
  readonly mailbox: X25519KeyHex;
  /** Ed25519 seed, 32 bytes. */
  readonly writeSeed: Uint8Array;
}

/** Which mailbox of this device: the one for a person, by its number. */
export interface BoxName {
  readonly chainId: string;
  readonly peer: PublicKeyHex;
  /** 0 to 2^32 − 1. */
  readonly generation: number;
}

/** Openings to sign. */
export interface OpeningsRequest {
  readonly boxes: readonly BoxName[];
  /** True to close them: nothing is taken any more. */
  readonly isClosing?: boolean;
  /** Unix seconds. */
  readonly untilSec: number;
  /** Height of the chain. */
  readonly height: number;
}

/** An envelope, with the signature by which an open box takes it. */
export interface SealedEnvelope extends Envelope {
  /** Base64. */
  readonly admit?: string;
}

/** Cards to draw, each for another device. */
export interface DrawCardsRequest {
  readonly chainId: string;
  /** Hex of 8 bytes each: the instance of a pair, and the id of its next card. */
  readonly cards: readonly { readonly instance: string; readonly id: string }[];
}

/** A card to show, and what opens with it. */
export interface DrawnCard {
  readonly card: ShownCard;
  /** Sealed under a key of the vault: its owner stores it, and destroys it. */
  readonly secret: Uint8Array;
}

/** A public card to draw. */
export interface DrawPublicRequest {
  readonly chainId: string;
  /** Hex of 8 bytes. */
  readonly instance: string;
  /** Hours of block time since 1970. */
  readonly number: number;
  /** Height of the chain. */
  readonly height: number;
}

/** A public card, and what opens with it. */
export interface DrawnPublicCard {
  /** As keepers store it. */
  readonly card: Uint8Array;
  /** As of {@link DrawnCard}. */
  readonly secret: Uint8Array;
}

/** Envelopes for public cards whose box is open. */
export interface OpenPublicRequest {
  readonly chainId: string;
  readonly items: readonly {
    /** {@link OpenedItem.pair}. */
    readonly pair: Uint8Array;
    /** {@link DrawnPublicCard.secret} of the card that it names. */
    readonly secret: Uint8Array;
  }[];
}

/** What was sealed to a public card, and whose device sealed it. Whether the chain lists that device for that person is not said by it. */
export interface OpenedPublic {
  readonly content: Uint8Array;
  readonly sender: PairSide;
}

/** Pair envelopes whose box is open. */
export interface OpenPairsRequest {
  readonly chainId: string;
  readonly items: readonly {
    /** {@link OpenedItem.pair}. */
    readonly pair: Uint8Array;
    /** {@link DrawnCard.secret} of the card that it names. */
    readonly secret: Uint8Array;
    /** For whom that card was drawn. */
    readonly sender: PairSide;
    /** Where it lay; the device's lasting mailbox by default. */
    readonly mailbox?: X25519KeyHex;
  }[];
}

/** Keys of a new device, and the password of this one. */
export interface CertifyDeviceInput extends DeviceKeys {
  readonly chainId: string;
  readonly password: string;
}

/** What a linked device is given: whose device it is, and the master key's word for its keys. */
export interface LinkedDeviceInput {
  readonly masterPub: PublicKeyHex;
  readonly chainId: string;
  /** Hex of 64 bytes. */
  readonly certificate: string;
  /** Of the new vault. */
  readonly password: string;
}

/** A password for a backup file, with what its key is derived by. */
export interface BackupKeyRequest {
  readonly password: string;
  /** 16 bytes. */
  readonly salt: Uint8Array;
  readonly memoryKib: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** What is needed of an inbox item to open it. */
export interface SealedItem extends Pick<Envelope, "sender_pub" | "nonce" | "ciphertext"> {
  /** The box in which it lay; the device's lasting mailbox by default. A box has only what is sealed to cards. */
  readonly box?: BoxName;
}

/** Plaintext of an item, or null when it was not sealed for this device or is damaged. */
export interface OpenedItem {
  readonly plaintext: Uint8Array | null;
  /** Device key that the box proves: the envelope's, or the one inside where the sender is hidden. */
  readonly senderPub: X25519KeyHex;
  /** What is sealed to a card of a pair: names the card, and is opened with its secret; or what is in a form of a later version. */
  readonly pair?: Uint8Array;
}

/** A key under which stored messages lie that disappear: once it is destroyed, nothing opens what a disk still holds of them. */
export interface DayKey<Key> {
  /** Hex of 8 bytes. */
  readonly id: string;
  /** The latest time at which such a message disappears, milliseconds since 1970; 0: of those whose time has not begun. */
  readonly until: number;
  /** AES-256-GCM. */
  readonly key: Key;
}

/** Keys of the local message store, derived from data keys. `Key` is the host's opaque key type. */
export interface StoreKeys<Key> {
  /** Name under which the store is saved; reveals nothing, and stays the same under another password. */
  readonly name: string;
  /** AES-256-GCM, encrypts records. */
  readonly recordKey: Key;
  /** HMAC-SHA-256, hides peers and message identities in indexes; stays the same under another password. */
  readonly indexKey: Key;
  /** AES-256-GCM, of former passwords, the newest first: they open what was not sealed again yet, and seal nothing. */
  readonly formerKeys: readonly Key[];
  /** Of messages that disappear, the oldest first. */
  readonly dayKeys: readonly DayKey<Key>[];
}

/** A proof of a mailbox key: value of the header `X-Inbox-Proof`. */
export interface InboxProofRequest {
  readonly method: string;
  /** Path without query, as sent. */
  readonly path: string;
  /** X25519 key of the node's relay. */
  readonly relayPub: X25519KeyHex;
}

/** Envelopes that this device's mailbox is rid of at every node. */
export interface DeletionRequest {
  readonly chainId: string;
  readonly ids: readonly string[];
  /** Height of the chain. */
  readonly height: number;
  /** The mailbox; the device's lasting one by default. */
  readonly box?: BoxName;
}

/** An entry of a group's log that this device writes. */
export interface GroupEntryRequest {
  readonly chainId: string;
  /** The encoded entry. */
  readonly entry: Uint8Array;
}

/** A promise of the payer of a channel. */
export interface VoucherRequest {
  readonly chainId: string;
  /** 32 hex characters. */
  readonly channelId: string;
  /** Total of all payments so far, µT. */
  readonly paidUt: AmountUt;
  /** Time of the newest block, unix ms, for the spending rules. */
  readonly blockMs?: number | undefined;
}

/** A node whose earnings come to this account. */
export interface NodeAgreementRequest {
  readonly chainId: string;
  /** Hex key of the node. */
  readonly nodePub: PublicKeyHex;
}

/** Response to the nonce of a WebSocket's hello. */
export interface WebSocketAuthentication {
  readonly pub: PublicKeyHex;
  /** Hex signature. */
  readonly sig: string;
}

/** An intent of which the costs are asked. */
export interface SummaryRequest {
  readonly intent: Intent;
  /** Smallest fee of the network, µT: what an intent without a fee of its own pays. That of a network that never changed by default. */
  readonly leastFeeUt?: AmountUt;
}

/** An intent to sign. */
export interface SigningRequest extends SummaryRequest {
  readonly chainId: string;
  /** Where the host has no window to confirm lasting power in. */
  readonly password?: string;
  /** Time of the newest block, unix ms: spending rules go by it and the clock. */
  readonly blockMs?: number | undefined;
}

/** For which network a short-lived key is shown, and the time of its newest block, unix seconds, where one is known. */
export interface PrekeyRequest {
  readonly chainId: string;
  readonly blockS?: number | undefined;
}

/**
 * All methods reject with a CodedError; its message and details never hold a secret.
 * KEYRING_LOCKED where the state does not allow the call, VAULT_WRONG_PASSWORD, VAULT_CORRUPT, VAULT_EXISTS, KEYCHAIN_FAILED,
 * PHRASE_INVALID, VAULT_GUESS_DELAY after wrong passwords, CONFIRMATION_REQUIRED where the password that confirms is missing,
 * CONFIRMATION_DECLINED, SPENDING_LIMIT, SPENDING_DELAY, SPENDING_RECIPIENT by the spending rules, PASSWORD_WEAK for a new password, PHRASE_MISSING for what needs the wallet of a device that was linked without it, BAD_REQUEST.
 */
export interface KeyringApi<Key> {
  status(): Promise<KeyringStatus>;
  /** Makes a new identity and vault and leaves it unlocked; the phrase is not confirmed yet. Returns its 24 words. */
  create(input: { readonly password: string }): Promise<{ readonly words: readonly string[] }>;
  /** Restores an identity with a fresh device key. The phrase counts as confirmed. `replaceDamaged` overwrites a damaged vault. */
  importPhrase(input: { readonly phrase: string; readonly password: string; readonly replaceDamaged?: boolean }): Promise<KeyringStatus>;
  /** Creates the keys of a device that is to be linked by another one; they stay in memory until {@link finishLink}. */
  beginLink(): Promise<DeviceKeys>;
  /** Makes the vault of a device that was linked. It has no phrase: the wallet stays locked. */
  finishLink(input: LinkedDeviceInput): Promise<KeyringStatus>;
  /** Vouches for a new device of this identity, for the password. Returns the hex of 64 bytes. */
  certifyDevice(input: CertifyDeviceInput): Promise<string>;
  /** Adds the phrase to a device that was linked without it. @throws CodedError PHRASE_INVALID for another identity's. */
  addPhrase(input: { readonly phrase: string; readonly password: string }): Promise<KeyringStatus>;
  unlock(input: { readonly password: string }): Promise<KeyringStatus>;
  /** The operating system's keychain, and whether it may open this vault. */
  keychain(): Promise<KeychainState>;
  /** Lets the keychain open all but the wallet from now on, for the password; null takes that away again. */
  setKeychain(input: { readonly password: string | null }): Promise<KeychainState>;
  /** Opens all but the wallet, without a password, once after the start: after a lock only the password opens. */
  unlockWithKeychain(): Promise<KeyringStatus>;
  /** Drops the signing key; messages still arrive. */
  lockWallet(): Promise<KeyringStatus>;
  /** Drops everything. */
  lock(): Promise<KeyringStatus>;
  /** How hard a password is to guess, with words that a guesser tries first. */
  estimatePassword(input: PasswordEstimateRequest): Promise<PasswordEstimate>;
  /** Says that the person is here: restarts the idle time. */
  touch(): Promise<void>;
  /** Idle times of the open vault. */
  autoLock(): Promise<AutoLockState>;
  /** Stores idle times in the vault. Locking later than before is confirmed: see {@link sign}. */
  setAutoLock(input: AutoLockSettings & { readonly password?: string }): Promise<AutoLockState>;
  /** Positions (1–24) to ask for, in order. */
  phraseQuiz(): Promise<{ readonly positions: readonly number[] }>;
  /** Checks the answers to the last quiz; true stores the confirmation. A wrong answer asks for a new quiz. */
  confirmPhrase(input: { readonly answers: readonly PhraseAnswer[] }): Promise<{ readonly confirmed: boolean }>;
  revealPhrase(input: { readonly password: string }): Promise<{ readonly words: readonly string[] }>;
  changePassword(input: { readonly current: string; readonly next: string }): Promise<void>;
  /** Sets a new password with the phrase alone: device key and local history stay. */
  resetPassword(input: { readonly phrase: string; readonly password: string }): Promise<KeyringStatus>;
  /** What an intent would do, without signing it; needs no unlocked wallet. */
  summarize(input: SummaryRequest): Promise<SignedIntent["summary"]>;
  /**
   * Rebuilds the transaction of an intent and signs it. What gives lasting power (another device, the validator set) is confirmed first:
   * in a window of the host, or where it has none by the password.
   */
  sign(input: SigningRequest): Promise<SignedIntent>;
  /** Spending rules, what they leave, and what waits. */
  spending(input: { readonly blockMs?: number | undefined }): Promise<SpendingView>;
  /** What is stricter holds at once; what is looser needs the password and holds a day later. */
  setSpendingRules(input: SetRulesRequest): Promise<SpendingView>;
  /** What the rules say to an intent, without counting it. */
  judgeSpending(input: JudgeRequest): Promise<SpendingVerdict>;
  /** Holds what the rules make wait; what gives lasting power is confirmed as by {@link sign}, before it waits. */
  holdPayment(input: HoldRequest): Promise<WaitingPayment>;
  /** Signs what has waited: the same transaction every time, until {@link cancelHeldPayment}. */
  signHeldPayment(input: { readonly id: string; readonly blockMs?: number | undefined }): Promise<SignedIntent>;
  /** Forgets what waits, or has gone out. */
  cancelHeldPayment(input: CancelHeldRequest): Promise<void>;
  /** Promises so much in all from an own payment channel: a base64 signature that the payee closes it with. */
  signVoucher(input: VoucherRequest): Promise<string>;
  /** Agrees that a node pays its earnings to this account: a base64 signature for its BIND_WALLET. It gives no power over the account. */
  agreeToNode(input: NodeAgreementRequest): Promise<string>;
  /** One envelope per recipient device, in order of requests and recipients. */
  seal(input: { readonly requests: readonly SealRequest[] }): Promise<readonly SealedEnvelope[]>;
  /** This device's newest short-lived key, signed; makes one when it is time. Null until the wallet was open once on this network. */
  signedPrekey(input: PrekeyRequest): Promise<SignedPrekey | null>;
  /** The mailbox has just been empty: destroys the short-lived keys that nothing is sealed to any more, by both clocks. */
  retireEpochs(input: { readonly blockS: number }): Promise<void>;
  /** Opens items in order. */
  open(input: { readonly items: readonly SealedItem[] }): Promise<readonly OpenedItem[]>;
  /** Draws cards. Null until the wallet was open once on this network. */
  drawCards(input: DrawCardsRequest): Promise<readonly DrawnCard[] | null>;
  /** Opens contents that were sealed to cards, in order; null for what does not open. */
  openPairs(input: OpenPairsRequest): Promise<readonly (Uint8Array | null)[]>;
  /** Draws a public card. Null until the wallet was open once on this network. */
  drawPublicCard(input: DrawPublicRequest): Promise<DrawnPublicCard | null>;
  /** Opens contents that were sealed to public cards, in order; null for what does not open. */
  openPublic(input: OpenPublicRequest): Promise<readonly (OpenedPublic | null)[]>;
  /** A new key for secrets of cards, once a day: all of them are sealed again, stored, and then {@link dropFormerCardKey} is called. */
  renewCardKey(): Promise<void>;
  /** Secrets of cards under the newest key, in order; null for one that no key opens. */
  resealCards(input: { readonly secrets: readonly Uint8Array[] }): Promise<readonly (Uint8Array | null)[]>;
  /** Nothing lies under the card key before the newest any more: what an older copy of the store holds opens no more. */
  dropFormerCardKey(): Promise<void>;
  authenticateWebSocket(input: { readonly chainId: string; readonly nonce: string }): Promise<WebSocketAuthentication>;
  inboxProof(input: InboxProofRequest): Promise<string>;
  /** Mailboxes of this device for one person each, in order. */
  ownBoxes(input: { readonly boxes: readonly BoxName[] }): Promise<readonly OwnBox[]>;
  /** Opens such mailboxes for their people, or closes them: signed by their keys, in order. */
  signOpenings(input: OpeningsRequest): Promise<readonly BoxOpening[]>;
  /** Deletes from a mailbox of this device: a base64 signature by its key, which every node believes. */
  signDeletion(input: DeletionRequest): Promise<string>;
  /** Signs an entry of a group's log. Null until the wallet was open once on this network. */
  signGroupEntry(input: GroupEntryRequest): Promise<EntryProof | null>;
  /** Key (32 bytes) of the password of a backup file, by Argon2id. */
  backupKey(input: BackupKeyRequest): Promise<Uint8Array>;
  storeKeys(): Promise<StoreKeys<Key>>;
  /** Makes a key for stored messages that disappear up to a time; false, and none, where there are {@link MAX_DAY_KEYS}. */
  makeDayKey(input: { readonly until: number }): Promise<boolean>;
  /** Nothing lies under these day keys any more: what a disk still holds of what did opens no more. */
  dropDayKeys(input: { readonly ids: readonly string[] }): Promise<void>;
  /**
   * Stores the number of a write of the local store that is durable, if it is the greatest so far; 0 stores nothing. Resolves with the
   * greatest, and with the generation of the vault.
   */
  storeCheckpoint(input: { readonly counter: number }): Promise<{ readonly counter: number; readonly generation: number }>;
  /** Nothing of the local store lies under former keys any more, so they go; of no effect unless `formerDataKeys` is the keyring's. */
  dropFormerKeys(input: { readonly formerDataKeys: number }): Promise<void>;
}
