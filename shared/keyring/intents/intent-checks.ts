// Checks of what an intent holds. The interface is not trusted to have made them.
import { CodedError } from "#shared/errors/coded-error.ts";
import type { X25519KeyHex } from "#shared/protocol/mail/envelope.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { type AmountUt, isAmount } from "#shared/protocol/primitives/amount.ts";
import { MIN_FEE_UT, MOST_MIN_FEE_UT } from "#shared/protocol/primitives/limits.ts";
import { countCodePoints, isPrintable } from "#shared/protocol/primitives/printable.ts";
import { isAcceptablePublicKey } from "#shared/protocol/primitives/signature.ts";
import { isAcceptableX25519Key } from "#shared/protocol/primitives/x25519-key.ts";
import type { TransactionDraft } from "#shared/protocol/transactions/build-transaction.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import { utf8 } from "#shared/util/bytes.ts";
import type { Intent } from "./intents.ts";

/** Who signs, and with which device. */
export interface IntentSigner {
  readonly masterPub: PublicKeyHex;
  readonly devicePub: X25519KeyHex;
}

export type AnyDraft = { [T in TransactionType]: TransactionDraft<T> }[TransactionType];

/** Fee of an intent that its payload does not raise, µT; the network's smallest by default. Whether it is enough, the network decides. */
export function feeOf(intent: Intent, leastFeeUt: AmountUt = MIN_FEE_UT): AmountUt {
  check(leastFeeUt <= MOST_MIN_FEE_UT, "leastFeeUt", `is at most ${MOST_MIN_FEE_UT} µT`);
  const fee = intent.feeUt ?? leastFeeUt;
  check(isAmount(fee) && fee >= 1, "feeUt", "is a whole number of µT, at least 1");
  return fee;
}

/** A whole number of µT. */
export function amount(value: AmountUt): AmountUt {
  check(isAmount(value), "amountUt", "is a whole number of µT");
  return value;
}

/** A usable key. */
export function recipient(key: PublicKeyHex, field: string): PublicKeyHex {
  const hex = key.toLowerCase();
  check(isAcceptablePublicKey(hex), field, "is 64 hex characters of a usable key");
  return hex;
}

/** A usable key that is not the signer's. */
export function other(key: PublicKeyHex, field: string, signer: IntentSigner): PublicKeyHex {
  const hex = recipient(key, field);
  check(hex !== signer.masterPub, field, "is another person than yourself");
  return hex;
}

/** A usable device key. */
export function device(key: X25519KeyHex): X25519KeyHex {
  check(isAcceptableX25519Key(key), "devicePub", "is 64 hex characters of a usable X25519 key");
  return key.toLowerCase();
}

/** Limits of a text. */
export interface TextRule {
  readonly maxBytes?: number;
  readonly maxChars?: number;
  readonly printable?: boolean;
}

/** A field of a payload, left out when it is empty. */
export function optionalText<Name extends string>(name: Name, text: string | undefined, rule: TextRule): { readonly [N in Name]?: string } {
  if (text === undefined || text === "") return {};
  checkText(name, text, rule);
  return { [name]: text } as { readonly [N in Name]?: string };
}

/** Holds a text to its limits. */
export function checkText(field: string, text: string, rule: TextRule): void {
  if (rule.maxBytes !== undefined) check(utf8(text).length <= rule.maxBytes, field, `is at most ${rule.maxBytes} bytes`);
  if (rule.maxChars !== undefined) check(countCodePoints(text) <= rule.maxChars, field, `is at most ${rule.maxChars} characters`);
  if (rule.printable === true) check(isPrintable(text), field, "has no control or invisible characters");
}

/** @throws CodedError BAD_REQUEST naming the field. */
export function check(condition: boolean, field: string, rule: string): void {
  if (!condition) throw invalid(field, rule);
}

/** The error of a field. */
export function invalid(field: string, rule: string): CodedError {
  return new CodedError("BAD_REQUEST", `${field} ${rule}`, { details: { field } });
}
