// What came of a run: Vitest's report as JSON, counted.
import { ROOT } from "../process.ts";
import { type Extent, WHOLE_TAG } from "./extent.ts";

/** Result of one run. */
export interface TestCount {
  readonly passed: number;
  /** With those that were skipped for another reason than the extent of the run. */
  readonly failed: number;
  /** Cases that are for a whole run alone, and were left out of this one. */
  readonly leftOut: number;
  readonly exitCode: number;
  /** Files with failed or skipped tests, relative to the project. */
  readonly failedFiles: readonly string[];
}

/** Vitest's report as JSON, in part. */
export interface Results {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly FileResult[];
}

/** Of one file: tests after a hook that failed are skipped, and the file has failed. */
interface FileResult {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly assertionResults: readonly CaseResult[];
}

interface CaseResult {
  readonly status: string;
  readonly tags: readonly string[];
}

/** The project's folder, as Vitest names it. */
const PLACE = ROOT.replaceAll("\\", "/");

/** Counts what a run of this extent reported, which ended with this code; it has failed also where one of the folders had no test. */
export function countTests(results: Results, extent: Extent, exitCode: number, kinds: readonly (readonly string[])[]): TestCount {
  const { numPassedTests: passed, numFailedTests, numPendingTests, testResults } = results;
  const isLeftOut = ({ status, tags }: CaseResult): boolean => extent === "part" && status === "skipped" && tags.includes(WHOLE_TAG);
  const hasFailed = ({ status, assertionResults }: FileResult): boolean =>
    status === "failed" || assertionResults.some((result) => result.status !== "passed" && !isLeftOut(result));
  const leftOut = testResults.flatMap(({ assertionResults }) => assertionResults.filter(isLeftOut)).length;
  const failed = numFailedTests + numPendingTests - leftOut;
  const failedFiles = testResults.filter(hasFailed).map(({ name }) => name.slice(PLACE.length));
  const hasRun = passed > 0 && kinds.every((folders) => hasRunIn(testResults, folders));
  return { passed, failed, leftOut, exitCode: exitCode === 0 && failed === 0 && hasRun ? 0 : 1, failedFiles };
}

function hasRunIn(testResults: readonly FileResult[], folders: readonly string[]): boolean {
  return testResults.some(({ name }) => folders.some((folder) => name.startsWith(`${PLACE}test/${folder}/`)));
}
