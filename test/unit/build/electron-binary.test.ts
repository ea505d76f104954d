import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { electronExecutable } from "#build/scripts/test/electron-binary.ts";

let place: string;
const fileAt = (...parts: readonly string[]): string => {
  const path = join(place, ...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  return path;
};

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "parley-electron-"));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

test("Electron is where its package says, once it is there", () => {
  const folder = join(place, "package");
  expect(electronExecutable(folder, {})).toBeUndefined();
  const binary = fileAt("package", "dist", "bin", "electron");
  expect(electronExecutable(folder, {})).toBeUndefined();
  writeFileSync(join(folder, "path.txt"), "bin/electron");
  expect(electronExecutable(folder, {})).toBe(binary);
});

test("a folder that is named needs no path.txt, and goes before the package", () => {
  const folder = join(place, "package");
  const env = { ELECTRON_OVERRIDE_DIST_PATH: join(place, "mine") };
  fileAt("package", "dist", "electron");
  expect(electronExecutable(folder, env)).toBeUndefined();
  const mine = fileAt("mine", "electron");
  expect(electronExecutable(folder, env)).toBe(mine);
  writeFileSync(join(folder, "path.txt"), "inner/electron");
  const inner = fileAt("mine", "inner", "electron");
  expect(electronExecutable(folder, env)).toBe(inner);
});
