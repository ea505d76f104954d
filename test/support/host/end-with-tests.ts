// Processes that a test starts end with its file (`end-processes.ts`) or with the process of the tests, also when a test ran out of time and
// disposes of nothing any more: what they leave behind would slow down all tests after it.
import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

process.on("exit", endRunning);
// So Vitest ends a worker. Other programs that start nodes have an end of their own.
if (process.env.VITEST === "true") process.on("SIGTERM", () => process.exit());

/** Kills every child that still runs. */
export function endRunning(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Ends a child when its test file ends, or this process. */
export function endWithTests<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}
