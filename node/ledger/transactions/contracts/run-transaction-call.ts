// The call that a transaction makes: for real in a block, or tried out before it with little gas.
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { TransactionContext } from "../../context.ts";
import { type ContractCall, callContract } from "../../contracts/call-contract.ts";
import { debit } from "../../records/balance.ts";
import { readContract } from "../../records/contract-records.ts";
import type { StateView } from "../../state-view.ts";
import { blockSeconds, type Effects } from "../transaction-rule.ts";

/** What is called; the rest follows from transaction and block. */
export type TransactionCall = Pick<ContractCall, "contractId" | "method" | "argsJson" | "amountUt" | "gasLimit" | "isDeployment">;

/**
 * Runs the call of a transaction. While it is only tried out, a module gets no more gas than the trial has left; a call that fails with
 * less gas than it asked for is taken to succeed, and to take what is attached: its block will show, and it will pay there.
 */
export function runTransactionCall(view: StateView, tx: Transaction, call: TransactionCall, context: TransactionContext): Effects {
  const { trial, vm, chainId, height } = context;
  const isModule = trial !== undefined && readContract(view, call.contractId)?.native === "";
  const gasLimit = !isModule ? call.gasLimit : Math.min(call.gasLimit, trial.gas);
  const timeS = blockSeconds(context);
  const whole = { ...call, gasLimit, chainId, caller: tx.from, origin: tx.from, txId: tx.id, height, timeS };
  const { failure, gasUsed, logs } = callContract(view, whole, vm);
  if (isModule) trial.gas -= gasUsed;
  if (failure === undefined) return { logs, gasUsed };
  if (gasLimit === call.gasLimit) return { failure, gasUsed, logs };
  debit(view, tx.from, call.amountUt);
  return { gasUsed: call.gasLimit };
}
