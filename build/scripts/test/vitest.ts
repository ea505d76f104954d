// Running Vitest projects and counting their results.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runNode } from "../process.ts";

/** Result of one run. */
export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly exitCode: number;
}

/** Runs the named Vitest projects with further arguments and counts tests. A run that executed none counts as failed. */
export async function runVitest(projects: readonly string[], args: readonly string[] = []): Promise<TestCount> {
  const folder = mkdtempSync(join(tmpdir(), "parley-vitest-"));
  const output = join(folder, "results.json");
  try {
    const selection = projects.map((project) => `--project=${project}`);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`];
    const exitCode = await runNode("node_modules/vitest/vitest.mjs", [
      "run",
      "--config",
      "build/vitest.config.ts",
      ...selection,
      ...reporters,
      ...args,
    ]);
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(output, "utf8")) as Record<string, number>;
    const failed = (numFailedTests ?? 0) + (numPendingTests ?? 0);
    return { passed: numPassedTests ?? 0, failed, exitCode: exitCode === 0 && failed === 0 && (numPassedTests ?? 0) > 0 ? 0 : 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
