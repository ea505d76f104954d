import { describe, expect, it } from "vitest";
import { onOneLine } from "#node/cli/session/printing/printable-line.ts";
import { type Column, displayWidth, fieldLines, tableLines } from "#node/cli/session/printing/table.ts";
import { terminalJson } from "#node/cli/session/printing/terminal-json.ts";
import { durationOf, timeOfSeconds } from "#node/cli/session/printing/times.ts";

const ESC = "\u001b";
/** Texts that strangers choose: each tries to do something to the terminal. */
const HOSTILE = [`${ESC}[2Jgone`, "a\rb", "\u009b31mred", "\u202eevil", "a\u2066b", "x\u0007", "zero\u200bwidth", "tab\there", "del\u007f"];

type Item = readonly [count: string, name: string];
const COLUMNS: readonly Column<Item>[] = [
  { head: "N", cell: ([count]) => count, isNumber: true },
  { head: "NAME", cell: ([, name]) => name },
];

/** Characters that a terminal follows or that turn text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const DANGEROUS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

describe("a table", () => {
  it("aligns texts left and numbers right under their heads", () => {
    expect(
      tableLines(
        [
          ["5", "five"],
          ["1000", "thousand"],
        ],
        COLUMNS,
      ),
    ).toEqual(["   N  NAME", "   5  five", "1000  thousand"]);
    expect(tableLines([], COLUMNS)).toEqual([]);
  });

  it("counts wide letters twice and marks not at all", () => {
    expect([displayWidth("日本"), displayWidth("e\u0301"), displayWidth("🎉"), displayWidth("abc")]).toEqual([4, 1, 2, 3]);
  });

  it.each(HOSTILE)("shows %j without what it does to a terminal", (text) => {
    const printed = [...tableLines([[text, text]], COLUMNS), ...fieldLines([["name", text]]), onOneLine(text), terminalJson({ text })];
    for (const line of printed) expect(line).not.toMatch(DANGEROUS);
    expect(JSON.parse(terminalJson({ text }))).toEqual({ text });
  });

  it("gives no cell a second line or the gap of a column", () => {
    const lines = tableLines([["1", "line\nbreak    1000 T   paid"]], COLUMNS);
    expect(lines).toEqual(["N  NAME", "1  line⏎break 1000 T paid"]);
  });
});

describe("JSON", () => {
  it("keeps integers of any size and characters beyond the first plane", () => {
    expect(terminalJson({ big: 2n ** 64n - 1n, tag: "\u{e0041}", joy: "🎉" })).toBe(
      '{"big":18446744073709551615,"tag":"\\udb40\\udc41","joy":"🎉"}',
    );
  });
});

describe("times", () => {
  it("are UTC to the second, and the number where there is no such time", () => {
    expect(timeOfSeconds(0)).toBe("1970-01-01T00:00:00Z");
    expect([timeOfSeconds(9e15), timeOfSeconds(Number.NaN)]).toEqual(["9000000000000000", "NaN"]);
  });

  it.each([
    [0, "0 s"],
    [59, "59 s"],
    [3_600, "1 h"],
    [90_061, "1 d 1 h"],
  ])("%i seconds are %s", (seconds, words) => {
    expect(durationOf(seconds)).toBe(words);
  });
});
