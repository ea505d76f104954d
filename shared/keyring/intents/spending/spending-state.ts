// What the keyring stores of spending rules, in the sealed device section of the vault: compare-and-set, durable before anything is signed.
import type { TypeOf } from "#shared/codec/codec.ts";
import { list, nullable, record } from "#shared/codec/composites.ts";
import { map, omissible } from "#shared/codec/maps.ts";
import { boolean, bytes, hex, integer, textUpTo } from "#shared/codec/scalars.ts";
import { TX_ID_SALT_BYTES } from "#shared/protocol/transactions/transaction-id.ts";
import { MAX_ALLOWED_KEYS, MAX_DELAY_MS, MIN_DELAY_MS, NO_RULES } from "./spending-rules.ts";

/** Hours of which the spending is stored: those that count, and the one that has begun. */
export const MAX_SPENT_HOURS = 26;
/** Keys that were paid under the rules, the newest first; older ones are first-time recipients again. */
export const MAX_PAID_KEYS = 256;
/** Channels whose deposit was counted. */
export const MAX_COUNTED_CHANNELS = 32;
/** Transactions of programs that are not counted twice when they are signed again. */
export const MAX_COUNTED_IDS = 64;
/** Payments that wait. */
export const MAX_WAITING = 8;
/** An intent that waits, bytes of JSON: a contract call with longer arguments is refused instead. */
export const MAX_WAITING_BYTES = 1_024;
/** A key of a request that a waiting payment answers, and an id of a transaction, characters. */
export const MAX_WAITING_KEY = 64;
/** Bytes of the note that goes with such a payment, as that of a receipt (`MAX_NOTE_BYTES`). */
export const MAX_WAITING_NOTE_BYTES = 256;
/** Bytes by which keys and transactions are remembered. */
export const SHORT_BYTES = 16;

const amount = integer();

const rulesCodec = record({
  dailyUt: nullable(amount),
  delay: nullable(record({ delayMs: integer(MIN_DELAY_MS, MAX_DELAY_MS), aboveUt: nullable(amount), firstTime: boolean })),
  only: nullable(list(hex(32), MAX_ALLOWED_KEYS)),
});

const waitingCodec = record({
  id: hex(8),
  chainId: textUpTo(128),
  /** JSON. */
  intent: textUpTo(MAX_WAITING_BYTES),
  leastFeeUt: nullable(amount),
  readyMs: integer(),
  /** Once it was signed: signing again gives the same transaction. */
  signed: nullable(record({ salt: bytes(TX_ID_SALT_BYTES), timestampMs: integer() })),
});

/** What a payment that waits is for, in a chat. */
const chatCodec = record({
  /** Of the payment. */
  id: hex(8),
  request: nullable(textUpTo(MAX_WAITING_KEY)),
  after: nullable(textUpTo(MAX_WAITING_KEY)),
  note: textUpTo(MAX_WAITING_NOTE_BYTES),
});

/** A payment that waits. Times are those of `spending-time.ts`. */
export type StoredPayment = TypeOf<typeof waitingCodec>;
export type StoredChat = TypeOf<typeof chatCodec>;

/** The stored state. */
export const spendingCodec = map({
  rules: rulesCodec,
  /** Looser rules, and from when on they hold. */
  loosened: omissible(record({ rules: rulesCodec, fromMs: integer() })),
  time: record({ passedMs: integer(), blockMs: nullable(integer()), clockMs: integer() }),
  spent: list(record({ hour: integer(), amountUt: amount }), MAX_SPENT_HOURS),
  paid: list(hex(SHORT_BYTES), MAX_PAID_KEYS),
  channels: list(record({ id: hex(16), coveredUt: amount }), MAX_COUNTED_CHANNELS),
  counted: list(hex(SHORT_BYTES), MAX_COUNTED_IDS),
  waiting: list(waitingCodec, MAX_WAITING),
  /** Of those that wait, what chats have to know. */
  chats: omissible(list(chatCodec, MAX_WAITING)),
});

export type SpendingState = TypeOf<typeof spendingCodec>;

/** Before the first rule. */
export function firstState(clockMs: number): SpendingState {
  const nothing = { spent: [], paid: [], channels: [], counted: [], waiting: [] };
  return { rules: NO_RULES, time: { passedMs: 0, blockMs: null, clockMs }, ...nothing };
}
