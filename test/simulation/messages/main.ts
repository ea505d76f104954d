// Long runs of simulated mail: `npm run sim -- --messenger [--seeds 10000] [--seed 0] [--workers 2]`. A seed that breaks a rule prints how to
// run it again, and ends the run with a failure.
import { once } from "node:events";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import type { GroupFigures } from "./groups/group-schedule.ts";
import type { MessageResult } from "./message-simulation.ts";
import type { ScheduleOutcome, SeedRange } from "./schedule-worker.ts";

const DEFAULT_SEEDS = 1_000;
/** Seeds that a thread runs at a time. */
const BATCH_SEEDS = 20;
/** Most of what a schedule makes is garbage at its end: with room for it less is copied, MB. */
const YOUNG_MB = 192;
const PROGRESS_MS = 5_000;

/** Sums of many runs, and how old the texts were that thieves could open. */
export class MessageTally {
  #runs = 0;
  readonly #sums = {
    texts: 0,
    envelopes: 0,
    lost: 0,
    doubled: 0,
    putBack: 0,
    instances: 0,
    copies: 0,
    clockJumps: 0,
    inBoxes: 0,
    refused: 0,
    publicOpened: 0,
    publicClosed: 0,
    replayed: 0,
    withheld: 0,
    misdelivered: 0,
    changed: 0,
    reordered: 0,
    outdated: 0,
    flooded: 0,
    claimed: 0,
    fullDays: 0,
    linked: 0,
    aside: 0,
    full: 0,
    unlisted: 0,
    refusedWrites: 0,
    nextWindows: 0,
    lateBlocks: 0,
    forgedTaken: 0,
    forgedRefused: 0,
    lies: 0,
    unreadable: 0,
    toLiars: 0,
    renewedByLies: 0,
  };
  readonly #hours: number[] = [];

  add({ openableHours, ...sums }: MessageResult): void {
    this.#runs += 1;
    for (const name of Object.keys(this.#sums) as (keyof typeof this.sums)[]) this.#sums[name] += sums[name];
    for (const hours of openableHours) this.#hours.push(hours);
  }

  get sums(): Readonly<Record<Exclude<keyof MessageResult, "openableHours">, number>> {
    return this.#sums;
  }

  /** Figures for people. */
  summary(): object {
    const sorted = this.#hours.toSorted((a, b) => a - b);
    const at = (part: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
    const openable = { texts: sorted.length, medianHours: at(0.5), nineOfTenHours: at(0.9), mostHours: at(1) };
    const { texts, envelopes } = this.#sums;
    return { runs: this.#runs, ...this.#sums, envelopesPerTextAndDevice: Math.round((100 * envelopes) / (3 * texts)) / 100, openable };
  }
}

/** Sums of many schedules of a group. */
export class GroupTally {
  readonly #sums: { -readonly [Name in keyof GroupFigures]: number } = {
    entries: 0,
    bases: 0,
    jumps: 0,
    putBack: 0,
    shortened: 0,
    late: 0,
    guests: 0,
    forked: 0,
    lies: 0,
    rivals: 0,
    falseBases: 0,
    sealedApart: 0,
    passedOn: 0,
    sealed: 0,
    unsealed: 0,
    shownLies: 0,
    lateLies: 0,
    asks: 0,
    answers: 0,
  };

  add(figures: GroupFigures): void {
    for (const name of Object.keys(this.#sums) as (keyof GroupFigures)[]) this.#sums[name] += figures[name];
  }

  get sums(): GroupFigures {
    return this.#sums;
  }
}

/** Runs the seeds of the command line, in as many threads as it says. */
export async function runMessages(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { messenger: { type: "boolean" }, seeds: { type: "string" }, seed: { type: "string" }, workers: { type: "string" } },
  });
  const first = Number(values.seed ?? 0);
  const count = Number(values.seeds ?? (values.seed === undefined ? DEFAULT_SEEDS : 1));
  const tally = new MessageTally();
  const groups = new GroupTally();
  const startMs = performance.now();
  let reportedMs = startMs;
  let done = 0;
  const note = ({ seed, mail, group, failure }: ScheduleOutcome): void => {
    if (failure !== undefined) {
      console.error(`Seed ${seed}: ${failure}\nAgain: npm run sim -- --messenger --seed ${seed}`);
      process.exit(1);
    }
    tally.add(mail);
    groups.add(group);
    done += 1;
    if (performance.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = performance.now();
    console.error(`${done} of ${count} schedules, ${(done / ((reportedMs - startMs) / 1_000)).toFixed(1)} a second`);
  };
  const batches = Array.from({ length: Math.ceil(count / BATCH_SEEDS) }, (_, index): SeedRange => {
    const from = first + index * BATCH_SEEDS;
    return { first: from, last: Math.min(from + BATCH_SEEDS, first + count) - 1 };
  });
  const workers = Math.max(1, Math.min(Number(values.workers ?? 1), batches.length));
  await Promise.all(Array.from({ length: workers }, () => runBatches(batches, note)));
  const seconds = Math.round((performance.now() - startMs) / 100) / 10;
  console.log(JSON.stringify({ seeds: `${first}–${first + count - 1}`, ...tally.summary(), groups: groups.sums, seconds }));
}

/** Takes batches from the front until there are none, in a thread of its own. */
async function runBatches(batches: SeedRange[], note: (outcome: ScheduleOutcome) => void): Promise<void> {
  const worker = new Worker(new URL("./schedule-worker.ts", import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    worker.postMessage(batch);
    const [outcomes] = (await once(worker, "message")) as [readonly ScheduleOutcome[]];
    for (const outcome of outcomes) note(outcome);
  }
  await worker.terminate();
}
