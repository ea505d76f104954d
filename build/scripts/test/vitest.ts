// Running Vitest projects and counting their results.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, runNode } from "../process.ts";

/** Result of one run. */
export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly exitCode: number;
}

/** Vitest's report as JSON, in part. */
interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { readonly name: string }[];
}

/** Where the tests of the projects are. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  unit: ["unit", "simulation"],
  integration: ["integration"],
  e2e: ["e2e", "electron"],
};

/** Runs the named Vitest projects with further arguments and counts tests. A run that executed none of some project counts as failed. */
export async function runVitest(projects: readonly string[], args: readonly string[] = []): Promise<TestCount> {
  const folder = mkdtempSync(join(tmpdir(), "parley-vitest-"));
  const output = join(folder, "results.json");
  try {
    // With what belongs to a project by its name: unit tests that share a process, and those that cannot.
    const selection = projects.map((project) => `--project=${project}*`);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`];
    // Whoever runs these has built the desktop, or the project does so before its first test.
    const env = projects.includes("integration") || projects.includes("e2e") ? { PARLEY_TEST_BUILT_NODE: "1" } : {};
    const vitest = ["run", "--config", "build/vitest.config.ts", ...selection, ...reporters, ...args];
    const exitCode = await runNode("node_modules/vitest/vitest.mjs", vitest, env);
    const results = JSON.parse(readFileSync(output, "utf8")) as Results;
    const failed = results.numFailedTests + results.numPendingTests;
    const isWhole = results.numPassedTests > 0 && projects.every((project) => hasRun(results, project));
    return { passed: results.numPassedTests, failed, exitCode: exitCode === 0 && failed === 0 && isWhole ? 0 : 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasRun({ testResults }: Results, project: string): boolean {
  const folders = (FOLDERS[project] ?? []).map((folder) => `${ROOT.replaceAll("\\", "/")}test/${folder}/`);
  return testResults.some(({ name }) => folders.some((folder) => name.startsWith(folder)));
}
