// The runtime's WebAssembly engine, as much of it as is used: the JavaScript interface of WebAssembly 1.0 and nothing newer.

export interface CompiledModule {
  readonly __compiled: never;
}

/** A variable that an instance exports. */
export interface EngineGlobal {
  value: number;
}

/** The memory of an instance; the buffer is another one after it grew. */
export interface EngineMemory {
  readonly buffer: ArrayBuffer;
}

/** A host function. */
export type EngineFunction = (...args: never[]) => number | bigint | undefined;

/** Whatever an instance exports. */
export type EngineExports = Readonly<Record<string, (() => void) | EngineGlobal | EngineMemory>>;

/** What contracts run on. */
export interface Engine {
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => CompiledModule;
  readonly Instance: new (
    module: CompiledModule,
    imports: Readonly<Record<string, Readonly<Record<string, EngineFunction>>>>,
  ) => { readonly exports: EngineExports };
  readonly Memory: new (...args: never[]) => EngineMemory;
  readonly Global: new (...args: never[]) => EngineGlobal;
  readonly RuntimeError: new (...args: never[]) => Error;
  validate(code: Uint8Array<ArrayBuffer>): boolean;
}

export const engine: Engine = (globalThis as unknown as { readonly WebAssembly: Engine }).WebAssembly;
