// What execution needs of a machine for WebAssembly modules. The machine is outside of the ledger and is handed in: it must give the
// same result for the same module, call and host on every node.
import type { ContractHost } from "./contract.ts";
import type { ContractValue } from "./contract-value.ts";

/** Host interface, limits and prices that modules are deployed under. */
export const VM_VERSION = 1;

/** What a module offers and what loading it costs, or why it cannot be deployed, in words for its author. */
export type ModuleInspection =
  | { readonly isValid: true; readonly entries: ReadonlySet<string>; readonly weight: number }
  | { readonly isValid: false; readonly reason: string; readonly message: string };

/** A module that was deployed. */
export interface StoredModule {
  /** Hex of the SHA-256 of its bytes. */
  readonly hash: string;
  /** Reads its bytes; called only when the machine does not know the hash. */
  code(): Uint8Array;
}

/** A method with its arguments, checked against the ABI. */
export interface ModuleCall {
  readonly method: string;
  readonly args: readonly ContractValue[];
  /** The text that the arguments were read from. */
  readonly argsJson: string;
}

/** Checks and runs modules. */
export interface ContractVm {
  /** Says whether a module can be deployed, and which functions it exports that methods can be. */
  inspect(code: Uint8Array): ModuleInspection;
  /** Runs a method; ends by returning, or by a CallEnd. Anything else that it throws is a failure of this machine, never of the call. */
  run(module: StoredModule, call: ModuleCall, host: ContractHost): void;
  /** Comes to the same without the engine, much more slowly: for calls at which this machine throws an EngineFault. */
  readonly spare?: ContractVm;
}

/** Gas that may still be spent on trying out what is not yet in a block. */
export interface TrialBudget {
  gas: number;
}
