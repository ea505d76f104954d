// Ends a program that a test started.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** SIGTERM and SIGINT in order, SIGKILL at once. Gives the exit code, null for one that a signal ended or that never ran. */
export async function endChild(child: ChildProcess | null, signal: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number | null> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
  return child.exitCode;
}
