// Why a transaction failed in its block, in the words of the catalogue where it has them.
import { FAILURE_CODES, type FailureCode, isFailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { PlainMessageKey, Translate } from "../messages/catalogue.ts";
import { transactions } from "../messages/en/transactions.ts";
import { CONTRACT_REASONS } from "./contract-reasons.ts";

/** Words for a reason, which is a code or a sentence of the node, its own of a code or another one; undefined when there is none. */
export function failureInWords(t: Translate, reason: string | undefined): string | undefined {
  if (reason === undefined || reason === "") return undefined;
  const known = Object.hasOwn(CONTRACT_REASONS, reason) ? CONTRACT_REASONS[reason] : undefined;
  if (known !== undefined) return t(known);
  const code = isFailureCode(reason) ? reason : codeOf(reason);
  if (code === undefined) return reason;
  const key = `transactions.failure.${code}`;
  return Object.hasOwn(transactions, key) ? t(key as PlainMessageKey) : FAILURE_CODES[code];
}

/** Code of a sentence that nodes have for it. */
function codeOf(sentence: string): FailureCode | undefined {
  return (Object.keys(FAILURE_CODES) as FailureCode[]).find((code) => FAILURE_CODES[code] === sentence);
}
