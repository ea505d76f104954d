import { beforeEach, describe, expect, it } from "vitest";
import { JoinProgress } from "#node/composition/joining/join-progress.ts";

let nowMs = 0;
let progress: JoinProgress;
beforeEach(() => {
  nowMs = 1_000;
  progress = new JoinProgress({ monotonicMs: () => nowMs });
  progress.begin();
});

/** The state's share at each second. */
function fetched(height: number, shares: readonly number[]): void {
  for (const [index, share] of shares.entries()) {
    if (index > 0) nowMs += 1_000;
    progress.onState(height, { bytes: index * 10, share });
  }
}

describe("how far a joining node is", () => {
  it("says for each step to which stage it belongs, with its amounts", () => {
    const none = { bytes: 0, share: 0 };
    expect(progress.describe()).toEqual({ stage: "headers", ...none, step: { name: "peers" } });
    progress.onStep({ name: "peers", done: 1, total: 4 });
    expect(progress.describe()).toEqual({ stage: "headers", ...none, step: { name: "peers", done: 1, total: 4 } });
    progress.onStep({ name: "header", height: 5_000 });
    expect(progress.describe()).toEqual({ stage: "headers", height: 5_000, ...none, step: { name: "header" } });
    progress.onState(5_000, { bytes: 10, share: 0.5 });
    const half = { stage: "state", height: 5_000, bytes: 10, share: 0.5 };
    expect(progress.describe()).toEqual({ ...half, step: { name: "records", bytes: 10 } });
    progress.onState(5_000, { bytes: 20, share: 1 });
    progress.onStep({ name: "sort", done: 16, total: 64 });
    const whole = { height: 5_000, bytes: 20, share: 1 };
    expect(progress.describe()).toEqual({ stage: "state", ...whole, step: { name: "sort", done: 16, total: 64 } });
    for (const step of [
      { name: "headers", done: 1_024, total: 10_000, bytes: 358_400 },
      { name: "receipts", done: 0, total: 7_200, bytes: 0 },
      { name: "block" },
      { name: "validators", done: 1, total: 3 },
      { name: "store" },
    ] as const) {
      progress.onStep(step);
      expect(progress.describe()).toEqual({ stage: "history", ...whole, step });
    }
  });

  it("estimates by what came in this run, and afresh for another state", () => {
    fetched(5_000, [0.5, 0.55, 0.6]);
    expect(progress.describe()).toMatchObject({ eta_seconds: 8, step: { name: "records", eta_seconds: 8 } });
    progress.onState(6_000, { bytes: 0, share: 0 });
    expect(progress.describe()).toEqual({ stage: "state", height: 6_000, bytes: 0, share: 0, step: { name: "records", bytes: 0 } });
    progress.begin();
    expect(progress.describe()).toEqual({ stage: "headers", bytes: 0, share: 0, step: { name: "peers" } });
  });

  it("estimates each step by itself, and only those that go at a speed", () => {
    fetched(5_000, [0, 0.4, 0.8]);
    for (const done of [0, 1_000, 2_000]) {
      nowMs += 1_000;
      progress.onStep({ name: "headers", done, total: 10_000, bytes: done * 350 });
      if (done === 0) expect(progress.describe().step).not.toHaveProperty("eta_seconds");
    }
    expect(progress.describe()).toMatchObject({ stage: "history", step: { name: "headers", eta_seconds: 8 } });
    expect(progress.describe()).not.toHaveProperty("eta_seconds");
    for (const done of [0, 1, 2]) {
      nowMs += 1_000;
      progress.onStep({ name: "peers", done, total: 4 });
    }
    expect(progress.describe().step).toEqual({ name: "peers", done: 2, total: 4 });
  });

  it("has no estimate once nothing comes", () => {
    fetched(5_000, [0, 0.1, 0.2]);
    nowMs += 20_000;
    progress.onState(5_000, { bytes: 20, share: 0.2 });
    expect(progress.describe()).not.toHaveProperty("eta_seconds");
  });

  it("knows when it has given up", () => {
    expect(progress.giveUpIf(false)).toBe(false);
    expect(progress.hasGivenUp).toBe(false);
    expect(progress.giveUpIf(true)).toBe(true);
    expect(progress.hasGivenUp).toBe(true);
  });
});
