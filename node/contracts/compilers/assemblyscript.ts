// AssemblyScript to WebAssembly: the compiler is an npm package, the SDK comes with this program.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import { SDK_FOLDER, sdkSourcePath } from "../interface/sdk-files.ts";
import { COMPILER_MISSING } from "../interface/syntax-tree.ts";
import type { CompiledContract, CompilerInput } from "./compiled-contract.ts";

const OUTPUT = "contract.wasm";
/** Options that every build has. */
export const COMPILER_OPTIONS = [
  "-Oz",
  "--runtime",
  "stub",
  "--exportStart",
  "_start",
  "--initialMemory",
  "1",
  "--debug",
  "--sourceMap",
] as const;

/** The part of the compiler's interface that is used. */
interface Compiler {
  main(
    args: readonly string[],
    options: {
      readonly readFile: (name: string, baseDir: string) => string | null;
      readonly writeFile: (name: string, contents: Uint8Array | string) => void;
      readonly stderr: { write(text: string): void };
    },
  ): Promise<{ readonly error: Error | null }>;
}

/** @throws CodedError CONFIG_INVALID in words for the author */
export async function compileAssemblyScript(input: CompilerInput): Promise<CompiledContract> {
  const { folder, source, memoryPages, print, sources, hasEvents } = input;
  const compiler = await loadCompiler();
  const said: string[] = [];
  const files = new Map<string, Uint8Array | string>();
  const memory = ["--maximumMemory", String(memoryPages)];
  const paths = ["--lib", SDK_FOLDER, "--baseDir", folder, "--outFile", OUTPUT];
  const defined = hasEvents === true ? ["--use", "PARLEY_HAS_EVENTS=1"] : [];
  const { error } = await compiler.main([source, ...COMPILER_OPTIONS, ...memory, ...paths, ...defined], {
    readFile: (name, baseDir) =>
      sources?.get(baseDir === SDK_FOLDER ? sdkSourcePath(name) : name) ?? readOrNull(join(baseDir, name)) ?? readOrNull(name),
    writeFile: (name, contents) => void files.set(name, contents),
    stderr: { write: (text) => void said.push(text) },
  });
  const report = said.join("").trim();
  if (report !== "") for (const line of report.split("\n")) print(line);
  const module = files.get(OUTPUT);
  const sourceMap = files.get(`${OUTPUT}.map`);
  if (error !== null || !(module instanceof Uint8Array))
    throw new CodedError("CONFIG_INVALID", `${join(folder, source)} cannot be compiled`, { cause: error ?? undefined });
  return { module, ...(typeof sourceMap === "string" ? { sourceMap } : {}) };
}

/** Name and version of the compiler. */
export function assemblyScriptVersion(): string {
  const { version } = createRequire(import.meta.url)("assemblyscript/package.json") as { readonly version: string };
  return `assemblyscript ${version}`;
}

async function loadCompiler(): Promise<Compiler> {
  // A name that is no literal: the compiler is a tool of authors and has no types of its own for other programs.
  const name = "assemblyscript/asc";
  try {
    return (await import(name)) as Compiler;
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", COMPILER_MISSING, { cause });
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // The compiler looks for a file in several places; what cannot be read is not there.
    if (error instanceof Error && "syscall" in error) return null;
    throw error;
  }
}
