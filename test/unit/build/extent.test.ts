// What `npm test` leaves out, a whole run takes: by the same tag, counted and named, and nothing else is left out anywhere.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "#build/scripts/process.ts";
import { extentOf, filterOf, leftOutLine, WHOLE_TAG } from "#build/scripts/test/extent.ts";
import { countTests, type Results } from "#build/scripts/test/results.ts";
import { WHOLE_ONLY } from "#test/support/host/test-extent.ts";

const CASE = { status: "passed", tags: [] };
const LEFT_OUT = { status: "skipped", tags: [WHOLE_TAG] };
const SKIPPED = { status: "skipped", tags: [] };

function resultsOf(...cases: readonly { readonly status: string; readonly tags: readonly string[] }[]): Results {
  const count = (status: string): number => cases.filter((result) => result.status === status).length;
  return {
    numPassedTests: count("passed"),
    numFailedTests: count("failed"),
    numPendingTests: count("skipped"),
    testResults: [{ name: `${ROOT.replaceAll("\\", "/")}test/e2e/a.test.ts`, status: "passed", assertionResults: cases }],
  };
}

describe("how much runs", () => {
  it.each([
    [[], "part", []],
    [["test/e2e"], "part", ["test/e2e"]],
    [["test/e2e/chat.test.ts", "--bail=1"], "named", ["test/e2e/chat.test.ts", "--bail=1"]],
    [["--whole"], "whole", []],
    [["test/e2e/chat.test.ts", "--whole"], "whole", ["test/e2e/chat.test.ts"]],
  ] as const)("with %j is the %s", (given, extent, args) => {
    expect(extentOf(given)).toEqual({ extent, args });
  });

  it("is less only in a part, by the tag that cases carry", () => {
    expect(WHOLE_ONLY).toEqual({ tags: WHOLE_TAG });
    expect(filterOf("part")).toEqual([`--tags-filter=!${WHOLE_TAG}`]);
    expect([filterOf("named"), filterOf("whole")]).toEqual([[], []]);
  });
});

describe("what a run counts", () => {
  it("has cases that a part leaves out for themselves, and anything else that did not run as failed", () => {
    const clean = { passed: 1, failed: 0, leftOut: 2, exitCode: 0, failedFiles: [] };
    expect(countTests(resultsOf(CASE, LEFT_OUT, LEFT_OUT), "part", 0, [["e2e"]])).toEqual(clean);
    const skipped = { passed: 1, failed: 1, leftOut: 1, exitCode: 1, failedFiles: ["test/e2e/a.test.ts"] };
    expect(countTests(resultsOf(CASE, LEFT_OUT, SKIPPED), "part", 0, [["e2e"]])).toEqual(skipped);
    const failed = { passed: 1, failed: 1, leftOut: 0, exitCode: 1, failedFiles: ["test/e2e/a.test.ts"] };
    expect(countTests(resultsOf(CASE, { status: "failed", tags: [WHOLE_TAG] }), "part", 0, [["e2e"]])).toEqual(failed);
  });

  it.each(["named", "whole"] as const)("knows nothing left out in a run of what is %s", (extent) => {
    const failed = { passed: 1, failed: 1, leftOut: 0, exitCode: 1, failedFiles: ["test/e2e/a.test.ts"] };
    expect(countTests(resultsOf(CASE, LEFT_OUT), extent, 0, [["e2e"]])).toEqual(failed);
  });

  it("has failed where Vitest has, and where a kind of tests had no file or nothing ran", () => {
    expect(countTests(resultsOf(CASE), "part", 1, [["e2e"]]).exitCode).toBe(1);
    expect(countTests(resultsOf(CASE), "part", 0, [["e2e"], ["integration"]]).exitCode).toBe(1);
    expect(countTests(resultsOf(LEFT_OUT), "part", 0, [["e2e"]]).exitCode).toBe(1);
  });

  it("is said in one line, with the command that runs the rest", () => {
    expect(leftOutLine(0, "npm test")).toBe("");
    expect(leftOutLine(3, "npm test")).toMatch(/^Left out: 3 longer cases.*"npm test -- --whole".*\n$/);
  });
});

describe("the scripts", () => {
  const run = (
    ...args: readonly string[]
  ): { readonly status: number | null; readonly counts: string | undefined; readonly line: string | undefined } => {
    const { VITEST: _, ...env } = process.env;
    const options = { cwd: ROOT, encoding: "utf8", env: { ...env, NO_COLOR: "1" } } as const;
    const { status, stdout } = spawnSync(process.execPath, ["build/scripts/test/unit.ts", ...args], options);
    return { status, counts: /Tests {2}(.*) \(3\)/.exec(stdout)?.[1], line: /^Left out.*$/m.exec(stdout)?.[0] };
  };

  it("leave cases of that tag out and say so, and run them in a whole run", () => {
    const line = 'Left out: 1 longer cases, and most seeds of tests that try many. "npm run unit -- --whole" runs everything.';
    expect(run("test/unit/build/left-out")).toEqual({ status: 0, counts: "2 passed | 1 skipped", line });
    expect(run("test/unit/build/left-out", "--whole")).toEqual({ status: 0, counts: "3 passed", line: undefined });
    expect(run("test/unit/build/left-out.test.ts")).toEqual({ status: 0, counts: "3 passed", line: undefined });
  });

  it("are the only ones that leave anything out for its length: no test skips by the extent of a run", () => {
    const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" }).filter((name) => /\.test\.tsx?$/.test(name));
    const texts = files.map((name) => ({ name, text: readFileSync(join(ROOT, "test", name), "utf8") }));
    expect(texts.filter(({ text }) => /WHOLE_ONLY|wholeUnless/.test(text)).length).toBeGreaterThan(30);
    expect(texts.filter(({ text }) => /\b(skip|todo|skipIf|runIf)\([^)]*(isWhole|PARLEY_TEST_WHOLE)/.test(text))).toEqual([]);
  });
});
