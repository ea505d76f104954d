// One attack, measured: honest work undisturbed, and the same work under the attack.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessNetwork } from "../support/nodes/process-network.ts";
import { cleanEnvironment, projectRoot } from "../support/nodes/run-program.ts";
import type { Attack } from "./attack.ts";
import type { AttackerOrder, AttackerReport } from "./attacker.ts";
import { HISTORIES } from "./history.ts";
import { WORKS, type Work } from "./honest-work.ts";
import { limitLoopback, startSiegeNetwork, targetOf, victimNode } from "./siege-network.ts";
import { serverErrors, type Window, watchVictim } from "./victim-figures.ts";

/** What was measured. */
export interface Figures {
  readonly attack: Attack;
  readonly undisturbed: Window & { readonly rate: number };
  readonly underAttack: Window & { readonly rate: number };
  readonly serverErrors: number;
  /** The victim's process ended. */
  readonly hasDied: boolean;
  /** What the attacker did. */
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  /** Honest work that was refused or failed under the attack. */
  readonly refusals: Readonly<Record<string, number>>;
}

const READY_MS = 90_000;
const OVER_MS = 15_000;
/** Before the first window: what starts is still compiled, and connections are made. */
const WARM_UP_MS = 2_000;

/** Runs it on a network of its own. */
export async function runAttack(attack: Attack, seconds: number): Promise<Figures> {
  await using network = await startSiegeNetwork(attack.network);
  await using attacker = startAttacker();
  if (attack.history !== undefined) await HISTORIES[attack.history](network);
  if (attack.network.limitsLoopback === true) await limitLoopback(network);
  attacker.say({ type: "prepare", name: attack.name, target: targetOf(network, attack.network) });
  await attacker.hear("ready", READY_MS);
  const work = await WORKS[attack.work].start(network);
  try {
    return await measure(attack, { network, attacker, work, seconds });
  } finally {
    await work.stop();
  }
}

interface Parts {
  readonly network: ProcessNetwork;
  readonly attacker: Attacker;
  readonly work: Work;
  readonly seconds: number;
}

async function measure(attack: Attack, { network, attacker, work, seconds }: Parts): Promise<Figures> {
  const victim = victimNode(network, attack.network);
  const running = network.nodes.filter(({ isRunning }) => isRunning).map(({ pid }) => pid);
  const own = [...running, process.pid, attacker.pid];
  const window = async (): Promise<Window & { readonly rate: number }> => {
    const before = work.done();
    const figures = await watchVictim(victim, own, seconds);
    return { ...figures, rate: (work.done() - before) / figures.seconds };
  };
  await delay(WARM_UP_MS);
  const undisturbed = await window();
  const errorsBefore = await serverErrors(network);
  work.refusals.clear();
  attacker.say({ type: "begin" });
  const underAttack = await window();
  const refusals = Object.fromEntries(work.refusals);
  attacker.say({ type: "end" });
  const report = await attacker.hear("over", OVER_MS);
  const errors = (await serverErrors(network)) - errorsBefore;
  const { counts, problems } = report.type === "over" ? report : { counts: {}, problems: ["the attacker did not report"] };
  return { attack, undisturbed, underAttack, serverErrors: errors, hasDied: victim.hasDied, counts, problems, refusals };
}

interface Attacker extends AsyncDisposable {
  readonly pid: number;
  say(order: AttackerOrder): void;
  /** Waits for a report of this type, or for the last one. @throws Error when none comes. */
  hear(type: AttackerReport["type"], timeoutMs: number): Promise<AttackerReport>;
}

function startAttacker(): Attacker {
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
