// npm ci refuses a lock file that lacks a package which another one names, and npm leaves out what it could not look up.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

type Manifest = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

const read = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(ROOT, folder, file), "utf8"));

describe.each(["", "test/bench/peers"])("the lock file in folder %j", (folder) => {
  const lock = read(folder, "package-lock.json") as LockFile;
  const manifest = read(folder, "package.json") as Manifest;

  it("gives every package a version and names no registry", () => {
    const entries = Object.entries(lock.packages).filter(([path]) => path !== "");
    expect(entries.filter(([, entry]) => entry.version === undefined).map(([path]) => path)).toEqual([]);
    expect(entries.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it.each(["dependencies", "devDependencies", "optionalDependencies"])("follows exact %s", (kind) => {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
      expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
    }
  });
});

describe("the program's lock file", () => {
  it("has every optional package that another one names, for every platform", () => {
    const { packages } = read("", "package-lock.json") as LockFile;
    const missing = Object.values(packages)
      .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
      .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)));
    expect(missing).toEqual([]);
  });
});
