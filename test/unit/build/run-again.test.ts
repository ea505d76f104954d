import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestCount } from "#build/scripts/test/results.ts";
import { runAgainAlone } from "#build/scripts/test/run-again.ts";

const passedRun: TestCount = { passed: 12, failed: 0, leftOut: 0, exitCode: 0, failedFiles: [] };
const failedRun = (...failedFiles: string[]): TestCount => ({
  passed: 100,
  failed: failedFiles.length,
  leftOut: 40,
  exitCode: 1,
  failedFiles,
});

describe("a second run of failed files", () => {
  let written = "";
  beforeEach(() => {
    written = "";
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written += String(text);
      return true;
    });
  });
  afterEach(() => vi.restoreAllMocks());

  it("is made of files that wait for others alone, and named where it passed", async () => {
    const run = vi.fn(() => Promise.resolve(passedRun));
    const files = ["test/integration/node/a.test.ts", "test/e2e/b.test.ts", "test/unit/shared/messenger/c.test.ts"];
    expect(await runAgainAlone(failedRun(...files), run)).toEqual({ passed: 103, failed: 0, leftOut: 40, exitCode: 0, failedFiles: [] });
    expect(run.mock.calls).toEqual([
      [
        ["integration", "e2e", "unit"],
        ["--maxWorkers=1", ...files],
      ],
    ]);
    expect(written).toContain(`passed only with nothing beside them: ${files.join(", ")}`);
  });

  it("fails where a file fails again", async () => {
    const again = { passed: 11, failed: 1, leftOut: 0, exitCode: 1, failedFiles: ["test/e2e/b.test.ts"] };
    const run = vi.fn(() => Promise.resolve(again));
    expect(await runAgainAlone(failedRun("test/e2e/a.test.ts", "test/e2e/b.test.ts"), run)).toEqual({ ...again, passed: 101, leftOut: 40 });
    expect(written).not.toContain("passed only");
  });

  it.each([
    ["no failed file, but a failed run", { ...passedRun, exitCode: 1 }],
    ["a file that computes", failedRun("test/e2e/a.test.ts", "test/unit/shared/b.test.ts")],
    ["many files", failedRun(...Array.from({ length: 7 }, (_, n) => `test/e2e/${n}.test.ts`))],
  ])("is not made of %s", async (_, first) => {
    const run = vi.fn(() => Promise.resolve(passedRun));
    expect(await runAgainAlone(first, run)).toBe(first);
    expect(run).not.toHaveBeenCalled();
  });
});
