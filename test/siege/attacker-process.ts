// The process of an attacker, as the program that measures it or sends it against a network knows it.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cleanEnvironment, projectRoot } from "../support/nodes/run-program.ts";
import type { AttackerOrder, AttackerReport } from "./attacker.ts";

/** An attacker, ended with its owner. */
export interface AttackerProcess extends AsyncDisposable {
  readonly pid: number;
  say(order: AttackerOrder): void;
  /** Waits for a report of this type, or for the last one. @throws Error when none comes. */
  hear(type: AttackerReport["type"], timeoutMs: number): Promise<AttackerReport>;
}

/** Starts one that waits for its orders. */
export function startAttacker(): AttackerProcess {
  const child: ChildProcess = fork(join(projectRoot, "test/siege/attacker.ts"), [], {
    cwd: projectRoot,
    env: cleanEnvironment(),
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<AttackerReport["type"], (report: AttackerReport) => void>();
  child.on("message", (report: AttackerReport) => waiting.get(report.type)?.(report));
  return {
    pid: child.pid ?? 0,
    say: (order) => void (child.connected && child.send(order)),
    async hear(type, timeoutMs): Promise<AttackerReport> {
      const { promise, resolve, reject } = Promise.withResolvers<AttackerReport>();
      waiting.set(type, resolve);
      child.once("exit", () => reject(new Error("The attacker ended")));
      const timer = setTimeout(() => reject(new Error(`The attacker was not ${type} in time`)), timeoutMs);
      return await promise.finally(() => clearTimeout(timer));
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}
