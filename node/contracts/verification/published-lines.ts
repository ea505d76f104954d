// Names and lines of a contract as its deployer publishes them, from what the compiler left beside the module.
import { existsSync, readFileSync } from "node:fs";
import { functionNames } from "#node/vm/faults/module-names.ts";
import { plainSection, withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { parseModule, SECTION } from "#node/vm/module/parse-module.ts";
import { MAX_LINES, type PublishedLines } from "#shared/content/contract-lines.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { readDwarfLines } from "../lines/dwarf-lines.ts";
import type { LineTable } from "../lines/line-table.ts";
import { readSourceMap } from "../lines/source-map.ts";

/** Files that a build left. */
export interface DebugFiles {
  readonly module: string;
  readonly sourceMap: string;
}

/** Lines of the sources of the manifest; undefined when the build left none that belong to the module. */
export function publishedLines(module: Uint8Array, files: DebugFiles, sources: ReadonlySet<string>): PublishedLines | undefined {
  if (!existsSync(files.module)) return undefined;
  const named = readFileSync(files.module);
  if (!equalBytes(withoutCustomSections(named), withoutCustomSections(module))) return undefined;
  const parsed = parseModule(module);
  const names = functionNames(parsed, named);
  const functions = parsed.bodies.map(({ at }, index): PublishedLines["functions"][number] => {
    const functionIndex = parsed.imports.length + index;
    return [functionIndex, names.get(functionIndex) ?? "", at];
  });
  const codeStart = plainSection(module, SECTION.code)?.at ?? 0;
  const rows = ownRows(lineTable(named, files), sources);
  const paths = [...new Set(rows.map(({ file }) => file))];
  return {
    format: 1,
    functions: functions.filter(([, name]) => name !== ""),
    files: paths,
    rows: rows.slice(0, MAX_LINES.rows).map(({ at, file, line, column }) => [at + codeStart, paths.indexOf(file), line, column]),
  };
}

function lineTable(named: Uint8Array, { sourceMap }: DebugFiles): LineTable {
  if (!existsSync(sourceMap)) return readDwarfLines(named);
  return readSourceMap(readFileSync(sourceMap, "utf8"), plainSection(named, SECTION.code)?.at ?? 0);
}

/** Rows of the author's files, without those that say the same line again. */
function ownRows(table: LineTable, sources: ReadonlySet<string>): LineTable {
  return table
    .filter(({ file, isOwn }) => isOwn && sources.has(file))
    .filter((row, index, rows) => {
      const before = rows[index - 1];
      return before === undefined || before.file !== row.file || before.line !== row.line || before.column !== row.column;
    });
}
