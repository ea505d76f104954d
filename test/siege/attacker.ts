// The process of an attacker: gets the name of an attack and its target, and says what it did. It is not to take processor time from its
// victims by being on the same machine, so it stands behind them.
import { getPriority, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Target, Turn } from "./attack.ts";
import { attackNamed } from "./attacks.ts";

/** What the measuring program says. */
export type AttackerOrder =
  | { readonly type: "prepare"; readonly name: string; readonly target: Target }
  | { readonly type: "begin" }
  | { readonly type: "end" };

/** What the attacker says. */
export type AttackerReport =
  | { readonly type: "ready" }
  | { readonly type: "over"; readonly counts: Readonly<Record<string, number>>; readonly problems: readonly string[] };

/** Added to the niceness of what is measured. */
const NICER = 5;
const LOWEST_PRIORITY = 19;
/** Streams and connections end with the process. */
const GRACE_MS = 1_000;

const beginning = Promise.withResolvers<void>();
const ending = new AbortController();
const counts: Record<string, number> = {};
const problems = new Set<string>();

const say = (report: AttackerReport): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(report, undefined, undefined, () => resolve());
  });

const turn: Turn = {
  begin: async () => {
    await say({ type: "ready" });
    await beginning.promise;
  },
  signal: ending.signal,
  count(what, by = 1): void {
    counts[what] = (counts[what] ?? 0) + by;
  },
  problem: (words) => void problems.add(words),
};

async function run(name: string, target: Target): Promise<void> {
  const over = Promise.withResolvers<void>();
  ending.signal.addEventListener("abort", () => over.resolve());
  const attacking = attackNamed(name)
    .attack(target, turn)
    .catch((error: unknown) => {
      if (!ending.signal.aborted) problems.add(`the attack failed: ${error instanceof Error ? error.message : String(error)}`);
    });
  await Promise.race([attacking, over.promise]);
  // Its end is not that of the measurement.
  await over.promise;
  await Promise.race([attacking, delay(GRACE_MS)]);
  await say({ type: "over", counts, problems: [...problems] });
  process.exit(0);
}

setPriority(Math.min(getPriority() + NICER, LOWEST_PRIORITY));
// Hosts that are refused and hung up on fail in many ways, and none of them is the end of the attack.
process.on("unhandledRejection", () => turn.count("failures"));
process.on("uncaughtException", () => turn.count("failures"));
process.on("disconnect", () => process.exit(1));
process.on("message", (order: AttackerOrder) => {
  if (order.type === "prepare") void run(order.name, order.target);
  else if (order.type === "begin") beginning.resolve();
  else ending.abort();
});
