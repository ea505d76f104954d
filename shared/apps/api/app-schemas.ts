// Schemas of requests and responses under `/apps`.
import type { Static } from "typebox";
import * as Type from "typebox";
import {
  AmountUt,
  Height,
  nullable,
  oneOf,
  PublicKey,
  TransactionTypeName,
  UnixSeconds,
  WalletAddress,
} from "#shared/api/schemas/primitives.ts";
import { MAX_ARGUMENTS_BYTES, MAX_GAS_LIMIT, MAX_MEMO_BYTES } from "#shared/protocol/primitives/limits.ts";
import { TRANSACTION_TYPES } from "#shared/protocol/transactions/transaction.ts";
import { MAX_APP_NAME_CHARS, MAX_KEY_CHARS, MAX_REASON_CHARS, MAX_SCOPE_CHARS, MAX_SCOPES, MIN_KEY_CHARS } from "../app-limits.ts";
import { ORDER_STATES } from "../messages/orders.ts";

const STRICT = { additionalProperties: false } as const;

export const ScopeText = Type.String({ title: "Scope", maxLength: MAX_SCOPE_CHARS, description: "pay:each=2T,total=10T/day,to=@carol" });
const ScopeObject = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
  description: "name and the same keys, with lists as lists",
});
export const Grant = Type.Array(Type.Union([ScopeText, ScopeObject]), { minItems: 1, maxItems: MAX_SCOPES });
export const IdempotencyKey = Type.String({
  title: "IdempotencyKey",
  minLength: MIN_KEY_CHARS,
  maxLength: MAX_KEY_CHARS,
  pattern: "^[!-~]+$",
  description: "Chosen by the program; the same request under the same key happens once",
});
const NotAfter = Type.Integer({ minimum: 0, description: "Seconds since 1970 by the chain's time, at most 24 h ahead; afterwards 410" });

export const AppRequestBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 4 * MAX_APP_NAME_CHARS }),
    reason: Type.String({ maxLength: 2 * MAX_REASON_CHARS }),
    grant: Grant,
  },
  { title: "AppRequestBody", ...STRICT },
);
export const OpenedAppRequest = Type.Object(
  {
    id: Type.String(),
    secret: Type.String({ description: "Fetches the token; sent as Authorization: Bearer" }),
    code: Type.String({ description: "Six digits to show: the person types them" }),
    expires_at: UnixSeconds,
  },
  { title: "OpenedAppRequest" },
);

export const LeftOfScope = Type.Object({ scope: Type.String(), left_ut: AmountUt }, { title: "LeftOfScope" });
export const Me = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scopes: Type.Array(Type.String(), { description: "In their normal form, with addresses in place of names" }),
    left: Type.Array(LeftOfScope),
    created_at: UnixSeconds,
    expires_at: UnixSeconds,
    resting: Type.Boolean({ description: "The person has to confirm the connection first" }),
    chain_id: Type.String(),
    address: nullable(WalletAddress),
    balance_ut: nullable(AmountUt),
  },
  { title: "Me" },
);
export const AppRequestState = Type.Object(
  {
    state: Type.Enum(["waiting", "granted", "refused", "expired", "fetched"]),
    expires_at: Type.Optional(UnixSeconds),
    token: Type.Optional(
      Type.String({ description: "parley_app_…, given once; a connection whose token is not used within ten minutes of the grant ends" }),
    ),
    connection: Type.Optional(Me),
  },
  { title: "AppRequestState" },
);
export const AppToken = Type.Object({ token: Type.String() }, { title: "AppToken" });

export const PaymentBody = Type.Object(
  {
    to: Type.String({ minLength: 1, maxLength: 80, description: "Address, hex key or @name" }),
    amount_ut: AmountUt,
    memo: Type.Optional(Type.String({ maxLength: MAX_MEMO_BYTES, description: "Public" })),
    idempotency_key: IdempotencyKey,
    not_after: NotAfter,
    wait: Type.Optional(Type.Boolean({ description: "While the wallet is locked: 202, for an hour at most" })),
  },
  { title: "PaymentBody", ...STRICT },
);
export const CallBody = Type.Object(
  {
    contract: Type.String({ minLength: 16, maxLength: 16 }),
    method: Type.String({ minLength: 1, maxLength: 64 }),
    args_json: Type.Optional(Type.String({ maxLength: MAX_ARGUMENTS_BYTES, description: "A JSON list" })),
    amount_ut: Type.Optional(AmountUt),
    gas_limit: Type.Integer({ minimum: 1, maximum: MAX_GAS_LIMIT }),
    idempotency_key: IdempotencyKey,
    not_after: NotAfter,
    wait: Type.Optional(Type.Boolean()),
  },
  { title: "CallBody", ...STRICT },
);
export const OrderView = Type.Object(
  {
    id: Type.Optional(Type.String({ description: "Id of the transaction" })),
    state: Type.Enum([...ORDER_STATES, "approval", "waiting"]),
    approval: Type.Optional(Type.Object({ id: Type.String(), expires_at: UnixSeconds })),
    replayed: Type.Boolean({ description: "The key was used before, with the same request" }),
  },
  { title: "OrderView" },
);

