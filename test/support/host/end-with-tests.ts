// Processes that a test starts end with the process of the tests, also when a test ran out of time and disposes of nothing any more: what
// they leave behind would slow down all tests after it.
import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
// So Vitest ends a worker. Other programs that start nodes have an end of their own.
if (process.env.VITEST === "true") process.on("SIGTERM", () => process.exit());

/** Ends a child when this process exits. */
export function endWithTests<T extends ChildProcess>(child: T): T {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}
