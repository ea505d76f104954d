// Names of functions and lines of the source that a deployer published with a module, by which a failure is located. Claims, like the source.
import { fromUtf8, utf8 } from "#shared/util/bytes.ts";
import { customSectionOf, type Inflate, withCustomSection } from "./contract-source.ts";

/** Section with the JSON of {@link PublishedLines}, deflated. */
export const LINES_SECTION = "parley.lines";

/** Limits of the section; docs/limits.md lists them. */
export const MAX_LINES = { bytes: 1_048_576, functions: 4_096, files: 64, rows: 32_768, nameChars: 96 } as const;

/** Lines of the author's own sources. Positions are those in the bytes of the module, in order. */
export interface PublishedLines {
  readonly format: 1;
  /** Index, name and position of the body of each function. */
  readonly functions: readonly (readonly [index: number, name: string, start: number])[];
  readonly files: readonly string[];
  /** From a position on, the code belongs to a line of a file; columns count from 1, and 0 is unknown. */
  readonly rows: readonly (readonly [at: number, file: number, line: number, column: number])[];
}

/** Where a call ended, as a node says it. */
export interface FaultPlace {
  readonly function_index: number;
  /** Position of the instruction in the bytes of the module. */
  readonly offset?: number | undefined;
}

const SHOWN_CALLERS = 3;
const NAME = /^[\x20-\x7e]*$/;

/** The module with the lines behind it. `deflate` makes raw deflate of the JSON. */
export async function withLines(
  module: Uint8Array,
  lines: PublishedLines,
  deflate: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  return withCustomSection(module, LINES_SECTION, await deflate(utf8(JSON.stringify(lines))));
}

/** The lines that a module brings along; undefined when it brings none that are well-formed. */
export async function readPublishedLines(module: Uint8Array, inflate: Inflate): Promise<PublishedLines | undefined> {
  const section = customSectionOf(module, LINES_SECTION);
  const json = section === undefined ? undefined : await inflate(section, MAX_LINES.bytes);
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(fromUtf8(json));
    return isLines(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** "divide (contract.ts:12:10), called by add (contract.ts:20:3)", from the author's own code on; "" when none of the places has a line. */
export function describePlaces(places: readonly FaultPlace[], lines: PublishedLines): string {
  const described = places.map((place) => describePlace(place, lines));
  const first = described.findIndex(({ hasLine }) => hasLine);
  if (first < 0) return "";
  const words = described.slice(first).map(({ text }) => text);
  const [innermost = "", ...callers] = words.filter((word, index) => word !== words[index - 1]);
  return [innermost, ...callers.slice(0, SHOWN_CALLERS)].join(", called by ");
}

function describePlace(
  { function_index: index, offset }: FaultPlace,
  { functions, files, rows }: PublishedLines,
): { readonly text: string; readonly hasLine: boolean } {
  const found = functions.find(([known]) => known === index);
  const [, name = `function ${index}`, start = 0] = found ?? [];
  const row = found === undefined || offset === undefined ? undefined : rows.findLast(([at]) => at <= offset && at >= start);
  if (row === undefined) return { text: name, hasLine: false };
  const [, file, line, column] = row;
  const at = column === 0 ? `${line}` : `${line}:${column}`;
  return { text: `${name} (${files[file] ?? ""}:${at})`, hasLine: true };
}

function isLines(value: unknown): value is PublishedLines {
  if (typeof value !== "object" || value === null) return false;
  const { format, functions, files, rows } = value as Partial<Record<keyof PublishedLines, unknown>>;
  if (format !== 1 || !isList(functions, MAX_LINES.functions) || !isList(files, MAX_LINES.files) || !isList(rows, MAX_LINES.rows))
    return false;
  const isName = (text: unknown): boolean => typeof text === "string" && text.length <= MAX_LINES.nameChars && NAME.test(text);
  const isFunction = (item: unknown): boolean => isTuple(item, 3) && isCount(item[0]) && isName(item[1]) && isCount(item[2]);
  const isRow = (item: unknown): boolean => isTuple(item, 4) && item.every(isCount) && Number(item[1]) < files.length;
  return functions.every(isFunction) && files.every(isName) && rows.every(isRow);
}

function isList(value: unknown, most: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= most;
}

function isTuple(value: unknown, length: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length === length;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
