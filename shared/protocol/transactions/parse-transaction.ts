// Untrusted JSON → normalised transaction: shape and sizes only. Signature, id and rules are checked after it.
import { CodedError } from "#shared/errors/coded-error.ts";
import { isHex, tryFromBase64 } from "#shared/util/bytes.ts";
import { isAmount } from "../primitives/amount.ts";
import { MAX_PAYLOAD_BYTES, MAX_TX_ID_CHARS } from "../primitives/limits.ts";
import { parseTimestamp } from "../primitives/timestamp.ts";
import type { Transaction } from "./transaction.ts";
import { isTransactionType } from "./transaction-encoding.ts";
import { isTransactionId, REWARD_ID_PREFIX, transactionId, ZERO_SALT } from "./transaction-id.ts";

/** Result of {@link parseTransaction}. */
export interface ParsedTransaction {
  readonly tx: Transaction;
  /** Top-level memo as sent, undefined when there was none. It is not signed and never kept. */
  readonly memo: string | undefined;
}

/**
 * Shape check and normalisation of a submitted transaction: hex to lower case, defaults filled in; one without id gets the
 * self-certifying id of the zero salt.
 * @throws CodedError TX_MALFORMED (a message that names the field; `signature` and `timestamp` are named so), TX_TIMESTAMP, TX_SIGNATURE.
 */
export function parseTransaction(value: unknown, chainId: string): ParsedTransaction {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("transaction", "is a JSON object");
  const raw = value as Record<string, unknown>;
  const type = raw.type;
  if (!isTransactionType(type))
    throw malformed(
      "type",
      typeof type === "string" ? `is not a known transaction type: ${type.slice(0, 40)}` : "is the name of a transaction type",
    );
  const tx: Transaction = {
    id: idField(raw.id),
    type,
    from: fromField(raw.from),
    to: toField(raw.to),
    amount: amountField(raw, "amount"),
    fee: amountField(raw, "fee"),
    payload: payloadField(raw.payload),
    timestamp: timestampField(raw.timestamp),
    signature: signatureField(raw.signature),
  };
  const memo = raw.memo;
  if (memo !== undefined && memo !== null && typeof memo !== "string") throw malformed("memo", "is a text");
  return { tx: tx.id === "" ? { ...tx, id: transactionId(chainId, ZERO_SALT, tx) } : tx, memo: memo ?? undefined };
}

function idField(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (typeof value !== "string" || !isTransactionId(value))
    throw malformed("id", `is 1–${MAX_TX_ID_CHARS} characters of A–Z a–z 0–9 . _ : - and does not begin with ${REWARD_ID_PREFIX}`);
  return value;
}

function fromField(value: unknown): string {
  if (!isHex(value, 32)) throw malformed("from", "is the signer's Ed25519 key, 64 hex characters");
  return value.toLowerCase();
}

function toField(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (!isHex(value, 32)) throw malformed("to", "is an Ed25519 key of 64 hex characters, or empty");
  return value.toLowerCase();
}

function amountField(raw: Readonly<Record<string, unknown>>, name: "amount" | "fee"): number {
  const value = raw[name] ?? 0;
  if (!isAmount(value)) throw malformed(name, "is an integer of µT between 0 and 2^53 − 1");
  return value;
}

function payloadField(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  const bytes = typeof value === "string" ? tryFromBase64(value) : undefined;
  if (typeof value !== "string" || bytes === undefined) throw malformed("payload", "is standard base64 of a JSON object");
  if (bytes.length > MAX_PAYLOAD_BYTES) throw malformed("payload", `is larger than ${MAX_PAYLOAD_BYTES} bytes`);
  return value;
}

function timestampField(value: unknown): string {
  if (typeof value !== "string" || parseTimestamp(value) === undefined)
    throw new CodedError("TX_TIMESTAMP", "timestamp is required as YYYY-MM-DDThh:mm:ssZ (UTC, whole seconds)");
  return value;
}

function signatureField(value: unknown): string {
  if (typeof value === "string" && tryFromBase64(value)?.length === 64) return value;
  throw new CodedError("TX_SIGNATURE", "signature is required as base64 of 64 bytes");
}

function malformed(field: string, rule: string): CodedError {
  return new CodedError("TX_MALFORMED", `${field} ${rule}`, { details: { field } });
}
