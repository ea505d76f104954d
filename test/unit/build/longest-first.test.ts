import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LONGEST } from "#build/longest-first.ts";
import { ROOT } from "#build/scripts/process.ts";

it("names test files that are there, each once", () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
