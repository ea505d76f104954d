// The order of test files. Those that take longest begin first, so that all workers end together.
import { relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";
import { ROOT } from "./scripts/process.ts";

/** Files that take longest, which their size does not show, longest first. All others follow by what the last run or their size says. */
export const LONGEST: readonly string[] = [
  "test/e2e/views.test.ts",
  "test/electron/validator.test.ts",
  "test/electron/faults.test.ts",
  "test/integration/network/joining.test.ts",
  "test/integration/network/faults.test.ts",
  "test/integration/network/joining-fallback.test.ts",
  "test/integration/network/signers.test.ts",
  "test/integration/network/retention-flags.test.ts",
  "test/integration/node/lifecycle.test.ts",
  "test/electron/retention.test.ts",
  "test/integration/network/lost-third.test.ts",
  "test/electron/desktop.test.ts",
  "test/integration/network/moved-keys.test.ts",
  "test/e2e/chat-features.test.ts",
  "test/electron/keychain.test.ts",
  "test/electron/programs.test.ts",
  "test/e2e/appearance.test.ts",
  "test/e2e/group.test.ts",
  "test/integration/network/history-repair.test.ts",
  "test/e2e/linking.test.ts",
  "test/e2e/payments.test.ts",
  "test/e2e/assets.test.ts",
  "test/integration/network/validator-set.test.ts",
  "test/e2e/multisig.test.ts",
  "test/integration/kill.test.ts",
  "test/e2e/chat.test.ts",
  "test/integration/network/retention.test.ts",
  "test/integration/network/key-rotation.test.ts",
  "test/integration/network/backfill.test.ts",
  "test/integration/network/dropping-kill.test.ts",
  "test/integration/network/downtime.test.ts",
  "test/e2e/agent-link.test.ts",
  "test/e2e/story.test.ts",
  "test/simulation/simulation.test.ts",
  "test/unit/node/sync/backfill/backfill.test.ts",
  "test/unit/node/gateway/attacks/messages.test.ts",
  "test/unit/shared/messenger/transfer/device-transfer.test.ts",
  "test/unit/node/composition/reads/light-contracts.test.ts",
  "test/simulation/mutations.test.ts",
  "test/unit/node/engine/block-executor-durability.test.ts",
  "test/unit/shared/messenger/commands/groups.test.ts",
];

/** Projects whose files share a process, each its own, in the order in which they run after all others. */
const SHARED: readonly string[] = ["processes", "unit-node", "unit-mail", "unit"];

/**
 * Vitest's own order, with {@link LONGEST} before everything else, and the files that share a process at the end: a worker keeps its process
 * only while the next file in the queue may share it, and many short files at the end leave no worker alone with a long one.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return inOrder(sorted.map((file) => ({ file, rank: rank(file), sharing: SHARED.indexOf(file.project.name) })));
  }
}

/** A file, the place in {@link LONGEST} that it has or follows, and the number of those that it shares a process with, -1 for none. */
interface PlacedFile<T> {
  readonly file: T;
  readonly rank: number;
  readonly sharing: number;
}

/** Files that are alone in their process, then those that share one, together; each kind by rank and otherwise as they were. */
export function inOrder<T>(files: readonly PlacedFile<T>[]): T[] {
  return files.toSorted((a, b) => a.sharing - b.sharing || a.rank - b.rank).map(({ file }) => file);
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.indexOf(relative(ROOT, moduleId).replaceAll("\\", "/"));
  return index < 0 ? LONGEST.length : index;
}
