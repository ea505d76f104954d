// The order of test files: those that take longest begin first, so that all workers end together.
import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { ROOT } from "./scripts/process.ts";

/** Files whose length does not show how long they take, longest first. All others follow by what the last run or their size says. */
export const LONGEST: readonly string[] = [
  "test/integration/network/faults.test.ts",
  "test/integration/network/validator-set.test.ts",
  "test/integration/kill.test.ts",
  "test/integration/cli/two-people.test.ts",
  "test/integration/network/mailboxes.test.ts",
  "test/integration/network/conversation.test.ts",
  "test/e2e/views.test.ts",
  "test/electron/desktop.test.ts",
  "test/electron/faults.test.ts",
  "test/e2e/story.test.ts",
  "test/electron/keychain.test.ts",
  "test/simulation/simulation.test.ts",
  "test/unit/node/engine/block-executor-durability.test.ts",
  "test/unit/node/duties/real-chain.test.ts",
];

/** Vitest's own order, with {@link LONGEST} before everything else. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.indexOf(relative(ROOT, moduleId).replaceAll("\\", "/"));
  return index < 0 ? LONGEST.length : index;
}
