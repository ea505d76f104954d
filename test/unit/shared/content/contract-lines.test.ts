// Lines that a deployer published: whole or none, and never more than their bounds.
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRaw } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  describePlaces,
  LINES_SECTION,
  MAX_LINES,
  type PublishedLines,
  readPublishedLines,
  withLines,
} from "#shared/content/contract-lines.ts";
import { type Inflate, withCustomSection } from "#shared/content/contract-source.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { buildModule } from "#test/support/vm/wasm-builder.ts";

const MODULE = buildModule({ functions: [{ code: [], export: "run" }] });
const LINES: PublishedLines = {
  format: 1,
  functions: [
    [3, "divide", 100],
    [4, "add", 200],
    [5, "~lib/rt/panic", 300],
  ],
  files: ["contract.ts", "sums.ts"],
  rows: [
    [110, 0, 12, 10],
    [120, 0, 13, 0],
    [210, 1, 20, 3],
  ],
};
const inflate: Inflate = (bytes, most) => promisify(inflateRaw)(bytes, { maxOutputLength: most }).catch(() => undefined);
const read = (value: unknown): Promise<PublishedLines | undefined> =>
  readPublishedLines(withCustomSection(MODULE, LINES_SECTION, deflateRawSync(utf8(JSON.stringify(value)))), inflate);

describe("lines of a module", () => {
  it("are read as they were written", async () => {
    const module = await withLines(MODULE, LINES, promisify(deflateRaw));
    expect(await readPublishedLines(module, inflate)).toEqual(LINES);
    expect(await readPublishedLines(MODULE, inflate)).toBeUndefined();
  });

  it.each([
    ["another format", { ...LINES, format: 2 }],
    ["a list", []],
    ["null", null],
    ["a name with a control character", { ...LINES, functions: [[1, "a\u202eb", 0]] }],
    ["a long name", { ...LINES, functions: [[1, "a".repeat(MAX_LINES.nameChars + 1), 0]] }],
    ["a file that is not there", { ...LINES, rows: [[1, 2, 1, 1]] }],
    ["a negative position", { ...LINES, rows: [[-1, 0, 1, 1]] }],
    ["a fraction", { ...LINES, rows: [[1, 0, 1.5, 1]] }],
    ["a row that is too short", { ...LINES, rows: [[1, 0, 1]] }],
    ["too many files", { ...LINES, files: Array.from({ length: MAX_LINES.files + 1 }, () => "a") }],
    ["too many rows", { ...LINES, rows: Array.from({ length: MAX_LINES.rows + 1 }, () => [1, 0, 1, 1]) }],
  ])("are none with %s", async (_what, value) => {
    expect(await read(value)).toBeUndefined();
  });

  it("are none where they inflate beyond the bound, or are no deflate", async () => {
    expect(await read({ ...LINES, more: "x".repeat(MAX_LINES.bytes) })).toBeUndefined();
    expect(await readPublishedLines(withCustomSection(MODULE, LINES_SECTION, utf8("no deflate")), inflate)).toBeUndefined();
  });
});

describe("the words for places", () => {
  it("begin at the author's own code, with its callers", () => {
    const places = [
      { function_index: 5, offset: 310 },
      { function_index: 3, offset: 115 },
      { function_index: 4, offset: 215 },
      { function_index: 9, offset: 9 },
    ];
    expect(describePlaces(places, LINES)).toBe("divide (contract.ts:12:10), called by add (sums.ts:20:3), called by function 9");
    expect(describePlaces([{ function_index: 3, offset: 130 }], LINES)).toBe("divide (contract.ts:13)");
  });

  it("are none without a line: before the first one of a function, without an offset, in a function of the library", () => {
    for (const place of [
      { function_index: 4, offset: 205 },
      { function_index: 3 },
      { function_index: 5, offset: 400 },
      { function_index: 9, offset: 110 },
    ])
      expect(describePlaces([place], LINES)).toBe("");
    expect(describePlaces([], LINES)).toBe("");
  });
});
