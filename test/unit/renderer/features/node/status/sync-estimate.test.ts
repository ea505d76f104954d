import { describe, expect, it } from "vitest";
import { addSample, type HeightSample, remainingMs } from "#renderer/features/node/status/sync-estimate.ts";

const seen = (...heights: readonly number[]): readonly HeightSample[] =>
  heights.reduce<readonly HeightSample[]>((samples, height, index) => addSample(samples, { atMs: index * 1_000, height }), []);

describe("how long catching up takes", () => {
  it("follows from the speed that was seen", () => {
    expect(remainingMs(seen(100, 200, 300), 1_300)).toBe(10_000);
    expect(remainingMs(seen(100, 200, 300), 300)).toBe(0);
  });

  it("is unknown while too little was seen", () => {
    expect(remainingMs([], 10)).toBeUndefined();
    expect(remainingMs(seen(100, 200), 1_000)).toBeUndefined();
    expect(remainingMs(seen(100, 100, 100), 1_000)).toBeUndefined();
  });

  it("forgets what was seen of another chain, and what is long past", () => {
    expect(seen(500, 600, 5)).toHaveLength(1);
    const many = seen(...Array.from({ length: 100 }, (_, index) => index * 10));
    expect(many.length).toBeLessThanOrEqual(30);
    expect(many.at(-1)?.height).toBe(990);
  });
});
