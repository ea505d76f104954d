// What is checked of a submitted transaction before the state is read: time, form, keys, signatures. The same for every kind of node.
import {
  checkForm,
  checkKeys,
  checkTimeWindow,
  keysOf,
  payloadSignatureProblem,
  payloadSignatures,
  signatureInput,
  signatureProblem,
  type TransactionProblem,
} from "#node/ledger/check-transaction.ts";
import type { SignatureInput } from "#node/ledger/transactions/transaction-rule.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { decodePayload } from "#shared/protocol/transactions/payload.ts";
import { canonicalText } from "#shared/protocol/transactions/sign-bytes.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { TX_ID_PREFIX } from "#shared/protocol/transactions/transaction-id.ts";

/** How signatures and keys are checked. */
export interface SubmissionChecks {
  /** The consensus rule for signatures; may resolve later, from a worker. */
  readonly verify: (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => boolean | Promise<boolean>;
  /** A cached form of isAcceptablePublicKey. */
  readonly isAcceptableKey?: (publicKey: PublicKeyHex) => boolean;
  /** Has keys checked on another thread, for `isAcceptableKey` to know them; undefined when there is nothing to wait for. */
  readonly learnKeys?: (publicKeys: readonly PublicKeyHex[]) => Promise<void> | undefined;
  /** Reports a key under which a signature verified. */
  readonly learnSigner?: (publicKey: PublicKeyHex) => void;
}

/** Where and when a transaction is submitted. */
export interface SubmissionContext {
  readonly chainId: string;
  /** Time that the next block would have at the earliest. */
  readonly timeMs: number;
  /** Smallest fee of that block. */
  readonly minFeeUt: AmountUt;
}

const MEMO_WARNING = "The memo outside the payload is not signed and was dropped: only the memo in the payload is kept.";

/** The complete check without the state. @throws CodedError with the reason */
export async function checkSubmitted(tx: Transaction, context: SubmissionContext, checks: SubmissionChecks): Promise<void> {
  const { chainId, timeMs, minFeeUt } = context;
  refuse(checkTimeWindow(tx, timeMs));
  refuse(checkForm(tx, { chainId, hash: nativeSha256, minFeeUt }));
  const verifies = ({ signature, message, publicKey }: SignatureInput): boolean | Promise<boolean> =>
    checks.verify(signature, message, publicKey);
  const verification = verifies(signatureInput(tx));
  const learnt = checks.learnKeys?.(keysOf(tx).slice(1));
  const isVerified = learnt === undefined ? await verification : (await Promise.all([verification, learnt]))[0];
  if (isVerified) checks.learnSigner?.(tx.from);
  else await checks.learnKeys?.([tx.from]);
  refuse(checkKeys(tx, checks.isAcceptableKey));
  if (!isVerified) refuse(signatureProblem());
  for (const input of payloadSignatures(tx, chainId)) {
    if (!(await verifies(input))) refuse(payloadSignatureProblem());
  }
}

/** What the response to a submission says of a memo outside the payload; empty when the payload has it. */
export function memoWarning({ payload }: Transaction, memo: string | undefined): { readonly warning?: string } {
  const isIncluded = memo === undefined || memo === "" || decodePayload(payload)?.memo === memo;
  return isIncluded ? {} : { warning: MEMO_WARNING };
}

/**
 * True when a transaction that passed the checks is certainly the known one of its id: its id is made of its content, or the pending
 * one has the same content.
 */
export function isSameTransaction(tx: Transaction, pending: Transaction | undefined): boolean {
  return tx.id.startsWith(TX_ID_PREFIX) || (pending !== undefined && canonicalText(pending) === canonicalText(tx));
}

/** The refusal of a transaction that is pending already, or included in a block. */
export function duplicate(id: string): CodedError {
  return new CodedError("TX_DUPLICATE", `A transaction with the id ${id} is known already`, { details: { id } });
}

/** @throws CodedError when there is something to say against a transaction */
export function refuse(problem: TransactionProblem | undefined): void {
  if (problem !== undefined) throw new CodedError(problem.code, problem.message);
}
