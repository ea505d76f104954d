// Paths that comments and texts of the sources name lead to files: imports are checked by the compiler, these by nothing else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

const FOLDERS = [
  "build",
  "client",
  "electron",
  "examples",
  "node",
  "renderer",
  "shared",
  "test/bench",
  "test/e2e",
  "test/siege",
  "test/simulation",
  "test/soak",
  "test/support",
];
const PATH =
  /(?<![\w./#@:-])(?:build|docs|electron|node|renderer|shared|test)(?:\/[\w-]+){2,}(?:\.\w+)*|(?<![\w./#@:-])docs\/[\w-]+(?:\.\w+)*/g;

const isThere = (path: string): boolean => ["", ".ts", ".tsx"].some((end) => existsSync(join(ROOT, path + end)));

it.each(FOLDERS)("%s names no path that does not exist", (folder) => {
  // The benchmark's peers bring packages of their own.
  const isSource = (file: string): boolean => /\.(?:ts|tsx|mjs|css)$/.test(file) && !file.split(sep).includes("node_modules");
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter(isSource);
  const missing = files.flatMap((file) => {
    const named = readFileSync(join(ROOT, folder, file), "utf8").match(PATH) ?? [];
    return named.filter((path) => !isThere(path)).map((path) => `${folder}/${file}: ${path}`);
  });
  expect(missing).toEqual([]);
});
