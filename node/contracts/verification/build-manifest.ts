// How the contract of a folder is built: what has to be the same for its module to come out the same.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { NEAR_PAGES } from "#node/vm/module/module-limits.ts";
import { type BuildManifest, sourceHash } from "#shared/content/contract-source.ts";
import { assemblyScriptVersion, COMPILER_OPTIONS } from "../compilers/assemblyscript.ts";
import { toolchainVersion } from "../compilers/toolchains.ts";
import { CONTRACT_FILES, type ContractLanguage, openContract } from "../contract-project.ts";
import { readSources } from "../interface/read-sources.ts";
import { readSdkSource, SDK_FOLDER } from "../interface/sdk-files.ts";
import { loadParser } from "../interface/syntax-tree.ts";

/** A contract's sources by their paths, and how they are built. */
export interface SourceManifest {
  readonly manifest: BuildManifest;
  readonly files: ReadonlyMap<string, string>;
}

const ENDINGS: Readonly<Record<Exclude<ContractLanguage, "as">, readonly string[]>> = { c: [".c", ".h"], rust: [".rs"], zig: [".zig"] };

/** Undefined for a module that Parley does not build from its source. `pages` are those that a build was given. */
export async function manifestOf(folder: string, pages?: number): Promise<SourceManifest | undefined> {
  const { builder, memoryPages = NEAR_PAGES } = openContract(folder);
  if (builder.kind !== "source") return undefined;
  const { language, source } = builder;
  const paths = language === "as" ? await importedSources(folder, source) : filesWith(folder, ENDINGS[language]);
  // A source beside the folder has no path that another machine has.
  if (paths.some((path) => path.startsWith(".."))) return undefined;
  const abi = isTyped(folder, source) ? [] : [CONTRACT_FILES.abi];
  const files = new Map([...paths, ...abi].sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const manifest: BuildManifest = {
    format: 1,
    language,
    compiler: language === "as" ? assemblyScriptVersion() : toolchainVersion(language),
    options: language === "as" ? [...COMPILER_OPTIONS] : [],
    memory_pages: pages ?? memoryPages,
    sdk: sdkHash(),
    sources: Object.fromEntries([...files].map(([path, text]) => [path, sourceHash(text)])),
  };
  return { manifest, files };
}

/** What differs between two ways of building, in a line each; the sources apart. */
export function toolDifferences(deployed: BuildManifest, here: BuildManifest): readonly string[] {
  const fields = ["language", "compiler", "sdk", "memory_pages"] as const;
  const lines = fields
    .filter((field) => deployed[field] !== here[field])
    .map((field) => `${field}: ${deployed[field]}, here ${here[field]}`);
  const [theirs, ours] = [deployed.options.join(" "), here.options.join(" ")];
  return theirs === ours ? lines : [...lines, `options: ${theirs}, here ${ours}`];
}

/** Which sources differ, are missing here, or are here and were not there. */
export function sourceDifferences(deployed: BuildManifest, here: BuildManifest): readonly string[] {
  const paths = [...new Set([...Object.keys(deployed.sources), ...Object.keys(here.sources)])].sort();
  return paths.flatMap((path) => {
    const [theirs, ours] = [deployed.sources[path], here.sources[path]];
    if (theirs === ours) return [];
    if (ours === undefined) return [`${path} is missing here`];
    return [theirs === undefined ? `${path} was not part of it` : `${path} is another one`];
  });
}

async function importedSources(folder: string, entry: string): Promise<readonly string[]> {
  const read = (path: string): string | undefined =>
    readSdkSource(path) ?? (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined);
  return readSources(entry, await loadParser(), read)
    .map(({ path }) => path)
    .filter((path) => readSdkSource(path) === undefined);
}

function isTyped(folder: string, source: string): boolean {
  return source === CONTRACT_FILES.source && /^export const NAME\b/m.test(readFileSync(join(folder, source), "utf8"));
}

function filesWith(folder: string, endings: readonly string[]): readonly string[] {
  return readdirSync(folder).filter((name) => endings.includes(extname(name)));
}

function sdkHash(): string {
  const hash = createHash("sha256");
  const files = readdirSync(SDK_FOLDER, { recursive: true, encoding: "utf8" }).filter((name) => extname(name) === ".ts");
  for (const name of files.map((file) => relative(".", file).split(sep).join("/")).sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(SDK_FOLDER, name)))
      .update("\0");
  return hash.digest("hex");
}
