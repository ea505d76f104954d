// A typed contract: the interface that its source declares, and the sources as they are compiled.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTRACT_FILES } from "../contract-project.ts";
import { checkCollections, checkViews } from "./check-views.ts";
import { type ContractInterface, readInterface } from "./read-interface.ts";
import { type ReadFile, readSources } from "./read-sources.ts";
import { readSdkSource } from "./sdk-files.ts";
import { loadParser } from "./syntax-tree.ts";
import { writeSources } from "./write-sources.ts";

export interface TypedSource {
  readonly declared: ContractInterface;
  /** Text of every source by its path in the folder. */
  readonly sources: ReadonlyMap<string, string>;
}

/** What a source declares, checked; undefined when abi.json says what it offers. @throws SourceError at what is wrong */
export async function readTypedSource(folder: string, entry: string): Promise<TypedSource | undefined> {
  const read: ReadFile = (path) =>
    readSdkSource(path) ?? (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined);
  const declared = readInterface(readSources(entry, await loadParser(), read), read(CONTRACT_FILES.abi) !== undefined);
  if (declared === undefined) return undefined;
  checkCollections(declared, read);
  checkViews(declared, read);
  return { declared, sources: writeSources(declared) };
}
