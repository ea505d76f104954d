import { describe, expect, it } from "vitest";
import { simulate } from "./simulation.ts";

const FAULTS_MS = 30_000;
const RECOVERY_MS = 60_000;

describe("simulated network", () => {
  it.each([
    { validators: 1, twins: 0, seeds: 20 },
    { validators: 4, twins: 0, seeds: 24 },
    { validators: 7, twins: 0, seeds: 6 },
    { validators: 4, twins: 1, seeds: 8 },
    { validators: 7, twins: 2, seeds: 4 },
  ])("stays safe and recovers with $validators validators, $twins of them twins", ({ validators, twins, seeds }) => {
    const results = Array.from({ length: seeds }, (_, seed) =>
      simulate({ seed: 300 + seed, validators, twins, faultsMs: FAULTS_MS, recoveryMs: RECOVERY_MS }),
    );
    const total = (pick: (result: (typeof results)[number]) => number): number => results.reduce((sum, result) => sum + pick(result), 0);
    // A schedule without crashes or progress would prove nothing.
    expect(total((result) => result.crashes)).toBeGreaterThan(seeds);
    expect(Math.min(...results.map((result) => result.height))).toBeGreaterThan(3);
    if (validators > 1) expect(total((result) => result.maxRound)).toBeGreaterThan(0);
    if (twins > 0) expect(total((result) => result.accused)).toBeGreaterThan(0);
  });
});
