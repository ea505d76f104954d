// Calls of contracts by their arguments. Integers stay exact: they never pass a number.

import type { CallContractIntent } from "#shared/keyring/intents/intents.ts";
import type { AmountUt } from "#shared/protocol/primitives/amount.ts";
import { DEFAULT_GAS_LIMIT } from "#shared/protocol/primitives/limits.ts";
import type { ContractId } from "#shared/protocol/transactions/contracts.ts";

/** An argument: a `bigint` is a whole number of at most 64 bits, a list holds texts. */
export type CallArgument = string | bigint | boolean | readonly string[];

/** A call of a method. */
export interface ContractCall {
  readonly contractId: ContractId;
  readonly method: string;
  readonly args: readonly CallArgument[];
  /** µT attached; none when not given. */
  readonly amountUt?: AmountUt;
}

/** The intent of a call, with the usual gas limit. */
export function callIntent({ contractId, method, args, amountUt = 0 }: ContractCall): CallContractIntent {
  return { kind: "callContract", contractId, method, argsJson: `[${args.map(jsonOf).join(",")}]`, amountUt, gasLimit: DEFAULT_GAS_LIMIT };
}

function jsonOf(argument: CallArgument): string {
  return typeof argument === "bigint" ? argument.toString() : JSON.stringify(argument);
}
