// Ends a process of a soak run: in order, or killed as a machine that loses power kills it.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Resolves once it has ended; at once where it has ended already, or never began. */
export async function endChild(child: ChildProcess | undefined, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (signal === "SIGKILL") child.kill(signal);
  else child.send({ type: "stop" });
  await once(child, "exit");
}
