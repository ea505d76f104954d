// What must hold before every commit: types, lint, builds, unit, integration and browser tests. Of tests that are long it runs a part, the
// same each time; `--whole` runs everything.
import { buildStaleDesktop } from "../build/build-desktop.ts";
import { buildStaleRenderer } from "../build/build-renderer.ts";
import { lint } from "../checks/lint-project.ts";
import { checkTypes } from "../checks/type-check.ts";
import { ensureChromium } from "./chromium.ts";
import { extentOf, leftOutLine } from "./extent.ts";
import type { TestCount } from "./results.ts";
import { runAgainAlone } from "./run-again.ts";
import { runVitest, type TestKind } from "./vitest.ts";

interface Step {
  readonly name: string;
  readonly run: () => Promise<{ readonly exitCode: number; readonly passed?: number; readonly failed?: number; readonly leftOut?: number }>;
}

const { extent } = extentOf(process.argv.slice(2).filter((argument) => argument === "--whole"));
const run = (kinds: readonly TestKind[], args: readonly string[] = []): Promise<TestCount> => runVitest(kinds, extent, args);

/** Steps that do not need each other are grouped and run side by side. */
const stages: readonly (readonly Step[])[] = [
  [
    { name: "types", run: async () => ({ exitCode: await checkTypes() }) },
    { name: "lint", run: async () => ({ exitCode: await lint() }) },
    {
      name: "build",
      run: async () => ({
        exitCode: await buildStaleRenderer()
          .then(buildStaleDesktop)
          .then(() => 0),
      }),
    },
    { name: "browser", run: async () => ({ exitCode: await ensureChromium().then(() => 0) }) },
  ],
  // Together: what computes fills the time in which the others wait for processes and browsers.
  [{ name: "unit, integration and browser tests", run: async () => await runAgainAlone(await run(["unit", "integration", "e2e"]), run) }],
];

let passed = 0;
let failed = 0;
let leftOut = 0;
for (const stage of stages) {
  process.stdout.write(`\n── ${stage.map(({ name }) => name).join(", ")}\n`);
  await Promise.all(
    stage.map(async (step) => {
      const result = await step.run().catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
        return { exitCode: 1, passed: 0, failed: 0, leftOut: 0 };
      });
      leftOut += result.leftOut ?? 0;
      passed += result.passed ?? (result.exitCode === 0 ? 1 : 0);
      failed += Math.max(result.failed ?? 0, result.exitCode === 0 ? 0 : 1);
      process.stdout.write(`── ${step.name}: ${result.exitCode === 0 ? "ok" : "FAILED"}\n`);
    }),
  );
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n${leftOutLine(leftOut, "npm test")}`);
process.exitCode = failed === 0 ? 0 : 1;
