// An instance of a metered module. Between two calls it is set back whole: memory, globals, meters. Tables cannot change.
import { CallEnd } from "#node/ledger/contracts/call-end.ts";
import type { ContractHost } from "#node/ledger/contracts/contract.ts";
import type { ModuleCall } from "#node/ledger/contracts/contract-vm.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { CompiledModule, Engine, EngineExports, EngineFunction, EngineGlobal, EngineMemory } from "./engine.ts";
import { bindHostFunction } from "./host-functions.ts";
import { Machine, type VmPrimitives } from "./machine.ts";
import { isHostFunctionName } from "./module/host-signatures.ts";
import { ENTRY_PREFIX, METERED } from "./module/instrument-module.ts";
import { STACK_WORDS } from "./module/module-limits.ts";

/** A call of some exported functions, one after the other, with one host. */
export interface InstanceRun {
  readonly entries: readonly string[];
  readonly call: ModuleCall;
  readonly host: ContractHost;
}

export interface InstanceDependencies {
  /** What the module was compiled by. */
  readonly engine: Engine;
  readonly compiled: CompiledModule;
  /** Names of the host functions. */
  readonly imports: readonly string[];
  /** Bytes at the start of the memory that are not all 0. */
  readonly dataEnd: number;
}

/** Instance and machine of a module. */
export class ModuleInstance {
  readonly #engine: Engine;
  readonly #machine: Machine;
  readonly #exports: EngineExports;
  readonly #memory: EngineMemory;
  readonly #gas: EngineGlobal;
  readonly #stack: EngineGlobal;
  readonly #fatal: EngineGlobal;
  /** The memory at the start, as far as it is not 0. */
  readonly #image: Uint8Array;
  readonly #memoryBytes: number;

  constructor({ engine, compiled, imports, dataEnd }: InstanceDependencies, primitives: VmPrimitives) {
    const isGlobal = (value: EngineExports[string] | undefined): value is EngineGlobal => value instanceof engine.Global;
    this.#engine = engine;
    this.#machine = new Machine(primitives);
    const { exports } = new engine.Instance(compiled, { env: hostImports(this.#machine, imports) });
    const { [METERED.memory]: memory, [METERED.gas]: gas, [METERED.stack]: stack, [METERED.fatal]: fatal } = exports;
    assertInvariant(memory instanceof engine.Memory && isGlobal(gas) && isGlobal(stack) && isGlobal(fatal), "A metered module has meters");
    this.#exports = exports;
    this.#memory = memory;
    this.#gas = gas;
    this.#stack = stack;
    this.#fatal = fatal;
    this.#machine.attach({ memory, gas, stack });
    this.#image = new Uint8Array(memory.buffer).slice(0, dataEnd);
    this.#memoryBytes = memory.buffer.byteLength;
  }

  /** @throws CallEnd, or anything else when this machine and not the call failed. */
  run({ entries, call, host }: InstanceRun): void {
    this.#machine.begin({ host, call }, host.stackWords ?? STACK_WORDS);
    try {
      for (const entry of entries) this.#enter(`${ENTRY_PREFIX}${entry}`);
      this.#machine.toHost();
    } catch (error) {
      throw this.#reasonOf(error);
    } finally {
      this.#machine.finish();
    }
  }

  /** False when the instance must not be used again. */
  get isReusable(): boolean {
    return this.#memory.buffer.byteLength === this.#memoryBytes && this.#fatal.value === 0;
  }

  /** Sets everything back, before it is used again. */
  reset(): void {
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.set(this.#image);
    bytes.fill(0, this.#image.length);
    this.#enter(METERED.reset);
  }

  #enter(name: string): void {
    const entry = this.#exports[name];
    assertInvariant(typeof entry === "function", "An entry of a module is a function");
    entry();
  }

  /** The engine's own words differ between versions; what the meters say does not. */
  #reasonOf(error: unknown): unknown {
    if (!(error instanceof this.#engine.RuntimeError)) return error;
    if (this.#fatal.value !== 0) return new Error("The runtime has no memory for a contract that may have it", { cause: error });
    if (this.#gas.value < 0) return new CallEnd("CONTRACT_OUT_OF_GAS", "", { cause: error });
    if (this.#stack.value < 0) return new CallEnd("CONTRACT_STACK_OVERFLOW", "", { cause: error });
    return new CallEnd("CONTRACT_TRAPPED", "", { cause: error });
  }
}

/** Only functions, of an object without a prototype that cannot be changed. */
function hostImports(machine: Machine, names: readonly string[]): Readonly<Record<string, EngineFunction>> {
  const imports = Object.create(null) as Record<string, EngineFunction>;
  for (const name of names) {
    assertInvariant(isHostFunctionName(name), "Imports were checked");
    imports[name] = bindHostFunction(machine, name);
  }
  return Object.freeze(imports);
}
