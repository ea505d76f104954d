// Why a transaction failed in its block, in the words of the catalogue where it has them.
import { FAILURE_CODES, isFailureCode } from "#shared/protocol/failure-codes.ts";
import type { PlainMessageKey, Translate } from "../messages/catalogue.ts";
import { transactions } from "../messages/en/transactions.ts";

/** Words for a reason, which is a code or already a sentence of the node; undefined when there is none. */
export function failureInWords(t: Translate, reason: string | undefined): string | undefined {
  if (reason === undefined || reason === "") return undefined;
  if (!isFailureCode(reason)) return reason;
  const key = `transactions.failure.${reason}`;
  return Object.hasOwn(transactions, key) ? t(key as PlainMessageKey) : FAILURE_CODES[reason];
}
