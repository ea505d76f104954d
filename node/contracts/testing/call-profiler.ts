// Counts gas by the functions of contracts: runs each call once more on an interpreter, on a state that is thrown away.
import { createHash } from "node:crypto";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import { functionNames } from "#node/vm/faults/module-names.ts";
import { GasProfile } from "#node/vm/interpreter/gas-profile.ts";
import type { VmPrimitives } from "#node/vm/machine.ts";
import { instrumentModule } from "#node/vm/module/instrument-module.ts";
import { parseModule } from "#node/vm/module/parse-module.ts";
import type { FunctionRecord } from "./gas-record.ts";

/** Functions that the meter adds to a module, in their order; the one behind them sets an instance back, and is no part of a call. */
const ADDED = ["memory.grow", "memory.copy", "memory.fill"];

export class CallProfiler {
  readonly vm: ContractVm;
  readonly #profiles = new Map<string, GasProfile>();

  constructor(primitives: VmPrimitives) {
    this.vm = createContractVm({ ...primitives, compiler: "none", profileOf: (metered) => this.#profileOf(metered) });
  }

  /** Ends a call, which counts when it succeeded. */
  settle(isKept: boolean): void {
    for (const profile of this.#profiles.values()) profile.settle(isKept);
  }

  /** What the functions of a module used so far. */
  functionsOf(code: Uint8Array, named: Uint8Array): readonly FunctionRecord[] {
    const module = parseModule(code);
    const names = functionNames(module, named);
    const count = module.functions.length;
    const nameOf = (index: number): string => ADDED[index - count] ?? names.get(index) ?? `function ${index}`;
    const used = [...this.#profileOf(instrumentModule(code).code).functions].filter(([index]) => index < count + ADDED.length);
    return used.map(([index, { gas, calls }]) => {
      const imported = module.imports[index];
      return { name: imported ?? nameOf(index), isHost: imported !== undefined, gas, calls };
    });
  }

  #profileOf(metered: Uint8Array): GasProfile {
    const key = createHash("sha256").update(metered).digest("hex");
    const profile = this.#profiles.get(key) ?? new GasProfile();
    this.#profiles.set(key, profile);
    return profile;
  }
}
