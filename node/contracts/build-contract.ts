// From a contract's folder to its module: compiles its source, or takes a module that is there, and checks it by the rules of the network.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { NEAR_PAGES } from "#node/vm/module/module-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { type ContractAbi, parseContractAbi } from "#shared/protocol/transactions/contracts.ts";
import { type BuiltContract, checkBuilt } from "./check-module.ts";
import { CLIENT_FILE, writeClient } from "./client/write-client.ts";
import { compileAssemblyScript } from "./compilers/assemblyscript.ts";
import type { CompiledContract, CompilerInput } from "./compilers/compiled-contract.ts";
import { compileWithToolchain, runTool } from "./compilers/toolchains.ts";
import { CONTRACT_FILES, type ContractLanguage, type ContractProject, LANGUAGE_SOURCES, openContract } from "./contract-project.ts";
import { refusalsOf } from "./interface/refusals.ts";
import { readTypedSource, type TypedSource } from "./interface/typed-source.ts";
import { faultSource } from "./lines/fault-source.ts";

/** How a contract is built. */
export interface BuildOptions {
  /** Pages of 64 KiB that its memory can grow to; what its folder says unless given, else as many as loads at the lower price allow. */
  readonly memoryPages?: number;
}

type Print = (line: string) => void;

/** A contract with what its compiler knows of names and lines, when it was compiled here. */
export interface BuildResult extends BuiltContract {
  readonly compiled?: CompiledContract;
  /** Files that a build writes beside the module: the ABI that the source declares, and a client. */
  readonly generated?: ReadonlyMap<string, string>;
}

/**
 * Builds and checks the contract of a folder, or checks a module that is there. Nothing is written but what an author's own command writes.
 * `print` is given what compilers say, line by line.
 * @throws CodedError CONFIG_INVALID in words for its author.
 */
export async function buildContract(path: string, print: Print, options: BuildOptions = {}): Promise<BuildResult> {
  const project = openContract(path);
  const { builder } = project;
  const memoryPages = options.memoryPages ?? project.memoryPages;
  if (builder.kind === "source") return await compileSource(project, builder, { memoryPages, print });
  const { abi, abiJson } = readAbi(project);
  if (memoryPages !== undefined)
    throw new CodedError(
      "CONFIG_INVALID",
      `--memory, or memory of ${CONTRACT_FILES.manifest}, is for contracts that parley builds: ${project.module} was built by something else`,
    );
  if (builder.kind === "command") runCommand(project, builder.command, print);
  const code = readModule(project);
  checkBuilt(project.module, { code, abi }, faultSource(code));
  return { code, abi, abiJson };
}

interface Compilation {
  readonly memoryPages: number | undefined;
  readonly print: Print;
}

async function compileSource(
  project: ContractProject,
  { language, source }: Extract<ContractProject["builder"], { readonly kind: "source" }>,
  { memoryPages = NEAR_PAGES, print }: Compilation,
): Promise<BuildResult> {
  const typed = language === "as" ? await readTypedSource(project.folder, source) : undefined;
  const { abi, abiJson } = typed === undefined ? readAbi(project) : declaredAbi(typed);
  const methods = abi.methods.map(({ name }) => name);
  const input = { folder: project.folder, source, methods, memoryPages, print };
  const hasEvents = (abi.events ?? []).length > 0;
  const compiled = await compile(language, typed === undefined ? input : { ...input, sources: typed.sources, hasEvents });
  const code = withoutCustomSections(compiled.module);
  checkBuilt(project.module, { code, abi }, faultSource(code, compiled));
  const generated = new Map([[CLIENT_FILE, writeClient(abi, typed === undefined ? [] : refusalsOf(typed.declared))]]);
  if (typed !== undefined) generated.set(CONTRACT_FILES.abi, abiJson);
  return { code, abi, abiJson, compiled, generated };
}

/** Writes a contract that was compiled, and its names and lines beside it. @throws CodedError CONFIG_INVALID */
export function saveContract(path: string, { code, compiled, generated }: BuildResult): void {
  if (compiled === undefined) return;
  const project = openContract(path);
  const debug = debugFiles(project);
  try {
    writeFileSync(project.module, code);
    for (const [name, text] of generated ?? []) writeFileSync(join(project.folder, name), text);
    writeFileSync(debug.module, compiled.module);
    if (compiled.sourceMap === undefined) rmSync(debug.sourceMap, { force: true });
    else writeFileSync(debug.sourceMap, compiled.sourceMap);
  } catch (cause) {
    throw new CodedError("CONFIG_INVALID", `${project.folder} cannot be written: check its permissions`, { cause });
  }
}

/** The contract of a folder or a module as it was built. @throws CodedError CONFIG_INVALID when it was not. */
export function readBuiltContract(path: string): BuiltContract {
  const project = openContract(path);
  return { code: readModule(project), ...readAbi(project) };
}

/** Where names and line numbers of a module are kept, which are not deployed. */
export function debugFiles({ module }: Pick<ContractProject, "module">): { readonly module: string; readonly sourceMap: string } {
  return { module: module.replace(/\.wasm$/, ".debug.wasm"), sourceMap: `${module}.map` };
}

/** The ABI as a file of the folder has it. */
function declaredAbi({ declared: { abi } }: TypedSource): { readonly abi: ContractAbi; readonly abiJson: string } {
  return { abi, abiJson: JSON.stringify(abi) };
}

function compile(language: ContractLanguage, input: CompilerInput): CompiledContract | Promise<CompiledContract> {
  return language === "as" ? compileAssemblyScript(input) : compileWithToolchain(language, input);
}

function runCommand({ folder, module }: ContractProject, command: readonly string[], print: Print): void {
  const { isDone, lines } = runTool(command, folder);
  for (const line of lines) print(line);
  if (!isDone) throw new CodedError("CONFIG_INVALID", `"${command.join(" ")}", which builds ${module}, failed`);
}

function readModule({ folder, module, builder }: ContractProject): Uint8Array {
  if (existsSync(module)) return readFileSync(module);
  if (builder.kind === "source") throw new CodedError("CONFIG_INVALID", `${module} is not there: run parley contract build first`);
  const sources = Object.values(LANGUAGE_SOURCES).join(", ");
  throw new CodedError(
    "CONFIG_INVALID",
    `${module} is not there: ${folder} needs that, a source (${sources}), or a ${CONTRACT_FILES.manifest} that says how to build it`,
  );
}

function readAbi({ folder, abi: path }: ContractProject): { readonly abi: ContractAbi; readonly abiJson: string } {
  if (!existsSync(path))
    throw new CodedError(
      "CONFIG_INVALID",
      `${folder} has no ${path === join(folder, CONTRACT_FILES.abi) ? CONTRACT_FILES.abi : path}: a contract has that beside its source or module`,
    );
  const abiJson = readFileSync(path, "utf8");
  const abi = parseContractAbi(abiJson);
  if (abi !== undefined) return { abi, abiJson };
  throw new CodedError("CONFIG_INVALID", `${path} is not an ABI: JSON with contract, version and methods, each with name and args`);
}
