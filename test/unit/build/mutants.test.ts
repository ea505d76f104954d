// Rows of the table of mutants stay true: each fits its file once, changes something, and names tests that exist.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { MUTANTS } from "#test/mutants/table.ts";
import { mutatedText } from "#test/support/host/mutation.ts";

describe("the table of mutants", () => {
  it("has at least a hundred rows, none twice", () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(100);
    expect(new Set(MUTANTS.map(({ file, from, to }) => JSON.stringify([file, from, to]))).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS.map(({ file, from, ...rest }) => [file, from, rest] as const))("fits %s: %s", (file, from, { to, tests }) => {
    expect(mutatedText({ file, from, to })).toContain(to);
    expect(to).not.toBe(from);
    for (const test of tests) expect([test, existsSync(join(ROOT, "test/unit", test))]).toEqual([test, true]);
  });

  it("refuses a text that is not there, or there twice", () => {
    const file = "test/mutants/mutant.ts";
    expect(() => mutatedText({ file, from: "no such text", to: "" })).toThrow("in 0 places");
    expect(() => mutatedText({ file, from: "readonly", to: "" })).toThrow(/in \d+ places/);
  });
});
