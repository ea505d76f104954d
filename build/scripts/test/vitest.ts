// Running Vitest projects and counting their results.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNode } from "../process.ts";
import { type Extent, filterOf } from "./extent.ts";
import { countTests, type Results, type TestCount } from "./results.ts";

/** Files in memory on Linux, and how much has to be free there: a whole run takes less than half of it. */
const MEMORY_FOLDER = "/dev/shm";
const MEMORY_FOLDER_BYTES = 8 * 1024 ** 3;

/** Where the tests of each kind are. */
const FOLDERS = {
  unit: ["unit", "simulation"],
  integration: ["integration"],
  e2e: ["e2e", "electron"],
} as const;

/** A kind of tests. */
export type TestKind = keyof typeof FOLDERS;

/** What the names of the projects in `build/vitest.config.ts` begin with: tests that share a process, and those that cannot, have two. */
const PROJECTS: Readonly<Record<TestKind, string>> = { unit: "unit", integration: "processes", e2e: "processes" };

/**
 * Runs as much of the tests of the named kinds, with further arguments, and counts tests. A run that executed none of some kind counts as
 * failed. A file of unit tests that is named runs all its cases, but of many seeds only a part: all of these take up to an hour.
 */
export async function runVitest(kinds: readonly TestKind[], extent: Extent, args: readonly string[] = []): Promise<TestCount> {
  const folder = makeFolder();
  const output = join(folder, "results.json");
  try {
    const selection = [...new Set(kinds.map((kind) => `--project=${PROJECTS[kind]}*`)), ...foldersOf(kinds, args)];
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`];
    // Whoever runs these has built the desktop, or the project does so before its first test.
    const env = {
      TMPDIR: folder,
      PARLEY_TEST_WHOLE: extent === "whole" || (extent === "named" && !kinds.includes("unit")) ? "1" : "",
      ...(kinds.some((kind) => kind !== "unit") ? { PARLEY_TEST_BUILT_NODE: "1" } : {}),
      ...(kinds.includes("e2e") ? { PARLEY_TEST_BROWSER: "1" } : {}),
    };
    const vitest = ["run", "--config", "build/vitest.config.ts", ...selection, ...reporters, ...filterOf(extent), ...args];
    const exitCode = await runNode("node_modules/vitest/vitest.mjs", vitest, env);
    const results = JSON.parse(readFileSync(output, "utf8")) as Results;
    return countTests(
      results,
      extent,
      exitCode,
      kinds.map((kind) => FOLDERS[kind]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What the tests put into temporary folders lies in here, and is gone with it also where a test was killed. In memory where Linux has enough
 * of it: thousands of databases are made, and what a disk does wrong is simulated. The name is short, as paths of sockets are.
 */
export function makeFolder(): string {
  const folder = mkdtempSync(join(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir(), "p-"));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasMemoryFolder(): boolean {
  if (process.platform !== "linux") return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_FOLDER_BYTES;
  } catch {
    return false;
  }
}

/** Filters of paths where a project has more kinds than are asked for, unless the arguments have paths of their own. */
function foldersOf(kinds: readonly TestKind[], args: readonly string[]): readonly string[] {
  const isPartOfProject = kinds.includes("integration") !== kinds.includes("e2e");
  if (!isPartOfProject || args.some((argument) => argument.includes("test/"))) return [];
  return kinds.flatMap((kind) => FOLDERS[kind]).map((folder) => `test/${folder}/`);
}
