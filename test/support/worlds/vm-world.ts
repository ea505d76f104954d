// Contracts on a state of their own, called without transactions: for tests of the machine and its host.

import { type CallOutcome, callContract } from "#node/ledger/contracts/call-contract.ts";
import { type ContractVm, VM_VERSION } from "#node/ledger/contracts/contract-vm.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import {
  type ContractRecord,
  readContract,
  readContractBalance,
  readContractBytes,
  writeContract,
  writeContractBalance,
  writeContractCode,
} from "#node/ledger/records/contract-records.ts";
import type { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { createContractVm, type VmOptions } from "#node/vm/contract-vm.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { ContractId, MethodAbi } from "#shared/protocol/transactions/contracts.ts";
import { fromUtf8, toHex } from "#shared/util/bytes.ts";
import { buildModule, type ModuleSpec } from "../vm/wasm-builder.ts";
import { alice, genesisState } from "./ledger-world.ts";

/** What a call is given; everything can be left out. */
export interface VmCall {
  readonly args?: readonly unknown[];
  /** Instead of args: the text itself. */
  readonly argsJson?: string;
  readonly gas?: number;
  readonly amountUt?: number;
  readonly caller?: string;
  readonly isReadOnly?: boolean;
  readonly isDeployment?: boolean;
}

/** A machine and a state. */
export class VmWorld {
  readonly state: OverlayStateView = genesisState();
  readonly vm: ContractVm;
  #count = 0;

  constructor(options: Partial<VmOptions> = {}) {
    this.vm = createContractVm({ sha256, verify: verifyZip215, ...options });
  }

  /** Puts a contract on the state without a transaction. Methods without arguments can be given by name. */
  install(code: Uint8Array | ModuleSpec, methods: readonly (string | MethodAbi)[] = ["run"]): ContractId {
    const bytes = code instanceof Uint8Array ? code : buildModule(code);
    const inspection = this.vm.inspect(bytes);
    if (!inspection.isValid) throw new Error(`${inspection.reason}: ${inspection.message}`);
    this.#count += 1;
    const id = this.#count.toString(16).padStart(16, "c");
    const abi = methods.map((method) => (typeof method === "string" ? { name: method, args: [] } : method));
    const abiJson = JSON.stringify({ contract: "test", version: "1", methods: abi });
    const codeHash = toHex(sha256(bytes));
    const module = { wasmSize: bytes.length, wasmWeight: inspection.weight, vmVersion: VM_VERSION, codeHash };
    writeContract(this.state, { id, deployerPub: alice.pub, deployedAt: 1, native: "", abiJson, ...module });
    writeContractCode(this.state, id, bytes);
    return id;
  }

  call(contractId: ContractId, method = "run", given: VmCall = {}): CallOutcome {
    const { args = [], argsJson = JSON.stringify(args), gas = 1_000_000, amountUt = 0, caller = alice.pub, isReadOnly = false } = given;
    const { isDeployment = false } = given;
    const block = { chainId: "vm-world", height: 7, timeS: 1_767_225_600 };
    const context = { ...block, contractId, caller, origin: alice.pub, amountUt, txId: "tx-1" };
    return callContract(this.state, { ...context, method, argsJson, gasLimit: gas, isReadOnly, isDeployment }, this.vm);
  }

  /** Result of a call that must succeed, as text. */
  text(contractId: ContractId, method = "run", given: VmCall = {}): string {
    const { failure, result, logs } = this.call(contractId, method, given);
    if (failure !== undefined) throw new Error(`${failure}: ${logs[0]?.message}`);
    return fromUtf8(result);
  }

  /** Record of a contract. */
  record(contractId: ContractId): ContractRecord {
    const record = readContract(this.state, contractId);
    if (record === undefined) throw new Error("There is no such contract");
    return record;
  }

  /** Gas that a call of a contract costs before its method begins, but for its arguments. */
  loadingGas(contractId: ContractId): number {
    return GAS.call + GAS.contractByte * this.recordBytes(contractId) + GAS.wasmCall + GAS.wasmWeight * this.record(contractId).wasmWeight;
  }

  /** Size of a contract's record. */
  recordBytes(contractId: ContractId): number {
    return readContractBytes(this.state, contractId)?.length ?? 0;
  }

  balance(contractId: ContractId): number {
    return readContractBalance(this.state, contractId);
  }

  fund(contractId: ContractId, amountUt: number): void {
    writeContractBalance(this.state, contractId, amountUt);
  }
}

/** Outcome in short: the failure or "ok", and for refusals the reason. */
export function inShort({ failure, logs }: CallOutcome): string {
  const reason = failure === "CONTRACT_ABORTED" ? ` ${logs[0]?.message ?? ""}` : "";
  return `${failure ?? "ok"}${reason}`;
}
