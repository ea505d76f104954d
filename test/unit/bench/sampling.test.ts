import { describe, expect, it } from "vitest";
import { noise, sample } from "../../bench/measure/sampling.ts";

/** Yardsticks in order; the last one stays. */
function yardsticks(...values: readonly number[]): () => number {
  let at = 0;
  return () => values[Math.min(at++, values.length - 1)] ?? 0;
}

function counter(): () => Promise<number> {
  let calls = 0;
  return () => Promise.resolve(++calls);
}

describe("sample", () => {
  it("drops samples around which the machine changed by more than a tenth", async () => {
    const samples = await sample(2, counter(), yardsticks(100, 109, 95, 96));
    expect(samples).toEqual({ values: [1, 3], isNoisy: false, dropped: 1 });
    expect(noise(samples)).toBe("2 samples, 1 dropped");
  });

  it("keeps all of them when the machine never rests", async () => {
    const samples = await sample(2, counter(), yardsticks(100, 200, 100, 200, 100));
    expect(samples).toEqual({ values: [1, 2, 3, 4], isNoisy: true, dropped: 0 });
    expect(noise(samples)).toBe("4 samples, noisy");
  });
});
