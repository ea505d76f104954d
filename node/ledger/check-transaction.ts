// What can be said about a transaction without the state: shape by type, fee, id, keys, signature, time. Mempool, API and
// execution use the same functions, so that none admits what another refuses.
import type { ErrorCode } from "#shared/errors/codes.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import { DEFAULT_PAYLOAD_BYTES, MIN_FEE_UT, TX_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { isAcceptablePublicKey, type VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { parseTimestamp } from "#shared/protocol/primitives/timestamp.ts";
import { minimumFeeUt } from "#shared/protocol/transactions/minimum-fee.ts";
import { decodePayload, type PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction, TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { isIdAuthentic, signedBytes } from "#shared/protocol/transactions/transaction-id.ts";
import { base64Length, fromBase64, fromHex } from "#shared/util/bytes.ts";
import { readPayload } from "./transactions/payload-fields.ts";
import { ruleOf } from "./transactions/rules.ts";
import type { SignatureInput, TransactionRule } from "./transactions/transaction-rule.ts";

/** Why a transaction is refused. The message is for people and names the field. */
export interface TransactionProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A transaction's rule and payload, or why it fits no rule. */
export type Interpretation =
  | {
      readonly isOk: true;
      readonly rule: TransactionRule<TransactionType>;
      readonly payload: PayloadOf<TransactionType>;
      /** Version of the network from which on blocks hold it, for its type or a field that it names. */
      readonly sinceVersion: number;
    }
  | { readonly isOk: false; readonly problem: TransactionProblem };

/** What {@link checkTransaction} is given besides the transaction. */
export interface CheckOptions extends UnsignedCheckOptions {
  readonly verify: VerifySignature;
  /** True for a transaction whose own signature `verify` has found valid: this object, not one that looks like it. */
  readonly isSigned?: (tx: Transaction) => boolean;
}

/** What {@link checkUnsigned} is given besides the transaction. */
export interface UnsignedCheckOptions {
  readonly chainId: string;
  /** {@link isAcceptablePublicKey} or a cached form of it. */
  readonly isAcceptableKey?: (publicKey: PublicKeyHex) => boolean;
  /** SHA-256 by a faster way than the portable one. */
  readonly hash?: Sha256;
  /** Smallest fee of the height; that of a network that never changed by default. */
  readonly minFeeUt?: AmountUt;
}

/** The complete stateless check, signature included. Undefined when there is nothing to say against the transaction. */
export function checkTransaction(tx: Transaction, options: CheckOptions): TransactionProblem | undefined {
  const problem = checkUnsigned(tx, options);
  if (problem !== undefined) return problem;
  const isVerified = ({ signature, message, publicKey }: SignatureInput): boolean => options.verify(signature, message, publicKey);
  if (options.isSigned?.(tx) !== true && !isVerified(signatureInput(tx))) return signatureProblem();
  return payloadSignatures(tx, options.chainId).every(isVerified) ? undefined : payloadSignatureProblem();
}

/** Everything of the stateless check but the signatures, for callers that verify them in bulk. */
export function checkUnsigned(tx: Transaction, options: UnsignedCheckOptions): TransactionProblem | undefined {
  return checkForm(tx, options) ?? checkKeys(tx, options.isAcceptableKey);
}

/** The part of the stateless check that needs no curve: shape, fee and id. */
export function checkForm(
  tx: Transaction,
  { chainId, hash, minFeeUt = MIN_FEE_UT }: Pick<CheckOptions, "chainId" | "hash" | "minFeeUt">,
): TransactionProblem | undefined {
  const interpretation = interpretTransaction(tx);
  if (!interpretation.isOk) return interpretation.problem;
  const problem = feeProblem(tx, minFeeUt);
  if (problem !== undefined) return problem;
  if (!isIdAuthentic(chainId, tx, hash))
    return { code: "TX_ID_MISMATCH", message: `id ${tx.id} begins with tx1 but is not the hash of this transaction on chain ${chainId}` };
  return undefined;
}

/** Keys that a transaction of good form names: sender, recipient and those in its payload. */
export function keysOf(tx: Transaction): readonly PublicKeyHex[] {
  return [tx.from, ...(tx.to === "" ? [] : [tx.to]), ...payloadKeys(tx)];
}

/** The refusal of a transaction of good form with a key that is no usable one. */
export function checkKeys(
  tx: Transaction,
  isAcceptableKey: (publicKey: PublicKeyHex) => boolean = isAcceptablePublicKey,
): TransactionProblem | undefined {
  if (!isAcceptableKey(tx.from)) return malformed("from is not a usable Ed25519 public key");
  if (tx.to !== "" && !isAcceptableKey(tx.to)) return malformed("to is not a usable Ed25519 public key: what is sent there is lost");
  const unusable = payloadKeys(tx).find((key) => !isAcceptableKey(key));
  return unusable === undefined ? undefined : malformed(`payload: ${unusable} is not a usable Ed25519 public key`);
}

function payloadKeys(tx: Transaction): readonly PublicKeyHex[] {
  if (ruleOf(tx.type).keys === undefined) return [];
  const interpretation = interpretTransaction(tx);
  return interpretation.isOk ? (interpretation.rule.keys?.(interpretation.payload) ?? []) : [];
}

/** What a verifier needs to know of a transaction. */
export function signatureInput(tx: Transaction): SignatureInput {
  return { signature: fromBase64(tx.signature), message: signedBytes(tx), publicKey: fromHex(tx.from) };
}

/** The signatures inside the payload, which must verify too. */
export function payloadSignatures(tx: Transaction, chainId: string): readonly SignatureInput[] {
  if (ruleOf(tx.type).signatures === undefined) return [];
  const interpretation = interpretTransaction(tx);
  return interpretation.isOk ? (interpretation.rule.signatures?.(tx, interpretation.payload, chainId) ?? []) : [];
}

/** The refusal of a transaction that carries a signature which does not verify. */
export function payloadSignatureProblem(): TransactionProblem {
  return { code: "TX_SIGNATURE", message: "A signature inside the payload does not verify for its key, purpose and network" };
}

/** The refusal of a transaction whose signature does not verify. */
export function signatureProblem(): TransactionProblem {
  return {
    code: "TX_SIGNATURE",
    message: "The signature is not one of the from key over the transaction's canonical bytes, in which keys are in lower case",
  };
}

/** The rule that a timestamp lies within one hour of a time: time − 1 h < timestamp ≤ time + 1 h. */
export function checkTimeWindow(tx: Pick<Transaction, "timestamp">, timeMs: number): TransactionProblem | undefined {
  const timestampMs = parseTimestamp(tx.timestamp);
  if (timestampMs !== undefined && isInTimeWindow(timestampMs, timeMs)) return undefined;
  return { code: "TX_TIMESTAMP", message: `The timestamp ${tx.timestamp} is not within one hour of the network's time` };
}

/** True when timeMs − 1 h < timestampMs ≤ timeMs + 1 h. */
export function isInTimeWindow(timestampMs: number, timeMs: number): boolean {
  return timestampMs > timeMs - TX_WINDOW_MS && timestampMs <= timeMs + TX_WINDOW_MS;
}

/** Admission, pool and block each read the same transaction, which never changes once it is made. */
const interpretations = new WeakMap<Transaction, Interpretation>();

/** Reads a transaction by the rule of its type: recipient, amount and payload. The same object gets the same result. */
export function interpretTransaction(tx: Transaction): Interpretation {
  const known = interpretations.get(tx);
  if (known !== undefined) return known;
  const interpretation = interpret(tx);
  interpretations.set(tx, interpretation);
  return interpretation;
}

function interpret(tx: Transaction): Interpretation {
  const rule = ruleOf(tx.type);
  const maxBytes = rule.maxPayloadBytes ?? DEFAULT_PAYLOAD_BYTES;
  if (base64Length(tx.payload) > maxBytes) return refused(`payload of a ${tx.type} is at most ${maxBytes} bytes`);
  const problem = recipientProblem(tx, rule) ?? amountProblem(tx, rule);
  if (problem !== undefined) return { isOk: false, problem };
  const raw = decodePayload(tx.payload);
  if (raw === undefined) return refused("payload is base64 of a JSON object without repeated keys");
  const reading = readPayload<PayloadOf<TransactionType>>(raw, rule.fields);
  if (!reading.isOk) return refused(reading.problem);
  return { isOk: true, rule, payload: reading.payload, sinceVersion: sinceVersionOf(rule, raw) };
}

/** Of a field that is there, whatever its value: programs from before it know no such field. */
function sinceVersionOf({ sinceVersion = 0, fieldVersions }: TransactionRule<TransactionType>, raw: object): number {
  if (fieldVersions === undefined) return sinceVersion;
  const versions = Object.entries<number>(fieldVersions).filter(([name]) => Object.hasOwn(raw, name));
  return Math.max(sinceVersion, ...versions.map(([, version]) => version));
}

/** The refusal of a fee below the smallest of the height, which some types may leave out. */
export function feeProblem(tx: Transaction, minFeeUt: AmountUt): TransactionProblem | undefined {
  const leastUt = minimumFeeUt(tx.payload, minFeeUt);
  if (tx.fee >= leastUt || (tx.fee === 0 && ruleOf(tx.type).isFeeWaived !== undefined)) return undefined;
  const size = leastUt > minFeeUt ? ` with a payload of ${base64Length(tx.payload)} bytes` : "";
  return { code: "TX_FEE_TOO_LOW", message: `fee is ${tx.fee} µT and must be at least ${leastUt} µT${size}` };
}

function recipientProblem(tx: Transaction, rule: TransactionRule<TransactionType>): TransactionProblem | undefined {
  if (rule.recipient === "none") return tx.to === "" ? undefined : malformed(`to must be empty in a ${tx.type}`);
  if (tx.to === "") return malformed(`to is required in a ${tx.type}`);
  return rule.recipient === "another" && tx.to === tx.from ? malformed(`to must be another key than from in a ${tx.type}`) : undefined;
}

function amountProblem(tx: Transaction, rule: TransactionRule<TransactionType>): TransactionProblem | undefined {
  if (rule.minimumAmountUt === "none") return tx.amount === 0 ? undefined : malformed(`amount must be 0 in a ${tx.type}`);
  return tx.amount >= rule.minimumAmountUt ? undefined : malformed(`amount must be at least ${rule.minimumAmountUt} µT in a ${tx.type}`);
}

function refused(message: string): Interpretation {
  return { isOk: false, problem: malformed(message) };
}

function malformed(message: string): TransactionProblem {
  return { code: "TX_MALFORMED", message };
}
