// From a contract's folder to its module: compiles contract.ts with the AssemblyScript compiler and the SDK, and checks the result by the
// rules of the network.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inspectModule } from "#node/vm/contract-vm.ts";
import { NEAR_PAGES } from "#node/vm/module/module-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ContractAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";

/** A contract that the network takes. */
export interface BuiltContract {
  readonly code: Uint8Array;
  readonly abi: ContractAbi;
  readonly abiJson: string;
}

/** Files of a contract's folder. */
export const CONTRACT_FILES = { source: "contract.ts", abi: "abi.json", module: "contract.wasm", test: "contract.test.ts" } as const;

/** Folder of the SDK. */
export const SDK_FOLDER = fileURLToPath(new URL("./sdk", import.meta.url));

const COMPILER_OPTIONS = ["-Oz", "--runtime", "stub", "--exportStart", "_start", "--initialMemory", "1"] as const;

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

/** How a contract is built. */
export interface BuildOptions {
  /** Pages of 64 KiB that its memory can grow to; as many as loads at the lower price allow unless said. */
  readonly memoryPages?: number;
}

/**
 * Compiles and checks the contract of a folder; `print` is given what the compiler says, line by line.
 * @throws CodedError CONFIG_INVALID in words for its author.
 */
export async function buildContract(folder: string, print: (line: string) => void, options: BuildOptions = {}): Promise<BuiltContract> {
  const { abi, abiJson } = readAbi(folder);
  const code = await compile(folder, print, options);
  checkBuilt(code, abi);
  return { code, abi, abiJson };
}

/** The contract of a folder as it was built. @throws CodedError CONFIG_INVALID when it was not. */
export function readBuiltContract(folder: string): BuiltContract {
  const path = join(folder, CONTRACT_FILES.module);
  if (!existsSync(path)) throw new CodedError("CONFIG_INVALID", `${path} is not there: run parley contract build first`);
  return { code: readFileSync(path), ...readAbi(folder) };
}

/** Checks a module and its ABI by the rules of the network. @throws CodedError CONFIG_INVALID */
export function checkBuilt(code: Uint8Array, abi: ContractAbi): void {
  const inspection = inspectModule(code);
  if (!inspection.isValid) throw new CodedError("CONFIG_INVALID", `The network would refuse the module: ${inspection.message}`);
  const missing = abi.methods.find(({ name }) => !inspection.entries.has(name));
  if (missing !== undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `The ABI lists the method ${missing.name}, and the module exports no such function: export function ${missing.name}(): void`,
    );
}

async function compile(folder: string, print: (line: string) => void, { memoryPages = NEAR_PAGES }: BuildOptions): Promise<Uint8Array> {
  const compiler = await loadCompiler();
  const said: string[] = [];
  const files = new Map<string, Uint8Array | string>();
  const memory = ["--maximumMemory", String(memoryPages)];
  const paths = ["--lib", SDK_FOLDER, "--baseDir", folder, "--outFile", CONTRACT_FILES.module];
  const args = [CONTRACT_FILES.source, ...COMPILER_OPTIONS, ...memory, ...paths];
  const { error } = await compiler.main(args, {
    readFile: (name, baseDir) => readOrNull(join(baseDir, name)) ?? readOrNull(name),
    writeFile: (name, contents) => void files.set(name, contents),
    stderr: { write: (text) => void said.push(text) },
  });
  const report = said.join("").trim();
  if (report !== "") for (const line of report.split("\n")) print(line);
  const code = files.get(CONTRACT_FILES.module);
  if (error !== null || !(code instanceof Uint8Array))
    throw new CodedError("CONFIG_INVALID", `${join(folder, CONTRACT_FILES.source)} cannot be compiled`, { cause: error ?? undefined });
  return code;
}

async function loadCompiler(): Promise<Compiler> {
  // A name that is no literal: the compiler is a tool of authors and has no types of its own for other programs.
  const name = "assemblyscript/asc";
  try {
    return (await import(name)) as Compiler;
  } catch (cause) {
    throw new CodedError(
      "CONFIG_INVALID",
      "The AssemblyScript compiler is not installed: run npm install in the folder of Parley (its package is assemblyscript)",
      { cause },
    );
  }
}

function readAbi(folder: string): Pick<BuiltContract, "abi" | "abiJson"> {
  const abiJson = readOrNull(join(folder, CONTRACT_FILES.abi));
  if (abiJson === null)
    throw new CodedError(
      "CONFIG_INVALID",
      `${folder} has no ${CONTRACT_FILES.abi}: the folder of a contract has that and ${CONTRACT_FILES.source}`,
    );
  const abi = parseContractAbi(abiJson);
  if (abi !== undefined) return { abi, abiJson };
  throw new CodedError(
    "CONFIG_INVALID",
    `${CONTRACT_FILES.abi} is not an ABI: JSON with contract, version and methods, each with name and args`,
  );
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
