// From what a program ordered to what is judged: the scope that it falls under, the intent, and everything it can cost.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { IntentSigner } from "#shared/keyring/intents/intent-checks.ts";
import { draftOfIntent, summarizeIntent } from "#shared/keyring/intents/intent-transaction.ts";
import type { CallContractIntent, IntentSummary, PayIntent } from "#shared/keyring/intents/intents.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { buildTransaction, type TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import { gasPriceUt } from "#shared/protocol/transactions/contracts.ts";
import type { TransactionType, UnsignedTransaction } from "#shared/protocol/transactions/transaction.ts";
import { TX_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import type { CallOrder, PaymentOrder } from "../messages/orders.ts";
import { findCallScope, findScope, type SpendingScope } from "../scopes/scopes.ts";
import type { AppConnection } from "../storage/app-connection.ts";
import type { OrderRecord } from "../storage/app-ledger.ts";

/** Bytes of the hashes by which keys and bodies are remembered. */
const HASH_BYTES = 16;
const CERTIFIED_ID = /^tx1([0-9a-f]{80})$/;

/** An order with what it falls under. */
export interface JudgedOrder {
  readonly connection: AppConnection;
  readonly scope: SpendingScope;
  readonly intent: PayIntent | CallContractIntent;
  readonly summary: IntentSummary;
  /** Recipient's key, or `contract.method`. */
  readonly subject: string;
  /** Amount, fee and most gas: what limits are held to. */
  readonly totalUt: AmountUt;
  readonly spendableUt: AmountUt;
  readonly keyHash: string;
  readonly bodyHash: string;
  readonly notAfterMs: number;
}

/** An order before the scope of its connection is known to allow it. */
export interface OrderIdentity {
  readonly keyHash: string;
  readonly bodyHash: string;
}

/** What a key and body are remembered by. A name is part of the body as it was written, even if it is another's later. */
export function identifyOrder(connection: AppConnection, order: PaymentOrder | CallOrder): OrderIdentity {
  const body =
    "recipient" in order
      ? ["pay", order.recipient, order.amountUt, order.memo ?? "", order.notAfterMs]
      : ["call", order.contract, order.method, order.argsJson, order.amountUt, order.gasLimit, order.notAfterMs];
  return { keyHash: hashKey(connection, order.idempotencyKey), bodyHash: hashText(JSON.stringify(body)) };
}

/** What an idempotency key of a connection is remembered by. */
export function hashKey(connection: AppConnection, idempotencyKey: string): string {
  return hashText(`${connection.id} ${idempotencyKey}`);
}

/** Hex of the first bytes of a text's hash. */
export function hashText(text: string): string {
  return toHex(sha256(utf8(text)).subarray(0, HASH_BYTES));
}

/** @throws CodedError APP_SCOPE where no scope allows it at all, BAD_REQUEST naming the field. */
export function judgeOrder(connection: AppConnection, order: PaymentOrder | CallOrder, signer: IntentSigner): JudgedOrder {
  const scope = "recipient" in order ? scopeOfPayment(connection, order) : scopeOfCall(connection, order);
  const plain = intentOf(order);
  const summary = summarizeIntent(plain, signer, order.leastFeeUt);
  const intent = { ...plain, feeUt: summary.feeUt };
  const { spendableUt, notAfterMs } = order;
  const subject = "recipient" in order ? recipientOf(order) : `${order.contract}.${order.method}`;
  return {
    connection,
    scope,
    intent,
    summary,
    subject,
    totalUt: summary.totalUt,
    spendableUt,
    notAfterMs,
    ...identifyOrder(connection, order),
  };
}

/** What an order is signed as. */
function intentOf(order: PaymentOrder | CallOrder, to?: string): PayIntent | CallContractIntent {
  if ("recipient" in order) {
    const { amountUt, memo } = order;
    return { kind: "pay", to: to ?? recipientOf(order), amountUt, ...(memo !== undefined && { memo }) };
  }
  const { contract: contractId, method, argsJson, amountUt, gasLimit } = order;
  return { kind: "callContract", contractId, method, argsJson, amountUt, gasLimit };
}

/** A known order's intent again, with the fee that was reserved for it: the network's smallest may be another by now. */
export function reservedIntent(
  order: PaymentOrder | CallOrder,
  { action, subject, amountUt: totalUt }: OrderRecord,
): JudgedOrder["intent"] {
  const intent = intentOf(order, action === "pay" ? subject : undefined);
  const gasUt = intent.kind === "pay" ? 0 : gasPriceUt(intent.gasLimit);
  return { ...intent, feeUt: totalUt - intent.amountUt - gasUt };
}

/** What is signed: the same for the same intent, salt and time. */
export interface SigningPlan {
  readonly chainId: string;
  readonly salt: Uint8Array;
  readonly timestampMs: number;
}

/** The transaction that signing will give. */
export function planTransaction(
  intent: JudgedOrder["intent"],
  signer: IntentSigner,
  { chainId, salt, timestampMs }: SigningPlan,
): UnsignedTransaction {
  const draft = draftOfIntent(intent, signer) as TransactionDraft<TransactionType>;
  return buildTransaction(draft, { chainId, nowMs: timestampMs, random: () => salt });
}

/** Hex of salt and digest of an id, or undefined for one that the keyring does not make. */
export function saltAndDigest(id: string): string | undefined {
  return CERTIFIED_ID.exec(id)?.[1];
}

/** The id of salt and digest in hex. */
export function idOfTransaction(saltAndDigestHex: string): string {
  return `${TX_ID_PREFIX}${saltAndDigestHex}`;
}

function scopeOfPayment(connection: AppConnection, order: PaymentOrder): SpendingScope {
  const scope = findScope(connection.scopes, "pay");
  if (scope === undefined) throw outside("This connection may not pay");
  if (scope.to !== "any" && !scope.to.includes(recipientOf(order))) throw outside("This connection may not pay this recipient");
  return scope;
}

function recipientOf({ recipient, to }: PaymentOrder): PublicKeyHex {
  if (to === null) throw new CodedError("NOT_FOUND", `No account has the name ${recipient}`);
  return to;
}

function scopeOfCall(connection: AppConnection, { contract, method }: CallOrder): SpendingScope {
  const scope = findCallScope(connection.scopes, contract);
  if (scope === undefined) throw outside("This connection may not call this contract");
  if (!scope.methods.includes(method)) throw outside("This connection may not call this method");
  return scope;
}

function outside(message: string): CodedError {
  return new CodedError("APP_SCOPE", message);
}
