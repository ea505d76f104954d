// The sources of a contract: its own file and what it imports from its folder.
import { posix } from "node:path";
import { CodedError } from "#shared/errors/coded-error.ts";
import { libraryPath } from "./sdk-files.ts";
import { type ImportNode, NODE, nodesOf, type Parse, type ParsedSource, SourceError } from "./syntax-tree.ts";

/** Files of a contract at most. */
const MAX_SOURCES = 64;

/** Reads a file of the folder by its path; undefined when there is none. */
export type ReadFile = (path: string) => string | undefined;

/** The sources, the entry first. @throws SourceError at an import that leads nowhere */
export function readSources(entry: string, parse: Parse, read: ReadFile): readonly ParsedSource[] {
  const text = read(entry);
  if (text === undefined) throw new CodedError("CONFIG_INVALID", `${entry} cannot be read`);
  const sources = [parse(entry, text)];
  for (const source of sources) {
    for (const statement of nodesOf<ImportNode>(source.statements, NODE.import)) {
      const path = importedPath(source, statement, read);
      if (path === undefined || sources.some((known) => known.path === path)) continue;
      if (sources.length === MAX_SOURCES)
        throw new SourceError(source, statement.range.start, `a contract has at most ${MAX_SOURCES} files`);
      sources.push(parse(path, read(path) ?? ""));
    }
  }
  return sources;
}

/** Path of the file that an import names, of the contract's own folder or of the library; undefined for the rest of the SDK. */
export function importedPath(source: ParsedSource, { path, range }: ImportNode, read: ReadFile): string | undefined {
  const library = libraryPath(path.value);
  if (library !== undefined) {
    if (read(library) === undefined) throw new SourceError(source, range.start, `the library has no ${path.value}`);
    return library;
  }
  if (!path.value.startsWith(".")) return undefined;
  const base = posix.join(posix.dirname(source.path), path.value);
  const found = [`${base}.ts`, `${base}/index.ts`].find((candidate) => read(candidate) !== undefined);
  if (found === undefined) throw new SourceError(source, range.start, `there is no file ${base}.ts`);
  return found;
}
