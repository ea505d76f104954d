// Blocks over slow links: figures of virtual time, so they are the same on every machine.
import { describe, expect, it } from "vitest";
import { extent } from "#test/support/host/test-extent.ts";
import { type LinkScenario, simulateLinks } from "./link-simulation.ts";

const SCENARIO: LinkScenario = {
  seed: 1,
  validators: 16,
  silent: 0,
  lying: 0,
  blockBytes: 1_048_576,
  heights: 4,
  inParts: true,
  megabitsPerSecond: 50,
  latencyMs: 200,
  longestMs: 60_000,
};

/** With some that are silent or lie. */
const HEIGHTS = extent(4, 8);

function middle(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

describe("blocks of 1 MiB between 16 validators with 50 Mbit/s and 200 ms", () => {
  const inParts = simulateLinks(SCENARIO);

  it("take two steps to everyone and two of votes, and no validator uploads more than a few of them", () => {
    const { decisionMs, uploadBytes, falseReports } = inParts;
    expect(decisionMs).toHaveLength(4);
    expect(Math.max(...decisionMs)).toBeLessThan(1_600);
    expect(Math.max(...uploadBytes)).toBeLessThan(4 * SCENARIO.blockBytes);
    expect(falseReports).toBe(0);
  });

  it("take more than twice as long when each is sent whole to everyone", () => {
    const whole = simulateLinks({ ...SCENARIO, inParts: false });
    expect(middle(whole.decisionMs)).toBeGreaterThan(2 * middle(inParts.decisionMs));
  });

  it.each([
    { silent: 5, lying: 0 },
    { silent: 0, lying: 5 },
  ])("take three seconds at most in the middle while $silent are silent and $lying lie", (bad) => {
    const { decisionMs, falseReports } = simulateLinks({ ...SCENARIO, ...bad, heights: HEIGHTS });
    expect(decisionMs).toHaveLength(HEIGHTS);
    expect(middle(decisionMs)).toBeLessThan(3_000);
    expect(falseReports).toBe(0);
  });
});
