// Many schedules, the same in every run. `npm run sim` runs as many as one likes.
import { describe, expect, it } from "vitest";
import { extent } from "#test/support/host/test-extent.ts";
import { LIE_NAMES } from "./lies.ts";
import { type ScenarioChoice, scenarioOf } from "./scenario.ts";
import { simulate } from "./simulation.ts";
import { createTally, type TallySummary } from "./tally.ts";

/** Some seconds' work. A number and no time: how far a machine gets must not decide what is tested. */
const RUNS = extent(130, 400);
const UNSAFE_RUNS = extent(60, 150);

function run(firstSeed: number, runs: (done: number) => boolean, choice: ScenarioChoice = {}): TallySummary {
  const tally = createTally();
  for (let seed = firstSeed; runs(seed - firstSeed); seed += 1) {
    try {
      tally.add(simulate(scenarioOf(seed, choice), choice.isUnsafe));
    } catch (cause) {
      const options = [`--seed ${seed}`, ...(choice.validators === undefined ? [] : [`--validators ${choice.validators}`])];
      throw new Error(`${(cause as Error).message}\nAgain: npm run sim -- ${options.join(" ")}`, { cause });
    }
  }
  return tally.summary();
}

describe("a simulated network", () => {
  it("stays safe and recovers whatever happens to it and whichever nodes lie", () => {
    const summary = run(0, (done) => done < RUNS);
    console.log(`Seeds 0–${summary.runs - 1}: ${JSON.stringify(summary)}`);
    // Schedules without crashes, rounds or progress would prove nothing.
    expect(summary.crashes).toBeGreaterThan(summary.runs);
    expect(summary.heights).toBeGreaterThan(5 * summary.runs);
    expect(summary.stalls).toBeLessThan(summary.runs / 20);
    expect(summary.maxRound).toBeGreaterThan(1);
    expect(summary.accused).toBeGreaterThan(summary.runs / 20);
    expect(summary.batchBlocks).toBeGreaterThan(summary.runs / 2);
    expect(summary.writingLosses).toBeGreaterThan(summary.runs / 20);
    expect(summary.emptied).toBeGreaterThan(summary.runs / 20);
    expect(summary.rejections).toBeGreaterThan(summary.runs);
    expect(summary.halts).toBe(0);
  }, 600_000);

  it("is the same every time for one seed", () => {
    const once = simulate(scenarioOf(4));
    expect(simulate(scenarioOf(4))).toEqual(once);
  });

  it("may stand still when of four one forgets and another missed the first block before it had signed anything", () => {
    expect(() => simulate(scenarioOf(3_016_163))).not.toThrow();
  });

  it("loses power before and after every operation of a disk, and while it starts, and refuses damaged logs", () => {
    const operations = ["log append", "log sync", "guard replace", "block commit"];
    const wanted = new Set(["during replay", "refusal", ...operations.flatMap((name) => [`before ${name}`, `after ${name}`])]);
    for (let seed = 1_000; wanted.size > 0 && seed < 2_000; seed += 1) {
      const { crashPoints, refusals } = simulate(scenarioOf(seed, { validators: 4, faultsMs: 4_000 }));
      for (const point of crashPoints) wanted.delete(point);
      if (refusals > 0) wanted.delete("refusal");
    }
    expect([...wanted]).toEqual([]);
  });

  it("knows liars of every kind", () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 400; seed += 1)
      for (const badness of scenarioOf(seed, { validators: 4 }).bad.values())
        for (const name of badness.kind === "liar" ? badness.lies : [badness.kind]) kinds.add(name);
    expect([...kinds].sort()).toEqual([...LIE_NAMES, "amnesiac", "twin"].sort());
  });
});

describe("a network with too many twins", () => {
  it("forks now and then; nodes find out or stop, and most forks prove a validator guilty", () => {
    const { forkedRuns, unnoticedForks, unprovenForks } = run(0, (done) => done < UNSAFE_RUNS, { validators: 4, isUnsafe: true });
    expect(forkedRuns).toBeGreaterThan(UNSAFE_RUNS / 15);
    expect(unnoticedForks).toBe(0);
    expect(unprovenForks).toBeLessThan(forkedRuns / 2);
  });
});
