// Checks modules and runs them on the WebAssembly engine of the runtime. What comes out depends on module, call and host alone: gas and
// stack are counted by code inside the module, floats do not exist, and nothing that the engine decides for itself can be seen.
import { LRUCache } from "lru-cache";
import { CallEnd } from "#node/ledger/contracts/call-end.ts";
import type { ContractVm, ModuleInspection, StoredModule } from "#node/ledger/contracts/contract-vm.ts";
import { EngineFault } from "#node/ledger/contracts/engine-fault.ts";
import { GAS } from "#node/ledger/contracts/gas-schedule.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex } from "#shared/util/bytes.ts";
import { type CompiledModule, type Engine, engine } from "./engine.ts";
import type { GasProfile } from "./interpreter/gas-profile.ts";
import { interpretedEngine, profilingEngine } from "./interpreter/interpreted-engine.ts";
import type { VmPrimitives } from "./machine.ts";
import { instrumentModule, type MeteredModule } from "./module/instrument-module.ts";
import { InvalidModule } from "./module/invalid-module.ts";
import { ModuleInstance } from "./module-instance.ts";
import { prepareThread } from "./prepare-thread.ts";
import type { RunMarks } from "./run-marks.ts";

/** How a machine is made. */
export interface VmOptions extends VmPrimitives {
  /** Bytes of metered code that are kept compiled. */
  readonly cacheBytes?: number;
  /** Instances that are kept to be used again. With 0 every call gets a new one; the outcome is the same. */
  readonly idleInstances?: number;
  /** "none" interprets; "any" leaves the choice to the engine, never for a node: comparisons of engines have it. */
  readonly compiler?: "baseline" | "none" | "any";
  /** Whether calls at which the engine fails are interpreted; by default with the baseline compiler. */
  readonly hasSpare?: boolean;
  /** Says what runs, so that what a process dies at is known to the next one, and interpreted there. */
  readonly marks?: RunMarks;
  /** Counts gas by the functions of modules that are interpreted; for authors, never for a node. */
  readonly profileOf?: (metered: Uint8Array) => GasProfile;
  /** Hears of each such call; must not throw. */
  readonly onFault?: (error: unknown) => void;
}

/** A module ready to run. */
interface LoadedModule extends Pick<MeteredModule, "imports" | "initialPages" | "dataEnd"> {
  readonly engine: Engine;
  readonly compiled: CompiledModule;
  /** What runs before the method: what a language does at the start. */
  readonly startEntries: readonly string[];
}

const CACHE_BYTES = 67_108_864;
const IDLE_INSTANCES = 32;
const START_ENTRIES = ["_initialize", "_start"] as const;

/** A machine with its own cache. It prepares its thread before it compiles a module, see {@link prepareThread}. */
export function createContractVm(options: VmOptions): ContractVm {
  const modules = new LRUCache<string, LoadedModule>({ maxSize: options.cacheBytes ?? CACHE_BYTES });
  const { idleInstances = IDLE_INSTANCES, compiler = "baseline", marks } = options;
  const interpreter = options.profileOf === undefined ? interpretedEngine : profilingEngine(options.profileOf);
  const isInterpreted = (hash: string): boolean => compiler === "none" || marks?.isMarked(hash) === true;
  const idle = new LRUCache<LoadedModule, ModuleInstance>({ max: Math.max(1, idleInstances) });
  const load = (stored: StoredModule): LoadedModule => {
    const known = modules.get(stored.hash);
    if (known !== undefined) return known;
    if (compiler === "baseline") prepareThread();
    const used = isInterpreted(stored.hash) ? interpreter : engine;
    const { code, entries, imports, initialPages, dataEnd } = instrumentModule(stored.code());
    const startEntries = START_ENTRIES.filter((name) => entries.has(name));
    const loaded = { engine: used, compiled: new used.Module(code), startEntries, imports, initialPages, dataEnd };
    modules.set(stored.hash, loaded, { size: code.length });
    return loaded;
  };
  /** Set back only when it is used again: most of what an author could make idle never is. */
  const takeIdle = (module: LoadedModule): ModuleInstance | undefined => {
    const instance = idle.get(module);
    idle.delete(module);
    instance?.reset();
    return instance;
  };
  const runModule: ContractVm["run"] = (stored, call, host) => {
    const module = load(stored);
    host.charge(GAS.wasmPage * module.initialPages);
    const instance = takeIdle(module) ?? new ModuleInstance(module, options);
    try {
      instance.run({ entries: [...module.startEntries, call.method], call, host });
    } finally {
      if (idleInstances !== 0 && instance.isReusable) idle.set(module, instance);
    }
  };
  const run: ContractVm["run"] = (stored, call, host) =>
    marked(marks, { hash: stored.hash, txId: host.txId }, () => runModule(stored, call, host));
  const inspect: ContractVm["inspect"] = (code) => {
    if (marks === undefined) return inspectModule(code);
    const hash = toHex(options.sha256(code));
    return marked(marks, { hash, txId: "" }, () => inspectModule(code, !isInterpreted(hash)));
  };
  if (!(options.hasSpare ?? compiler === "baseline")) return { inspect, run };
  return withSpare({ inspect, run }, options);
}

/** Some work with a module, under a mark that says so. */
function marked<T>(marks: RunMarks | undefined, { hash, txId }: { readonly hash: string; readonly txId: string }, work: () => T): T {
  if (marks === undefined) return work();
  marks.enter(hash, txId);
  try {
    return work();
  } finally {
    marks.leave();
  }
}

/** A machine with an interpreter in reserve. What the program itself says is wrong is no failure of the engine. */
function withSpare({ inspect, run }: ContractVm, { marks: _, ...options }: VmOptions): ContractVm {
  return {
    inspect,
    run: (stored, call, host): void => {
      try {
        run(stored, call, host);
      } catch (error) {
        if (error instanceof CallEnd || error instanceof CodedError || error instanceof EngineFault) throw error;
        options.onFault?.(error);
        throw new EngineFault(error);
      }
    },
    spare: createContractVm({ ...options, compiler: "none", hasSpare: false }),
  };
}

/**
 * Says whether a module can be deployed: it follows our rules, and the engine's, which are those of the WebAssembly specification. The engine
 * never knows better, and is not asked about a module at which it ended a process.
 */
export function inspectModule(code: Uint8Array, asksEngine = true): ModuleInspection {
  try {
    const { entries, weight } = instrumentModule(code);
    if (!asksEngine || engine.validate(Uint8Array.from(code))) return { isValid: true, entries, weight };
    return { isValid: false, reason: "engine", message: "the engine refuses it" };
  } catch (error) {
    if (error instanceof InvalidModule) return { isValid: false, reason: error.reason, message: error.message };
    throw error;
  }
}
