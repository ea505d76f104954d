// Shapes of what comes over the port. The other end is not trusted: nothing reaches the keyring unchecked.
import Type, { type TSchema } from "typebox";
import { MAX_ARGUMENTS_BYTES, MAX_ENVELOPE_BYTES } from "#shared/protocol/limits.ts";
import type { KeyringApi } from "./keyring-api.ts";

const exact = { additionalProperties: false } as const;
const Password = Type.String({ maxLength: 1_024 });
const Phrase = Type.String({ maxLength: 1_024 });
const Key = Type.String({ pattern: "^[0-9a-fA-F]{64}$" });
const Signature = Type.String({ pattern: "^[0-9a-fA-F]{128}$" });
const ChannelId = Type.String({ pattern: "^[0-9a-fA-F]{32}$" });
const ChainId = Type.String({ minLength: 1, maxLength: 128 });
const Amount = Type.Integer({ minimum: 0 });
const Fee = Type.Optional(Amount);
const Text = Type.String({ maxLength: 4_096 });
const Idle = Type.Union([Type.Null(), Type.Integer({ minimum: 1_000 })]);
const Bytes = Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array && value.length <= MAX_ENVELOPE_BYTES);
const list = (items: TSchema, maxItems: number): TSchema => Type.Array(items, { maxItems });

const IntentSchema = Type.Union([
  Type.Object({ kind: Type.Literal("pay"), to: Key, amountUt: Amount, memo: Type.Optional(Text), feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("registerKey"), nickname: Type.Optional(Text), feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("linkDevice"), deviceName: Text, devicePub: Type.Optional(Key), feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("unlinkDevice"), devicePub: Key, feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("requestContact"), to: Key, amountUt: Amount, intro: Type.Optional(Text), feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("acceptContact"), requester: Key, feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("blockContact"), requester: Key, feeUt: Fee }, exact),
  Type.Object(
    {
      kind: Type.Literal("callContract"),
      contractId: Type.String({ pattern: "^[0-9a-fA-F]{16}$" }),
      method: Type.String({ maxLength: 64 }),
      argsJson: Type.String({ maxLength: MAX_ARGUMENTS_BYTES }),
      amountUt: Amount,
      gasLimit: Amount,
      feeUt: Fee,
    },
    exact,
  ),
  Type.Object({ kind: Type.Literal("openChannel"), to: Key, amountUt: Amount, channelId: ChannelId, expiresAt: Amount, feeUt: Fee }, exact),
  Type.Object(
    {
      kind: Type.Literal("closeChannel"),
      to: Key,
      channelId: ChannelId,
      paidUt: Amount,
      voucher: Type.Optional(Type.String({ maxLength: 128 })),
      feeUt: Fee,
    },
    exact,
  ),
  Type.Object({ kind: Type.Literal("addValidator"), validator: Key, feeUt: Fee }, exact),
  Type.Object({ kind: Type.Literal("removeValidator"), validator: Key, feeUt: Fee }, exact),
]);

const Nothing = Type.Undefined();

/** Every method of the port with the shape of its argument. */
export const KEYRING_METHODS = {
  status: Nothing,
  create: Type.Object({ password: Password }, exact),
  importPhrase: Type.Object({ phrase: Phrase, password: Password, replaceDamaged: Type.Optional(Type.Boolean()) }, exact),
  beginLink: Nothing,
  finishLink: Type.Object({ masterPub: Key, chainId: ChainId, certificate: Signature, password: Password }, exact),
  certifyDevice: Type.Object({ devicePub: Key, signingPub: Key, chainId: ChainId, password: Password }, exact),
  addPhrase: Type.Object({ phrase: Phrase, password: Password }, exact),
  unlock: Type.Object({ password: Password }, exact),
  keychain: Nothing,
  setKeychain: Type.Object({ password: Type.Union([Type.Null(), Password]) }, exact),
  unlockWithKeychain: Nothing,
  lockWallet: Nothing,
  lock: Nothing,
  touch: Nothing,
  setAutoLock: Type.Object({ walletIdleMs: Idle, fullIdleMs: Idle }, exact),
  phraseQuiz: Nothing,
  confirmPhrase: Type.Object(
    {
      answers: list(Type.Object({ position: Type.Integer({ minimum: 1, maximum: 24 }), word: Type.String({ maxLength: 64 }) }, exact), 24),
    },
    exact,
  ),
  revealPhrase: Type.Object({ password: Password }, exact),
  changePassword: Type.Object({ current: Password, next: Password }, exact),
  resetPassword: Type.Object({ phrase: Phrase, password: Password }, exact),
  summarize: Type.Object({ intent: IntentSchema }, exact),
  sign: Type.Object({ intent: IntentSchema, chainId: ChainId }, exact),
  signVoucher: Type.Object({ chainId: ChainId, channelId: ChannelId, paidUt: Amount }, exact),
  seal: Type.Object(
    {
      requests: list(
        Type.Object(
          {
            plaintext: Bytes,
            recipients: list(Key, 64),
            sentAt: Amount,
            hidesSender: Type.Optional(Type.Boolean()),
            epochPub: Type.Optional(Key),
          },
          exact,
        ),
        256,
      ),
    },
    exact,
  ),
  epochCard: Type.Object({ chainId: ChainId }, exact),
  retireEpochs: Nothing,
  open: Type.Object(
    {
      items: list(
        Type.Object(
          { sender_pub: Key, nonce: Type.String({ maxLength: 64 }), ciphertext: Type.String({ maxLength: 2 * MAX_ENVELOPE_BYTES }) },
          exact,
        ),
        1_000,
      ),
    },
    exact,
  ),
  authenticateWebSocket: Type.Object({ chainId: ChainId, nonce: Type.String({ minLength: 16, maxLength: 256 }) }, exact),
  inboxProof: Type.Object(
    { method: Type.String({ pattern: "^[A-Z]{1,16}$" }), path: Type.String({ pattern: "^/[!-~]{0,512}$" }), relayPub: Key },
    exact,
  ),
  backupKey: Type.Object(
    {
      password: Password,
      salt: Bytes,
      memoryKib: Type.Integer({ minimum: 8, maximum: 1_048_576 }),
      iterations: Type.Integer({ minimum: 1, maximum: 16 }),
      parallelism: Type.Integer({ minimum: 1, maximum: 16 }),
    },
    exact,
  ),
  storeKeys: Nothing,
} as const satisfies Record<keyof KeyringApi<unknown>, TSchema>;
