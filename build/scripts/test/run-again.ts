// Tests of processes and browsers, and of messengers of several people that run at once, have time limits, which a machine with far more to do
// than it has processors can exceed. Few files that failed beside all others run once more with nothing beside them: what fails then has
// failed, what passes is named.
import type { TestCount } from "./results.ts";
import type { TestKind } from "./vitest.ts";

/** More failed files than this are no accident. */
const MAX_FILES = 6;

/** Tests that wait for what runs beside them; all others compute, and give the same result each time. */
const WAITING: readonly { readonly folder: string; readonly kind: TestKind }[] = [
  { folder: "test/integration/", kind: "integration" },
  { folder: "test/e2e/", kind: "e2e" },
  { folder: "test/electron/", kind: "e2e" },
  { folder: "test/unit/shared/messenger/", kind: "unit" },
];

type Run = (kinds: readonly TestKind[], args: readonly string[]) => Promise<TestCount>;

/** The result of a run, with that of a second one of its few failed files where these wait for others: `run` takes as much of them as it. */
export async function runAgainAlone(first: TestCount, run: Run): Promise<TestCount> {
  const { failedFiles } = first;
  const kinds = new Set(failedFiles.map(kindOf));
  if (failedFiles.length === 0 || failedFiles.length > MAX_FILES || kinds.has(undefined)) return first;
  process.stdout.write(`\n── once more, with nothing beside them: ${failedFiles.join(", ")}\n`);
  const second = await run(
    [...kinds].filter((kind) => kind !== undefined),
    ["--maxWorkers=1", ...failedFiles],
  );
  const passed = first.passed + first.failed - second.failed;
  if (second.exitCode === 0) process.stdout.write(`\n── passed only with nothing beside them: ${failedFiles.join(", ")}\n`);
  return { ...second, passed, leftOut: first.leftOut };
}

function kindOf(file: string): TestKind | undefined {
  return WAITING.find(({ folder }) => file.startsWith(folder))?.kind;
}
