// The files of a contract: where its module, its ABI and its tests are, and what the module is built from.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MODULE_LIMITS } from "#node/vm/module/module-limits.ts";
import { CodedError } from "#shared/errors/coded-error.ts";

/** Files of a contract's folder. */
export const CONTRACT_FILES = {
  source: "contract.ts",
  abi: "abi.json",
  module: "contract.wasm",
  test: "contract.test.ts",
  manifest: "contract.json",
} as const;

/** Languages that `contract new` and `contract build` know, with the source that makes a folder one of theirs. */
export const LANGUAGE_SOURCES = { as: CONTRACT_FILES.source, c: "contract.c", rust: "contract.rs", zig: "contract.zig" } as const;

export type ContractLanguage = keyof typeof LANGUAGE_SOURCES;

/** A contract on disk. Paths begin with the folder as it was given. */
export interface ContractProject {
  readonly folder: string;
  readonly module: string;
  readonly abi: string;
  readonly test: string;
  /** Pages of 64 KiB that the memory of what parley builds can grow to; undefined when the folder does not say. */
  readonly memoryPages?: number;
  /** What builds the module: a compiler by the language of the source, a command of the author's own, or nothing. */
  readonly builder:
    | { readonly kind: "source"; readonly language: ContractLanguage; readonly source: string }
    | { readonly kind: "command"; readonly command: readonly string[] }
    | { readonly kind: "none" };
}

interface Manifest {
  readonly module?: string;
  readonly abi?: string;
  readonly test?: string;
  readonly build?: readonly string[];
  readonly memory?: number;
}

const MODULE_ENDING = ".wasm";
const MANIFEST_WORDS = `${CONTRACT_FILES.manifest} is a JSON object with the texts module, abi and test, build, a list of a command and its arguments, and memory, a number of pages from 1 to ${MODULE_LIMITS.pages}; all may be left out`;

export function isContractLanguage(text: string): text is ContractLanguage {
  return Object.hasOwn(LANGUAGE_SOURCES, text);
}

/** The contract of a folder, or of a module that was built before. @throws CodedError CONFIG_INVALID */
export function openContract(path: string): ContractProject {
  return path.endsWith(MODULE_ENDING) ? contractOfModule(path) : contractOfFolder(path);
}

/** Beside `name.wasm` its ABI is `name.abi.json` and its tests are `name.test.ts`, else the names that they have in a folder. */
function contractOfModule(module: string): ContractProject {
  const folder = dirname(module);
  const name = basename(module, MODULE_ENDING);
  const besides = (own: string, usual: string): string => join(folder, existsSync(join(folder, own)) ? own : usual);
  return {
    folder,
    module,
    abi: besides(`${name}.abi.json`, CONTRACT_FILES.abi),
    test: besides(`${name}.test.ts`, CONTRACT_FILES.test),
    builder: { kind: "none" },
  };
}

function contractOfFolder(folder: string): ContractProject {
  const manifest = readManifest(folder);
  return {
    folder,
    module: join(folder, manifest.module ?? CONTRACT_FILES.module),
    abi: join(folder, manifest.abi ?? CONTRACT_FILES.abi),
    test: join(folder, manifest.test ?? CONTRACT_FILES.test),
    ...(manifest.memory === undefined ? {} : { memoryPages: manifest.memory }),
    builder: builderOf(folder, manifest),
  };
}

function builderOf(folder: string, { build, module }: Manifest): ContractProject["builder"] {
  if (build !== undefined) return { kind: "command", command: build };
  if (module !== undefined) return { kind: "none" };
  const found = Object.entries(LANGUAGE_SOURCES).filter(([, source]) => existsSync(join(folder, source)));
  if (found.length > 1)
    throw new CodedError(
      "CONFIG_INVALID",
      `${folder} has ${found.map(([, source]) => source).join(" and ")}, and a contract is built from one of them: rename the others`,
    );
  const language = found[0]?.[0];
  if (language === undefined || !isContractLanguage(language)) return { kind: "none" };
  return { kind: "source", language, source: LANGUAGE_SOURCES[language] };
}

function readManifest(folder: string): Manifest {
  const path = join(folder, CONTRACT_FILES.manifest);
  if (!existsSync(path)) return {};
  const manifest = parseManifest(readFileSync(path, "utf8"));
  if (manifest === undefined) throw new CodedError("CONFIG_INVALID", `${path}: ${MANIFEST_WORDS}`);
  return manifest;
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isManifest(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, field]) => {
    if (name === "build") return Array.isArray(field) && field.length > 0 && field.every((word) => typeof word === "string" && word !== "");
    if (name === "memory") return Number.isInteger(field) && (field as number) >= 1 && (field as number) <= MODULE_LIMITS.pages;
    return ["module", "abi", "test"].includes(name) && typeof field === "string" && field !== "";
  });
}
