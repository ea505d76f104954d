// Shapes of what comes over the two ports. The ends are not trusted: nothing reaches the keyring unchecked, and a method that is not in
// the table of a port does not exist there.
import { exactly, flag, listOf, matching, nothing, nullable, optional, type Shape, text, whole } from "#shared/keyring/shapes.ts";
import { MAX_ARGUMENTS_BYTES, MAX_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import { isTransactionType } from "#shared/protocol/transactions/transaction-encoding.ts";
import {
  MAX_CHOSEN,
  MAX_CONNECTION_DAYS,
  MAX_HISTORY_PAGE,
  MAX_JOURNAL_PAGE,
  MAX_KEY_CHARS,
  MAX_RECIPIENTS,
  MAX_SCOPE_CHARS,
  MAX_SCOPES,
  MIN_KEY_CHARS,
} from "../app-limits.ts";
import type { ApprovalApi, WatchApi } from "./approval-api.ts";
import type { AppsApi } from "./apps-api.ts";
import { Conversation } from "./messages-api.ts";

const Key = matching(/^[0-9a-f]{64}$/);
const TxId = text(128, 1);
const Amount = whole(0);
const Time = whole(0);
const Token = text(128);
const Id = text(64, 1);
const IdempotencyKey: Shape = (value) =>
  typeof value === "string" && value.length >= MIN_KEY_CHARS && value.length <= MAX_KEY_CHARS && /^[!-~]+$/.test(value);
const Scopes = listOf(text(MAX_SCOPE_CHARS, 1), MAX_SCOPES);
const Names = listOf(exactly({ name: matching(/^@[a-z0-9._-]{1,64}$/), key: Key }), MAX_SCOPES * MAX_RECIPIENTS);
const Order = { token: Token, idempotencyKey: IdempotencyKey, notAfterMs: Time, spendableUt: Amount, leastFeeUt: optional(Amount) };
const Type: Shape = (value) => typeof value === "string" && isTransactionType(value);
const Outcome = oneOfStates({
  committed: { id: TxId, height: whole(0) },
  failed: { id: TxId, height: whole(0) },
  absent: { id: TxId, height: whole(0), blockTimeMs: Time },
});

/** Methods of the gateway's port. */
export const APPS_METHODS = {
  state: nothing,
  observe: exactly({ chainId: text(128, 1), height: whole(0), blockTimeMs: Time }),
  history: exactly({
    transactions: listOf(exactly({ id: TxId, type: Type, totalUt: Amount, height: whole(0), hasFailed: flag }), MAX_HISTORY_PAGE),
    isComplete: flag,
    isMissing: optional(flag),
  }),
  openRequest: exactly({ name: text(256), reason: text(1_024), grant: Scopes, names: Names }),
  fetchRequest: exactly({ id: Id, secret: text(128) }),
  authenticate: exactly({ token: Token }),
  rotateToken: exactly({ token: Token }),
  endConnection: exactly({ token: Token }),
  pay: exactly({ ...Order, recipient: text(128, 1), to: nullable(Key), amountUt: Amount, memo: optional(text(256)) }),
  call: exactly({
    ...Order,
    contract: matching(/^[0-9a-f]{16}$/),
    method: text(64, 1),
    argsJson: text(MAX_ARGUMENTS_BYTES),
    amountUt: Amount,
    gasLimit: whole(1, MAX_GAS_LIMIT),
  }),
  orderMessage: exactly({
    token: Token,
    idempotencyKey: IdempotencyKey,
    notAfterMs: Time,
    to: nullable(Conversation),
    bodyHash: matching(/^[0-9a-f]{32}$/),
  }),
  settleMessage: exactly({ token: Token, idempotencyKey: IdempotencyKey, isSent: flag }),
  noteWaiting: exactly({ token: Token }),
  findOrder: exactly({ token: Token, idempotencyKey: IdempotencyKey }),
  pendingOrders: nothing,
  settle: exactly({ outcomes: listOf(Outcome, MAX_HISTORY_PAGE) }),
  paidOrders: exactly({ after: whole(0) }),
  checkSubmission: exactly({ token: Token, from: Key }),
  createInvoice: exactly({ token: Token, idempotencyKey: IdempotencyKey, amountUt: whole(1), expiresAtMs: Time }),
  listInvoices: exactly({ token: Token }),
  readJournal: exactly({ token: Token, after: whole(0), limit: whole(1, MAX_JOURNAL_PAGE) }),
} as const satisfies Record<keyof AppsApi, Shape>;

/** Methods of the approval window's port. */
export const APPROVAL_METHODS = {
  overview: nothing,
  grant: exactly({
    id: Id,
    code: text(16),
    grant: Scopes,
    chosen: listOf(matching(/^[0-9a-f]{32,64}$/), MAX_CHOSEN),
    days: whole(1, MAX_CONNECTION_DAYS),
    password: optional(text(1_024)),
  }),
  refuseRequest: exactly({ id: Id }),
  approve: exactly({ id: Id }),
  refuse: exactly({ id: Id }),
  end: exactly({ connection: Id }),
  confirm: exactly({ connection: Id, password: text(1_024) }),
  log: exactly({ before: optional(whole(1)), limit: whole(1, MAX_JOURNAL_PAGE) }),
} as const satisfies Record<keyof ApprovalApi, Shape>;

/** Methods of the shell's own port. */
export const WATCH_METHODS = {
  overview: APPROVAL_METHODS.overview,
  end: APPROVAL_METHODS.end,
  log: APPROVAL_METHODS.log,
  dismiss: nothing,
} as const satisfies Record<keyof WatchApi, Shape>;

function oneOfStates(states: Readonly<Record<string, Readonly<Record<string, Shape>>>>): Shape {
  const shapes = Object.entries(states).map(([state, fields]) => exactly({ state: (value) => value === state, ...fields }));
  return (value) => shapes.some((shape) => shape(value));
}
