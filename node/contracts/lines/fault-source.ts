// What is known of a module's source: names and lines that its compiler left beside it.
import { existsSync, readFileSync } from "node:fs";
import type { FaultSource } from "#node/vm/faults/code-place.ts";
import { plainSection, withoutCustomSections } from "#node/vm/module/custom-sections.ts";
import { SECTION } from "#node/vm/module/parse-module.ts";
import { readDwarfLines } from "./dwarf-lines.ts";
import { type LineTable, lineAt } from "./line-table.ts";
import { readSourceMap } from "./source-map.ts";

/** Names and lines of a module. */
export interface DebugModule {
  readonly module: Uint8Array;
  readonly sourceMap?: string | undefined;
}

/** The source of a module, as far as its debug module belongs to it; else its own names and lines, if it has any. */
export function faultSource(code: Uint8Array, debug?: DebugModule): FaultSource {
  const isSame = debug !== undefined && Buffer.compare(withoutCustomSections(debug.module), withoutCustomSections(code)) === 0;
  const { module: named, sourceMap } = isSame ? debug : { module: code };
  const codeStart = plainSection(code, SECTION.code)?.at ?? 0;
  const namedStart = plainSection(named, SECTION.code)?.at ?? 0;
  let table: LineTable | undefined;
  const lines = (): LineTable => {
    table ??= sourceMap === undefined ? readDwarfLines(named) : readSourceMap(sourceMap, namedStart);
    return table;
  };
  return {
    code,
    named,
    lineOf: ({ at, body }) => (at === undefined ? undefined : lineAt(lines(), at - codeStart, body.start - codeStart)),
  };
}

/** The same with the files that a build left. */
export function readFaultSource(code: Uint8Array, files: { readonly module: string; readonly sourceMap: string }): FaultSource {
  if (!existsSync(files.module)) return faultSource(code);
  const sourceMap = existsSync(files.sourceMap) ? readFileSync(files.sourceMap, "utf8") : undefined;
  return faultSource(code, { module: readFileSync(files.module), sourceMap });
}
