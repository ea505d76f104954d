// One call of a contract: finds it, checks method, amount and arguments, runs it and says what came of it.
import type { MethodAbi } from "#shared/protocol/contracts.ts";
import type { FailureCode } from "#shared/protocol/failure-codes.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { debit } from "../balance.ts";
import { readContract, readContractBalance, writeContractBalance } from "../contract-records.ts";
import type { StateView } from "../state-view.ts";
import type { Effects } from "../transactions/transaction-rule.ts";
import { CallEnd, CallHost } from "./call-host.ts";
import type { CallContext, Contract } from "./contract.ts";
import { type ContractValue, MAX_U64, parseArguments } from "./contract-value.ts";
import { GAS } from "./gas-schedule.ts";
import { nativeContract } from "./native/native-contracts.ts";

/** What is called, with what, for how much gas at most. */
export interface ContractCall extends CallContext {
  readonly method: string;
  /** JSON list, "" for none. */
  readonly argsJson: string;
  readonly gasLimit: number;
}

/** Runs a call. When the effects name a failure, the view must be thrown away. */
export function callContract(view: StateView, call: ContractCall): Effects {
  const host = new CallHost(view, call, call.gasLimit);
  try {
    host.charge(GAS.call + GAS.callByte * utf8(call.argsJson).length);
    const failure = run(view, call, host);
    return { ...(failure === undefined ? { logs: host.logs } : { failure }), gasUsed: host.gasUsed };
  } catch (error) {
    if (!(error instanceof CallEnd)) throw error;
    const logs = error.message === "" ? [] : [{ contractId: call.contractId, message: error.message }];
    return { failure: error.code, gasUsed: host.gasUsed, logs };
  }
}

function run(view: StateView, call: ContractCall, host: CallHost): FailureCode | undefined {
  const record = readContract(view, call.contractId);
  if (record === undefined) return "CONTRACT_NOT_FOUND";
  const contract = nativeContract(record.native);
  if (contract === undefined) return "CONTRACT_NOT_RUNNABLE";
  const method = contract.abi.methods.find(({ name }) => name === call.method);
  if (method === undefined) return "CONTRACT_METHOD_UNKNOWN";
  if (call.amountUt > 0 && method.payable !== true) return "CONTRACT_NOT_PAYABLE";
  const args = typedArguments(method, parseArguments(call.argsJson));
  if (args === undefined) return "CONTRACT_ARGUMENTS";
  return runMethod(view, { call, host, contract, args });
}

interface MethodRun {
  readonly call: ContractCall;
  readonly host: CallHost;
  readonly contract: Contract;
  readonly args: readonly ContractValue[];
}

function runMethod(view: StateView, { call, host, contract, args }: MethodRun): undefined {
  if (call.amountUt > 0) {
    debit(view, call.caller, call.amountUt);
    writeContractBalance(view, call.contractId, readContractBalance(view, call.contractId) + call.amountUt);
  }
  contract.call(call.method, args, host);
}

/** The arguments in the types of the method, or undefined when they are not. */
function typedArguments(method: MethodAbi, values: readonly ContractValue[] | undefined): readonly ContractValue[] | undefined {
  if (values === undefined || values.length !== method.args.length) return undefined;
  const typed = method.args.map(({ type }, index) => TYPES[type](values[index] ?? null));
  return typed.every((value) => value !== undefined) ? typed : undefined;
}

const TYPES: Readonly<Record<MethodAbi["args"][number]["type"], (value: ContractValue) => ContractValue | undefined>> = {
  string: (value) => (typeof value === "string" ? value : undefined),
  bool: (value) => (typeof value === "boolean" ? value : undefined),
  json: (value) => value,
  u64: (value) => {
    const integer = typeof value === "string" && /^\d{1,20}$/.test(value) ? BigInt(value) : value;
    return typeof integer === "bigint" && integer >= 0n && integer <= MAX_U64 ? integer : undefined;
  },
};

/** Gas that storing a module costs. */
export function deploymentGas(wasmSize: number): number {
  return GAS.deploy + GAS.deployByte * wasmSize;
}
