// The interpreter with the interface of the runtime's engine, for modules that this node metered.
import { type CompiledModule, type Engine, type EngineExports, type EngineFunction, engine } from "../engine.ts";
import { METERED } from "../module/instrument-module.ts";
import type { DecodedFunction } from "./decode-body.ts";
import { type GasProfile, GasTracker } from "./gas-profile.ts";
import { type HostFunction, Interpreter, type LinearMemory } from "./interpreter.ts";
import { type MeteredParts, readMetered } from "./read-metered.ts";
import type { Variable } from "./steps.ts";
import { Trap } from "./trap.ts";

const KIND = { function: 0, memory: 2, global: 3 } as const;
const PAGE_BYTES = 65_536;

class InterpretedModule {
  declare readonly __compiled: never;
  readonly parts: MeteredParts;
  readonly decoded = new Map<number, DecodedFunction>();
  readonly profile: GasProfile | undefined;

  constructor(code: Uint8Array, profile?: GasProfile) {
    this.parts = readMetered(code);
    this.profile = profile;
  }
}

class InterpretedMemory implements LinearMemory {
  buffer: ArrayBuffer;

  constructor(pages: number) {
    this.buffer = new ArrayBuffer(pages * PAGE_BYTES);
  }
}

class InterpretedGlobal implements Variable {
  value: number;

  constructor(value: number) {
    this.value = value;
  }
}

class InterpretedInstance {
  readonly exports: EngineExports;

  constructor(module: CompiledModule, { env = {} }: Readonly<Record<string, Readonly<Record<string, EngineFunction>>>>) {
    const { parts, decoded, profile } = module as unknown as InterpretedModule;
    const memory = new InterpretedMemory(parts.memory.initial);
    // Of a variable the host sees the meters only, which are i32.
    const globals = parts.globals.map((value) => new InterpretedGlobal(value as number));
    const host = parts.imports.map((name) => env[name] as unknown as HostFunction);
    const gasIndex = parts.exports.find(({ name }) => name === METERED.gas)?.index ?? -1;
    const tracker = profile === undefined ? undefined : new GasTracker(profile, () => globals[gasIndex]?.value ?? 0);
    const interpreter = new Interpreter({ parts, decoded, host, globals, memory, tracker });
    const exported = ({ kind, index }: MeteredParts["exports"][number]): EngineExports[string] => {
      if (kind === KIND.function) return () => interpreter.run(index);
      return kind === KIND.memory ? memory : (globals[index] ?? new InterpretedGlobal(0));
    };
    this.exports = Object.fromEntries(parts.exports.map((item) => [item.name, exported(item)]));
  }
}

/** Modules come to the same there as on the runtime's engine, a hundred times slower. */
export const interpretedEngine: Engine = {
  Module: InterpretedModule,
  Instance: InterpretedInstance,
  Memory: InterpretedMemory,
  Global: InterpretedGlobal,
  RuntimeError: Trap,
  validate: (code) => engine.validate(code),
};

/** The same, which counts gas by the functions of each metered module. */
export function profilingEngine(profileOf: (metered: Uint8Array) => GasProfile): Engine {
  class ProfiledModule extends InterpretedModule {
    constructor(code: Uint8Array) {
      super(code, profileOf(code));
    }
  }
  return { ...interpretedEngine, Module: ProfiledModule };
}
