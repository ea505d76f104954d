// Makes a transaction of what the person wants and signs it: the keyring signs no transaction that it did not build.
import {
  buildTransaction,
  type DraftContext,
  signTransaction,
  type TransactionDraft,
} from "#shared/protocol/transactions/build-transaction.ts";
import type { TransactionType } from "#shared/protocol/transactions/transaction.ts";
import type { IntentSigner } from "./intent-checks.ts";
import { draftOfIntent, summarizeIntent } from "./intent-transaction.ts";
import type { Intent, SignedIntent } from "./intents.ts";

/** Who signs, and the seed of their master key. */
export interface SigningKey {
  readonly signer: IntentSigner;
  readonly seed: Uint8Array;
}

/** The signed transaction of an intent, and its summary. @throws CodedError BAD_REQUEST naming the field. */
export function signIntent(intent: Intent, { signer, seed }: SigningKey, context: DraftContext): SignedIntent {
  const draft = draftOfIntent(intent, signer, context.minFeeUt);
  const summary = summarizeIntent(intent, signer, context.minFeeUt);
  const unsigned = buildTransaction(draft as TransactionDraft<TransactionType>, context);
  return { transaction: signTransaction(unsigned, seed), summary };
}
