// One attack, measured: honest work undisturbed, and the same work under the attack.
import { setTimeout as delay } from "node:timers/promises";
import type { MailFigures } from "../support/nodes/mail-count.ts";
import type { ProcessNetwork } from "../support/nodes/process-network.ts";
import type { Attack } from "./attack.ts";
import { type AttackerProcess, startAttacker } from "./attacker-process.ts";
import { HISTORIES } from "./history.ts";
import { WORKS, type Work } from "./honest-work.ts";
import { limitLoopback, startSiegeNetwork, targetOf, victimNode } from "./siege-network.ts";
import { standBehind } from "./stand-behind.ts";
import { serverErrors, type Window, watchVictim } from "./victim-figures.ts";

/** Figures of a window with the work that was done in it. */
export type WorkWindow = Window & {
  /** Work a second. */
  readonly rate: number;
  /** What came of the messages that were sent in it, where they are counted. */
  readonly mail?: MailFigures;
};

/** What was measured. */
export interface Figures {
  readonly attack: Attack;
  readonly undisturbed: WorkWindow;
  readonly underAttack: WorkWindow;
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
  standBehind(attacker.pid);
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
  readonly attacker: AttackerProcess;
  readonly work: Work;
  readonly seconds: number;
}

async function measure(attack: Attack, { network, attacker, work, seconds }: Parts): Promise<Figures> {
  const victim = victimNode(network, attack.network);
  const running = network.nodes.filter(({ isRunning }) => isRunning).map(({ pid }) => pid);
  const own = [...running, process.pid, attacker.pid];
  const window = async (phase: string): Promise<WorkWindow> => {
    const before = work.done();
    work.mail?.begin(phase);
    const figures = await watchVictim(victim, own, seconds);
    const rate = (work.done() - before) / figures.seconds;
    if (work.mail === undefined) return { ...figures, rate };
    // What is sent while the last of these arrive is of neither window.
    work.mail.begin("between");
    return { ...figures, rate, mail: await work.mail.figures(phase) };
  };
  await delay(WARM_UP_MS);
  const undisturbed = await window("undisturbed");
  const errorsBefore = await serverErrors(network);
  work.refusals.clear();
  attacker.say({ type: "begin" });
  const underAttack = await window("under attack");
  const refusals = Object.fromEntries(work.refusals);
  attacker.say({ type: "end" });
  const report = await attacker.hear("over", OVER_MS);
  const errors = (await serverErrors(network)) - errorsBefore;
  const { counts, problems } = report.type === "over" ? report : { counts: {}, problems: ["the attacker did not report"] };
  return { attack, undisturbed, underAttack, serverErrors: errors, hasDied: victim.hasDied, counts, problems, refusals };
}
