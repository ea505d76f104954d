// Modules that binaryen's generator for fuzzing makes out of random bytes: other shapes of code than ours, written by people who look for bugs
// of engines. They have floats, see integer-module.ts.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { randomNumbers } from "./random-module.ts";

const WASM_OPT = fileURLToPath(new URL("bin/wasm-opt", import.meta.resolve("binaryen")));
/** What of WebAssembly contracts may use, beside floats. */
const FEATURES = ["--mvp-features", "--enable-mutable-globals", "--enable-sign-ext", "--enable-bulk-memory-opt"] as const;
/** The generator stops when it has used up its input: code grows with it. */
const SIZES = [300, 2_000, 8_000, 30_000] as const;

/** The module of a seed. */
export function binaryenModule(seed: number): Uint8Array {
  const random = randomNumbers(seed);
  const folder = mkdtempSync(join(tmpdir(), "parley-binaryen-"));
  try {
    const [input, output] = [join(folder, "input"), join(folder, "output.wasm")];
    const size = SIZES[random(SIZES.length)] ?? SIZES[0];
    writeFileSync(
      input,
      Uint8Array.from({ length: size }, () => random(256)),
    );
    execFileSync(process.execPath, [WASM_OPT, "-ttf", input, "-o", output, ...FEATURES, ...passes(random)], { stdio: "ignore" });
    return Uint8Array.from(readFileSync(output));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Half of them as its optimiser leaves them: what compilers give to authors. */
function passes(random: (below: number) => number): readonly string[] {
  return [[], [], ["-O1"], ["-O3"]][random(4)] ?? [];
}
