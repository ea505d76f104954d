// ARCHITECTURE.md gives a reason for every package of package.json, and for none besides.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

type Versions = Readonly<Record<string, string>>;

interface PackageFile {
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly optionalDependencies: Versions;
}

it("ARCHITECTURE.md: exactly the packages of package.json, each once", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")) as PackageFile;
  const page = readFileSync(`${ROOT}/ARCHITECTURE.md`, "utf8");
  const section = page.split("\n## ").find((text) => text.startsWith("Dependencies")) ?? "";
  const firstCells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  const expected = [dependencies, devDependencies, optionalDependencies].flatMap(Object.keys);
  expect(named.sort()).toEqual(expected.sort());
});
