// Calls of contracts: finds the contract, checks method, amount and arguments, runs it and says what came of it. Contracts call others
// the same way, on changes of their own that are thrown away when the call fails.

import { MAX_CALL_DEPTH } from "#shared/protocol/primitives/limits.ts";
import type { ContractId, MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { INIT_METHOD, isContractId } from "#shared/protocol/transactions/contracts.ts";
import type { FailureCode } from "#shared/protocol/transactions/failure-codes.ts";
import type { ReceiptLog } from "#shared/protocol/transactions/receipt.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { Journal } from "../journal.ts";
import { debit } from "../records/balance.ts";
import { readContractBalance, readContractBytes, readContractCode, writeContractBalance } from "../records/contract-records.ts";
import type { StateView } from "../state-view.ts";
import { CallEnd } from "./call-end.ts";
import { CallHost } from "./call-host.ts";
import { type CallContext, type Contract, NESTED_STATUS, type NestedCall, type NestedOutcome } from "./contract.ts";
import { type KeptContract, keptContract } from "./contract-interface.ts";
import { type ContractValue, lengthOf, MAX_U64, parseArguments } from "./contract-value.ts";
import type { ContractVm } from "./contract-vm.ts";
import { EngineFault } from "./engine-fault.ts";
import { GAS } from "./gas-schedule.ts";
import { nativeContract } from "./native/native-contracts.ts";

/** What is called, with what, for how much gas at most. */
export interface ContractCall extends CallContext {
  readonly method: string;
  /** JSON list, "" for none. */
  readonly argsJson: string;
  readonly gasLimit: number;
  /** Anything that would change something ends the call. */
  readonly isReadOnly?: boolean;
  /** The call of {@link INIT_METHOD} that belongs to a deployment. */
  readonly isDeployment?: boolean;
}

/** What came of a call. */
export interface CallOutcome {
  readonly failure?: FailureCode;
  readonly gasUsed: number;
  /** Of a refusal only its reason. */
  readonly logs: readonly ReceiptLog[];
  /** What the contract returned; empty when it failed. */
  readonly result: Uint8Array;
}

/** What a call knows of the calls around it. */
interface Surroundings {
  readonly vm: ContractVm;
  /** Contracts that are being called, from the outside in. */
  readonly active: readonly ContractId[];
  readonly stackWords?: number;
  readonly logsLeft?: number;
}

const NOTHING = new Uint8Array(0);

/**
 * Runs a call. One that fails leaves the view as it was. One at which the engine fails is run again from its beginning, with all that it
 * calls, by the spare machine: the failure of an engine is never what comes of a call.
 */
export function callContract(view: StateView, call: ContractCall, vm: ContractVm): CallOutcome {
  try {
    return runCall(view, call, { vm, active: [] });
  } catch (error) {
    if (!(error instanceof EngineFault) || vm.spare === undefined) throw error;
    return runCall(view, call, { vm: vm.spare, active: [] });
  }
}

function runCall(view: StateView, call: ContractCall, around: Surroundings): CallOutcome {
  const journal = new Journal(view);
  const active = [...around.active, call.contractId];
  const host = new CallHost(journal, call, {
    ...around,
    gasLimit: call.gasLimit,
    isReadOnly: call.isReadOnly ?? false,
    callOther: (caller, request): NestedOutcome => callOther(journal, caller, request, { ...around, active }),
  });
  try {
    host.charge(GAS.call + GAS.callByte * lengthOf(call.argsJson));
    const failure = run(journal, call, host, around.vm);
    if (failure !== undefined) return { failure, gasUsed: host.gasUsed, logs: [], result: NOTHING };
    journal.commitTo(view);
    return { gasUsed: host.gasUsed, logs: host.logs, result: host.result };
  } catch (error) {
    if (!(error instanceof CallEnd)) throw error;
    return { failure: error.code, ...endedEarly(error, call, host.gasUsed), result: NOTHING };
  }
}

/** A refusal costs what was used; a call that broke off costs its whole limit, so that nodes need not agree on where it did. */
function endedEarly(end: CallEnd, { contractId, gasLimit }: ContractCall, gasUsed: number): Pick<CallOutcome, "gasUsed" | "logs"> {
  if (end.code !== "CONTRACT_ABORTED") return { gasUsed: gasLimit, logs: [] };
  return { gasUsed, logs: end.message === "" ? [] : [{ contractId, message: end.message }] };
}

function run(view: StateView, call: ContractCall, host: CallHost, vm: ContractVm): FailureCode | undefined {
  const stored = readContractBytes(view, call.contractId);
  if (stored === undefined) return "CONTRACT_NOT_FOUND";
  host.charge(GAS.contractByte * stored.length);
  const kept = keptContract(call.contractId, stored);
  const { record } = kept;
  if (record.native === "") host.charge(GAS.wasmCall + GAS.wasmWeight * record.wasmWeight);
  const contract = contractOf(kept, view, { vm, argsJson: call.argsJson });
  const method = contract.abi.methods.find(({ name }) => name === call.method);
  const isInit = record.native === "" && call.method === INIT_METHOD;
  if (method === undefined || isInit !== (call.isDeployment ?? false)) return "CONTRACT_METHOD_UNKNOWN";
  if (call.amountUt > 0 && method.payable !== true) return "CONTRACT_NOT_PAYABLE";
  const args = typedArguments(method, parseArguments(call.argsJson));
  if (args === undefined) return "CONTRACT_ARGUMENTS";
  if (call.amountUt > 0) attach(view, call);
  host.begin(record.deployerPub, method.view ?? false);
  contract.call(call.method, args, host);
  return undefined;
}

/** Moves the attached µT from the caller, who has them, to the contract. */
function attach(view: StateView, { caller, contractId, amountUt }: ContractCall): void {
  if (isContractId(caller)) writeContractBalance(view, caller, readContractBalance(view, caller) - amountUt);
  else debit(view, caller, amountUt);
  writeContractBalance(view, contractId, readContractBalance(view, contractId) + amountUt);
}

interface ModuleSurroundings {
  readonly vm: ContractVm;
  readonly argsJson: string;
}

function contractOf(kept: KeptContract, view: StateView, { vm, argsJson }: ModuleSurroundings): Contract {
  const { record } = kept;
  if (record.native !== "") {
    const contract = nativeContract(record.native);
    assertInvariant(contract !== undefined, "Only native contracts that exist were written");
    return contract;
  }
  const code = (): Uint8Array => {
    const stored = readContractCode(view, record.id);
    assertInvariant(stored !== undefined, "A contract has lost its code");
    return stored;
  };
  return {
    abi: kept.abi,
    call: (method, args, host) => vm.run({ hash: record.codeHash, code }, { method, args, argsJson }, host),
  };
}

function callOther(view: StateView, caller: CallHost, request: NestedCall, around: Surroundings): NestedOutcome {
  if (around.active.length >= MAX_CALL_DEPTH || around.active.includes(request.contractId))
    return { status: NESTED_STATUS.tooDeep, result: NOTHING };
  if (request.amountUt > readContractBalance(view, caller.contractId)) return { status: NESTED_STATUS.notCallable, result: NOTHING };
  const { chainId, origin, txId, height, timeS, contractId, isReadOnly, logsLeft } = caller;
  const call = { ...request, chainId, caller: contractId, origin, txId, height, timeS, isReadOnly };
  const outcome = runCall(view, call, { ...around, stackWords: request.stackWords, logsLeft });
  caller.charge(outcome.gasUsed);
  if (outcome.failure === undefined) caller.append(outcome.logs);
  return {
    status: statusOf(outcome.failure),
    result: outcome.failure === undefined ? outcome.result : utf8(outcome.logs[0]?.message ?? outcome.failure),
  };
}

function statusOf(failure: FailureCode | undefined): NestedOutcome["status"] {
  switch (failure) {
    case undefined:
      return NESTED_STATUS.ok;
    case "CONTRACT_ABORTED":
      return NESTED_STATUS.refused;
    case "CONTRACT_OUT_OF_GAS":
    case "CONTRACT_TRAPPED":
    case "CONTRACT_STACK_OVERFLOW":
      return NESTED_STATUS.broken;
    default:
      return NESTED_STATUS.notCallable;
  }
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

/** Gas that storing a module and its interface costs. */
export function deploymentGas(wasmSize: number, abiBytes: number): number {
  return GAS.deploy + GAS.deployByte * (wasmSize + abiBytes);
}
