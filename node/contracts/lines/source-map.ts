// Source maps of WebAssembly modules: all of the module is one line, whose columns are positions in its bytes.
import type { LineTable } from "./line-table.ts";

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LIBRARY = "~lib/";

/** Lines of a source map, for a code section that begins at a position; none when it is no source map. */
export function readSourceMap(json: string, codeStart: number): LineTable {
  const map = parseMap(json);
  if (map === undefined) return [];
  const rows: LineTable[number][] = [];
  let [at, source, line, column] = [0, 0, 0, 0];
  for (const segment of map.mappings.split(",")) {
    const [atDelta = 0, sourceDelta, lineDelta = 0, columnDelta = 0] = decodeSegment(segment);
    at += atDelta;
    if (sourceDelta === undefined) continue;
    source += sourceDelta;
    line += lineDelta;
    column += columnDelta;
    const file = map.sources[source] ?? "";
    rows.push({ at: at - codeStart, file, line: line + 1, column: column + 1, isOwn: !file.startsWith(LIBRARY) });
  }
  return rows.sort((a, b) => a.at - b.at);
}

function parseMap(json: string): SourceMap | undefined {
  try {
    const value = JSON.parse(json) as Partial<SourceMap> | null;
    if (typeof value?.mappings !== "string" || !Array.isArray(value.sources)) return undefined;
    return { mappings: value.mappings, sources: value.sources.map(String) };
  } catch {
    return undefined;
  }
}

/** Signed integers in base 64, five bits a digit, the sign in the lowest bit. */
function decodeSegment(segment: string): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) * scale;
    scale *= 32;
    if ((digit & 32) !== 0) continue;
    numbers.push(value % 2 === 1 ? -Math.floor(value / 2) : value / 2);
    value = 0;
    scale = 1;
  }
  return numbers;
}
