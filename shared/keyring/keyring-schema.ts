// Shapes of what comes over the port. The other end is not trusted: nothing reaches the keyring unchecked.
import { MAX_ENTRY_BYTES } from "#shared/protocol/groups/group-bounds.ts";
import { CARD_KEY_BYTES, X_WING_PUBLIC_BYTES } from "#shared/protocol/pairs/pair-bytes.ts";
import { MAX_ABI_BYTES, MAX_ARGUMENTS_BYTES, MAX_ENVELOPE_BYTES, MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { MAX_ALLOWED_KEYS, MAX_DELAY_MS, MIN_DELAY_MS } from "./intents/spending/spending-rules.ts";
import { MAX_WAITING_KEY, MAX_WAITING_NOTE_BYTES } from "./intents/spending/spending-state.ts";
import type { KeyringApi } from "./keyring-api.ts";
import { bytes, exactly, flag, listOf, matching, nothing, nullable, oneKindOf, optional, type Shape, text, whole } from "./shapes.ts";
import { MAX_DAY_KEYS } from "./vault/vault-format.ts";

const Password = text(1_024);
const Phrase = text(1_024);
const Key = matching(/^[0-9a-fA-F]{64}$/);
const Signature = matching(/^[0-9a-fA-F]{128}$/);
const ChannelId = matching(/^[0-9a-fA-F]{32}$/);
const ChainId = text(128, 1);
const Amount = whole(0);
const Fee = optional(Amount);
const Text = text(4_096);
const Idle = nullable(whole(1_000));
const Bytes = bytes(MAX_ENVELOPE_BYTES);
/** An instance of a pair, and an id of a card. */
const Handle = matching(/^[0-9a-f]{16}$/);
const Card = exactly({ id: Handle, kem: bytes(X_WING_PUBLIC_BYTES), x: bytes(CARD_KEY_BYTES), psk: bytes(CARD_KEY_BYTES) });
const Generation = whole(0, 2 ** 32 - 1);
const BoxName = exactly({ chainId: ChainId, peer: Key, generation: Generation });
/** So many boxes are named at once. */
const BoxNames = listOf(BoxName, 512);
/** The sealed secret of a card. */
const CardSecret = bytes(512);

const IntentShape = oneKindOf({
  pay: { to: Key, amountUt: Amount, memo: optional(Text), feeUt: Fee },
  registerKey: { nickname: optional(Text), feeUt: Fee },
  linkDevice: { deviceName: Text, devicePub: optional(Key), feeUt: Fee },
  unlinkDevice: { devicePub: Key, feeUt: Fee },
  requestContact: { to: Key, amountUt: Amount, intro: optional(Text), feeUt: Fee },
  acceptContact: { requester: Key, feeUt: Fee },
  blockContact: { requester: Key, feeUt: Fee },
  callContract: {
    contractId: matching(/^[0-9a-fA-F]{16}$/),
    method: text(64),
    argsJson: text(MAX_ARGUMENTS_BYTES),
    amountUt: Amount,
    gasLimit: Amount,
    feeUt: Fee,
  },
  deployContract: {
    wasmB64: text(4 * Math.ceil(MAX_WASM_BYTES / 3)),
    abiJson: text(MAX_ABI_BYTES),
    initArgsJson: optional(text(MAX_ARGUMENTS_BYTES)),
    gasLimit: Amount,
    feeUt: Fee,
  },
  openChannel: { to: Key, amountUt: Amount, channelId: ChannelId, expiresAt: Amount, feeUt: Fee },
  closeChannel: { to: Key, channelId: ChannelId, paidUt: Amount, voucher: optional(text(128)), feeUt: Fee },
  addValidator: { validator: Key, feeUt: Fee },
  removeValidator: { validator: Key, feeUt: Fee },
});

const BlockMs = optional(whole(0));
const WaitingKey = nullable(text(MAX_WAITING_KEY));
const Chat = exactly({ request: WaitingKey, after: WaitingKey, note: text(MAX_WAITING_NOTE_BYTES) });
const HeldId = matching(/^[0-9a-f]{16}$/);
const Rules = exactly({
  dailyUt: nullable(Amount),
  delay: nullable(exactly({ delayMs: whole(MIN_DELAY_MS, MAX_DELAY_MS), aboveUt: nullable(Amount), firstTime: flag })),
  only: nullable(listOf(Key, MAX_ALLOWED_KEYS)),
});

/** Every method of the port with the shape of its argument. */
export const KEYRING_METHODS = {
  status: nothing,
  create: exactly({ password: Password }),
  importPhrase: exactly({ phrase: Phrase, password: Password, replaceDamaged: optional(flag) }),
  beginLink: nothing,
  finishLink: exactly({ masterPub: Key, chainId: ChainId, certificate: Signature, password: Password }),
  certifyDevice: exactly({ devicePub: Key, signingPub: Key, chainId: ChainId, password: Password }),
  addPhrase: exactly({ phrase: Phrase, password: Password }),
  unlock: exactly({ password: Password }),
  keychain: nothing,
  setKeychain: exactly({ password: nullable(Password) }),
  unlockWithKeychain: nothing,
  lockWallet: nothing,
  lock: nothing,
  estimatePassword: exactly({ password: Password, words: optional(listOf(text(256), 16)) }),
  touch: nothing,
  autoLock: nothing,
  setAutoLock: exactly({ walletIdleMs: Idle, fullIdleMs: Idle, password: optional(Password) }),
  phraseQuiz: nothing,
  confirmPhrase: exactly({
    answers: listOf(exactly({ position: whole(1, 24), word: text(64) }), 24),
  }),
  revealPhrase: exactly({ password: Password }),
  changePassword: exactly({ current: Password, next: Password }),
  resetPassword: exactly({ phrase: Phrase, password: Password }),
  summarize: exactly({ intent: IntentShape, leastFeeUt: Fee }),
  sign: exactly({ intent: IntentShape, chainId: ChainId, leastFeeUt: Fee, password: optional(Password), blockMs: BlockMs }),
  spending: exactly({ blockMs: BlockMs }),
  setSpendingRules: exactly({ rules: Rules, blockMs: BlockMs, password: optional(Password) }),
  judgeSpending: exactly({ intent: IntentShape, leastFeeUt: Fee, blockMs: BlockMs }),
  holdPayment: exactly({
    intent: IntentShape,
    chainId: ChainId,
    leastFeeUt: Fee,
    blockMs: BlockMs,
    password: optional(Password),
    chat: optional(Chat),
  }),
  signHeldPayment: exactly({ id: HeldId, blockMs: BlockMs }),
  cancelHeldPayment: exactly({ id: HeldId, isOver: optional(flag) }),
  signVoucher: exactly({ chainId: ChainId, channelId: ChannelId, paidUt: Amount, blockMs: BlockMs }),
  agreeToNode: exactly({ chainId: ChainId, nodePub: Key }),
  seal: exactly({
    requests: listOf(
      exactly({
        plaintext: Bytes,
        recipients: listOf(Key, 64),
        sentAt: Amount,
        hidesSender: optional(flag),
        epochPub: optional(Key),
        pair: optional(
          exactly({
            chainId: ChainId,
            recipientMasterPub: Key,
            card: Card,
            box: optional(exactly({ mailbox: Key, writeSeed: bytes(CARD_KEY_BYTES) })),
            form: optional(whole(2, 4)),
          }),
        ),
      }),
      256,
    ),
  }),
  signedPrekey: exactly({ chainId: ChainId, blockS: optional(whole(0)) }),
  retireEpochs: exactly({ blockS: whole(0) }),
  open: exactly({
    items: listOf(exactly({ sender_pub: Key, nonce: text(64), ciphertext: text(2 * MAX_ENVELOPE_BYTES), box: optional(BoxName) }), 1_000),
  }),
  drawCards: exactly({ chainId: ChainId, cards: listOf(exactly({ instance: Handle, id: Handle }), 64) }),
  openPairs: exactly({
    chainId: ChainId,
    items: listOf(
      exactly({
        pair: bytes(MAX_ENVELOPE_BYTES),
        secret: CardSecret,
        sender: exactly({ masterPub: Key, devicePub: Key }),
        mailbox: optional(Key),
      }),
      1_000,
    ),
  }),
  drawPublicCard: exactly({ chainId: ChainId, instance: Handle, number: whole(0, 2 ** 32 - 1), height: whole(0) }),
  openPublic: exactly({
    chainId: ChainId,
    items: listOf(exactly({ pair: bytes(MAX_ENVELOPE_BYTES), secret: CardSecret }), 1_000),
  }),
  renewCardKey: nothing,
  resealCards: exactly({ secrets: listOf(CardSecret, 1_000) }),
  dropFormerCardKey: nothing,
  authenticateWebSocket: exactly({ chainId: ChainId, nonce: text(256, 16) }),
  ownBoxes: exactly({ boxes: BoxNames }),
  signOpenings: exactly({ boxes: BoxNames, isClosing: optional(flag), untilSec: whole(0), height: whole(0) }),
  signDeletion: exactly({ chainId: ChainId, ids: listOf(text(128, 1), 256), height: whole(0), box: optional(BoxName) }),
  signGroupEntry: exactly({ chainId: ChainId, entry: bytes(MAX_ENTRY_BYTES) }),
  inboxProof: exactly({ method: matching(/^[A-Z]{1,16}$/), path: matching(/^\/[!-~]{0,512}$/), relayPub: Key }),
  backupKey: exactly({
    password: Password,
    salt: Bytes,
    memoryKib: whole(8, 1_048_576),
    iterations: whole(1, 16),
    parallelism: whole(1, 16),
  }),
  storeKeys: nothing,
  makeDayKey: exactly({ until: whole(0) }),
  dropDayKeys: exactly({ ids: listOf(Handle, MAX_DAY_KEYS) }),
  storeCheckpoint: exactly({ counter: whole(0) }),
  dropFormerKeys: exactly({ formerDataKeys: whole(1) }),
} as const satisfies Record<keyof KeyringApi<unknown>, Shape>;
