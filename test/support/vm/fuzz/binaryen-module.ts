// Modules that binaryen's generator for fuzzing makes out of random bytes: other shapes of code than ours, written by people who look for bugs
// of engines. Some are made out of a contract that a compiler made, which the generator changes. They have floats, see integer-module.ts.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { randomNumbers } from "../random-module.ts";
import { anyArguments, contractModule } from "./contract-modules.ts";
import { type IntegerModule, integerModule } from "./integer-module.ts";

const execute = promisify(execFile);

type Random = (below: number) => number;

const WASM_OPT = fileURLToPath(new URL("bin/wasm-opt", import.meta.resolve("binaryen")));
/** What of WebAssembly contracts may use, beside floats. */
const FEATURES = ["--mvp-features", "--enable-mutable-globals", "--enable-sign-ext", "--enable-bulk-memory-opt"] as const;
/** The generator stops when it has used up its input: code grows with it. */
const SIZES = [2_000, 4_000, 8_000, 16_000, 30_000, 60_000] as const;
/** What optimisers make of it is what compilers give to authors. */
const PASSES: readonly (readonly string[])[] = [
  [],
  [],
  ["-O1"],
  ["-O3"],
  ["-Os"],
  ["--fuzz-passes"],
  ["--flatten", "--rereloop", "-O1"],
  ["--flatten", "--local-cse", "--ssa"],
  ["--inlining-optimizing", "--code-folding"],
  ["--dae-optimizing", "--coalesce-locals"],
  ["--simplify-locals", "--merge-blocks", "--reorder-locals"],
];
/** Pages that the code of compilers needs for its stack. */
const STACK_PAGES = 3;

/** A module to make mutants of. */
export interface BaseModule {
  readonly module: IntegerModule;
  /** JSON of arguments for its entries. */
  readonly argumentsFor: (random: Random) => string;
}

/** The module of a seed. Every fourth is a contract as it is, every fourth one that the generator changed. */
export async function binaryenModule(seed: number, signal?: AbortSignal): Promise<BaseModule> {
  const random = randomNumbers(seed);
  if (seed % 4 < 2) return { module: integerModule(await generated(random, undefined, signal)), argumentsFor: anyArguments };
  const { code, argumentsFor } = await contractModule(Math.floor(seed / 4));
  const bytes = seed % 4 === 2 ? await generated(random, code, signal) : code;
  return { module: integerModule(bytes, STACK_PAGES), argumentsFor };
}

async function generated(random: Random, initial: Uint8Array | undefined, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "parley-binaryen-"));
  try {
    const [input, first, output] = [join(folder, "input"), join(folder, "initial.wasm"), join(folder, "output.wasm")];
    const size = SIZES[random(SIZES.length)] ?? SIZES[0];
    await writeFile(
      input,
      Uint8Array.from({ length: size }, () => random(256)),
    );
    if (initial !== undefined) await writeFile(first, initial);
    const options = initial === undefined ? [] : ["--initial-fuzz", first];
    const bounds = random(3) === 0 ? [] : ["--no-fuzz-oob"];
    const passes = PASSES[random(PASSES.length)] ?? [];
    await execute(process.execPath, [WASM_OPT, "-ttf", input, "-o", output, ...options, ...FEATURES, ...bounds, ...passes], { signal });
    return Uint8Array.from(await readFile(output));
  } finally {
    await rm(folder, { recursive: true });
  }
}
