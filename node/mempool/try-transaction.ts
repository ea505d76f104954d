// Trying out a transaction: what a block would say of it, in words for its sender.
import { interpretTransaction, type TransactionProblem } from "#node/ledger/check-transaction.ts";
import type { TransactionContext } from "#node/ledger/context.ts";
import { applyTransaction } from "#node/ledger/execute.ts";
import { readContract } from "#node/ledger/records/contract-records.ts";
import type { StateReader, StateView } from "#node/ledger/state-view.ts";
import { FAILURE_CODES, isFailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Receipt } from "#shared/protocol/transactions/receipt.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/** Why a transaction could not follow what the view has, or undefined when it can; then the view has its changes. */
export function tryTransaction(view: StateView, tx: Transaction, context: TransactionContext): TransactionProblem | undefined {
  const outcome = applyTransaction(view, tx, context);
  if (!outcome.isIncluded) return { code: outcome.code, message: outcome.message };
  const { code, logs } = outcome.receipt;
  return code === "" ? undefined : failureProblem(code, logs);
}

/** A failure that a receipt would name. */
export function failureProblem(code: string, logs: Receipt["logs"]): TransactionProblem {
  return { code: code === "INSUFFICIENT_BALANCE" ? "TX_INSUFFICIENT_BALANCE" : "TX_REJECTED", message: wordsOf(code, logs) };
}

/** True for a transaction that hands a module to the engine. */
export function runsModule(state: StateReader, tx: Transaction): boolean {
  if (tx.type === "DEPLOY_CONTRACT") return true;
  if (tx.type !== "CALL_CONTRACT") return false;
  const interpretation = interpretTransaction(tx);
  if (!interpretation.isOk) return false;
  const { contract_id: id } = interpretation.payload as PayloadOf<"CALL_CONTRACT">;
  return readContract(state, id)?.native === "";
}

/** Why it would fail; a contract that refused says so in its last line. */
function wordsOf(code: string, logs: Receipt["logs"]): string {
  const reason = code === "CONTRACT_ABORTED" ? logs.at(-1)?.message : undefined;
  if (reason !== undefined) return `The contract refused: ${reason}`;
  return isFailureCode(code) ? FAILURE_CODES[code] : `The transaction would fail: ${code}`;
}
