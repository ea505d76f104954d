// What compilers of contracts are given, and what they give.

export interface CompilerInput {
  readonly folder: string;
  /** Name of the source in the folder. */
  readonly source: string;
  /** Functions that the ABI lists. */
  readonly methods: readonly string[];
  /** Pages of 64 KiB that the memory can grow to. */
  readonly memoryPages: number;
  /** Sources that are compiled in place of those in the folder, by their paths. */
  readonly sources?: ReadonlyMap<string, string>;
  /** True when the contract declares events. */
  readonly hasEvents?: boolean;
  /** Is given what the compiler says, line by line. */
  readonly print: (line: string) => void;
}

export interface CompiledContract {
  /** With names and line numbers, which are taken out before it is deployed. */
  readonly module: Uint8Array;
  /** JSON of a source map. */
  readonly sourceMap?: string;
}
