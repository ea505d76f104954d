import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inOrder, LONGEST } from "#build/longest-first.ts";
import { ROOT } from "#build/scripts/process.ts";

it("names test files that are there, each once", () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});

it("runs files with a process of their own by length, then those that share one, together", () => {
  const file = (name: string, rank: number, sharing: number): { file: string; rank: number; sharing: number } => ({
    file: name,
    rank,
    sharing,
  });
  const alone = [file("short", 9, -1), file("long", 1, -1), file("other", 9, -1)];
  const shared = [file("b", 9, 1), file("a", 9, 0), file("long b", 0, 1), file("other a", 9, 0), file("other b", 9, 1)];
  expect(inOrder([...shared, ...alone])).toEqual(["long", "short", "other", "a", "other a", "long b", "b", "other b"]);
});
