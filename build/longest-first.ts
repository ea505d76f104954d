// The order of test files. Those that take longest begin first, so that all workers end together; and where several projects run at once,
// tests that wait for processes and browsers run beside tests that only compute, so that no processor is idle.
import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { ROOT } from "./scripts/process.ts";

/** Files whose length does not show how long they take, longest first. All others follow by what the last run or their size says. */
export const LONGEST: readonly string[] = [
  "test/e2e/views.test.ts",
  "test/integration/network/faults.test.ts",
  "test/electron/faults.test.ts",
  "test/integration/network/validator-set.test.ts",
  "test/electron/desktop.test.ts",
  "test/integration/network/lost-third.test.ts",
  "test/e2e/story.test.ts",
  "test/integration/vm/engines.test.ts",
  "test/e2e/linking.test.ts",
  "test/integration/kill.test.ts",
  "test/electron/keychain.test.ts",
  "test/integration/node/lifecycle.test.ts",
  "test/integration/cli/two-people.test.ts",
  "test/e2e/chat.test.ts",
  "test/integration/vm/compilers.test.ts",
  "test/integration/network/bad-input.test.ts",
  "test/integration/network/stalled-readers.test.ts",
  "test/integration/network/siege.test.ts",
  "test/integration/network/mailboxes.test.ts",
  "test/integration/network/conversation.test.ts",
  "test/integration/network/block-parts.test.ts",
  "test/simulation/simulation.test.ts",
  "test/unit/node/engine/block-executor-durability.test.ts",
  "test/unit/node/duties/real-chain.test.ts",
];

/** The project whose tests only compute. */
const COMPUTING = "unit";
/** Of three workers, one computes. */
const WAITING_SHARE = 2;
/** About how long a file takes, s: only the relation counts. */
const LONG_S = 60;
const WAITING_S = 12;
const COMPUTING_S = 1.5;

/** Vitest's own order, with {@link LONGEST} before everything else, and both kinds of tests side by side. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byLength = sorted.toSorted((a, b) => rank(a) - rank(b));
    return sideBySide(
      byLength.map((file) => ({ file, isComputing: file.project.name === COMPUTING, isLong: rank(file) < LONGEST.length })),
    );
  }
}

/** Files of both kinds in the order in which two workers would begin with those that wait and one with those that compute. */
export function sideBySide<T>(files: readonly { readonly file: T; readonly isComputing: boolean; readonly isLong: boolean }[]): T[] {
  const sums = { waiting: 0, computing: 0 };
  const begun = files.map(({ file, isComputing, isLong }) => {
    const kind = isComputing ? "computing" : "waiting";
    const beginS = sums[kind];
    sums[kind] += isLong ? LONG_S : isComputing ? COMPUTING_S : WAITING_S;
    return { file, beginS: isComputing ? beginS : beginS / WAITING_SHARE };
  });
  return begun.toSorted((a, b) => a.beginS - b.beginS).map(({ file }) => file);
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.indexOf(relative(ROOT, moduleId).replaceAll("\\", "/"));
  return index < 0 ? LONGEST.length : index;
}
