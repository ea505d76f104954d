// Why a transaction failed in its block, in the words of the catalogue where it has them.
import { FAILURE_CODES, isFailureCode } from "#shared/protocol/failure-codes.ts";
import type { PlainMessageKey, Translate } from "../messages/catalogue.ts";

const WORDS: Readonly<Record<string, PlainMessageKey>> = {
  INSUFFICIENT_BALANCE: "transactions.failure.INSUFFICIENT_BALANCE",
  KEY_IN_USE: "transactions.failure.KEY_IN_USE",
  DEVICE_ALREADY_ACTIVE: "transactions.failure.DEVICE_ALREADY_ACTIVE",
  DEVICE_LIMIT: "transactions.failure.DEVICE_LIMIT",
  DEVICE_NOT_ACTIVE: "transactions.failure.DEVICE_NOT_ACTIVE",
  CONTACT_BLOCKED: "transactions.failure.CONTACT_BLOCKED",
  CONTACT_PENDING: "transactions.failure.CONTACT_PENDING",
  CONTACT_ACCEPTED: "transactions.failure.CONTACT_ACCEPTED",
  CONTACT_NOT_FOUND: "transactions.failure.CONTACT_NOT_FOUND",
};

/** Words for a reason, which is a code or already a sentence of the node; undefined when there is none. */
export function failureInWords(t: Translate, reason: string | undefined): string | undefined {
  if (reason === undefined || reason === "") return undefined;
  const key = Object.hasOwn(WORDS, reason) ? WORDS[reason] : undefined;
  if (key !== undefined) return t(key);
  return isFailureCode(reason) ? FAILURE_CODES[reason] : reason;
}