export const SubmissionBody = Type.Object(
  {
    transaction: Type.Object(
      {
        id: Type.Optional(Type.String()),
        type: oneOf(TRANSACTION_TYPES),
        from: PublicKey,
        to: Type.Optional(Type.String()),
        amount: Type.Optional(AmountUt),
        fee: Type.Optional(AmountUt),
        payload: Type.Optional(Type.String()),
        timestamp: Type.String(),
        signature: Type.String(),
      },
      { description: "Signed by a key of the program's own" },
    ),
  },
  { title: "SubmissionBody", ...STRICT },
);
export const Submitted = Type.Object({ id: Type.String() }, { title: "Submitted" });

export const InvoiceBody = Type.Object(
  { amount_ut: AmountUt, expires_at: UnixSeconds, idempotency_key: IdempotencyKey },
  { title: "InvoiceBody", ...STRICT },
);
export const Invoice = Type.Object(
  {
    id: Type.String({ description: "inv_ and 16 hex characters: the memo of its payment" }),
    address: WalletAddress,
    amount_ut: AmountUt,
    paid_ut: AmountUt,
    state: Type.Enum(["open", "partial", "paid", "late"]),
    created_at: UnixSeconds,
    expires_at: UnixSeconds,
  },
  { title: "Invoice" },
);
export const InvoiceList = Type.Object({ invoices: Type.Array(Invoice) }, { title: "InvoiceList" });

export const MessageBody = Type.Object(
  {
    to: Type.String({ minLength: 1, maxLength: 80 }),
    text: Type.Optional(Type.String({ maxLength: 16_384 })),
    file: Type.Optional(Type.Object({ name: Type.String({ maxLength: 255 }), base64: Type.String() })),
    reply_to: Type.Optional(Type.String({ maxLength: 128 })),
    idempotency_key: IdempotencyKey,
    not_after: NotAfter,
  },
  { title: "MessageBody", ...STRICT },
);
export const MessageView = Type.Object(
  {
    id: Type.String(),
    from: Type.String({ description: "Hex key of the author; empty for a sender whose identity is not proven" }),
    conversation: Type.String({ description: "Hex key of the person, or group: and the id of the group" }),
    sent_at: UnixSeconds,
    text: Type.Optional(Type.String()),
    file: Type.Optional(Type.Object({ name: Type.String(), size: Type.Integer({ minimum: 0, description: "Bytes" }) })),
    state: Type.Optional(Type.String({ description: "Of one's own: queued, relayed, delivered, read, failed or gone" })),
    replayed: Type.Optional(Type.Boolean({ description: "The key was used before, with the same message" })),
  },
  { title: "MessageView" },
);
export const ContactList = Type.Object(
  { contacts: Type.Array(Type.Object({ pub_key: PublicKey, address: WalletAddress, name: nullable(Type.String()) })) },
  { title: "ContactList" },
);

export const HistoryEntry = Type.Object(
  {
    id: Type.String({ description: "Id of the transaction" }),
    height: Height,
    at: UnixSeconds,
    type: TransactionTypeName,
    from: Type.String(),
    to: Type.String(),
    amount_ut: AmountUt,
    fee_ut: AmountUt,
    memo: Type.String({ description: "Public, and written by its sender" }),
    state: Type.Enum(["committed", "failed"]),
  },
  { title: "HistoryEntry" },
);
export const History = Type.Object(
  {
    entries: Type.Array(HistoryEntry, { description: "Newest first, in whole blocks" }),
    next_before: nullable(Height),
  },
  { title: "History" },
);

export const APP_EVENT_TYPES = [
  "payment.sent",
  "payment.received",
  "invoice.paid",
  "invoice.partial",
  "invoice.late",
  "message",
  "message.gone",
  "approval",
  "connection",
  "gap",
] as const;
export const AppEvent = Type.Object(
  {
    cursor: Type.String({ description: "Also the id of the event in the stream" }),
    type: oneOf(APP_EVENT_TYPES),
    at: UnixSeconds,
    height: Type.Optional(Height),
    /** Of the payment, invoice, message, approval: fetched by it. */
    id: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    from: Type.Optional(Type.String()),
    to: Type.Optional(Type.String()),
  },
  { title: "AppEvent" },
);
export const AckBody = Type.Object({ cursor: Type.String({ maxLength: 512 }) }, { title: "AckBody", ...STRICT });
export const AppErrorBody = Type.Object(
  { error: Type.String(), code: Type.String(), details: Type.Record(Type.String(), Type.Unknown()) },
  { title: "AppError" },
);

export type AppEvent = Static<typeof AppEvent>;
export type AppErrorBody = Static<typeof AppErrorBody>;
