// Why a transaction failed in its block, in the words of the catalogue where the reason is a known code.
import { isFailureCode } from "#shared/protocol/failure-codes.ts";
import type { Translate } from "../messages/catalogue.ts";

/** Words for a reason, which is a code or already a sentence of the node; undefined when there is none. */
export function failureInWords(t: Translate, reason: string | undefined): string | undefined {
  if (reason === undefined || reason === "") return undefined;
  return isFailureCode(reason) ? t(`transactions.failure.${reason}`) : reason;
}
