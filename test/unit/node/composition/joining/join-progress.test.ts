import { beforeEach, describe, expect, it } from "vitest";
import { JoinProgress } from "#node/composition/joining/join-progress.ts";

let nowMs = 0;
let progress: JoinProgress;
beforeEach(() => {
  nowMs = 1_000;
  progress = new JoinProgress({ monotonicMs: () => nowMs });
  progress.begin();
});

describe("how far a joining node is", () => {
  it("says what it looks for, fetches, and fetches beside it", () => {
    expect(progress.describe()).toEqual({ stage: "headers", bytes: 0, share: 0 });
    progress.onState(5_000, { bytes: 10, share: 0.5 });
    expect(progress.describe()).toEqual({ stage: "state", height: 5_000, bytes: 10, share: 0.5 });
    progress.onState(5_000, { bytes: 20, share: 1 });
    expect(progress.describe()).toEqual({ stage: "history", height: 5_000, bytes: 20, share: 1 });
  });

  it("estimates by what came in this run, and afresh for another state", () => {
    progress.onState(5_000, { bytes: 0, share: 0.5 });
    nowMs += 10_000;
    progress.onState(5_000, { bytes: 9, share: 0.75 });
    expect(progress.describe().eta_seconds).toBe(10);
    progress.onState(6_000, { bytes: 0, share: 0 });
    expect(progress.describe()).toEqual({ stage: "state", height: 6_000, bytes: 0, share: 0 });
    progress.begin();
    expect(progress.describe().stage).toBe("headers");
  });

  it("knows when it has given up", () => {
    expect(progress.giveUpIf(false)).toBe(false);
    expect(progress.hasGivenUp).toBe(false);
    expect(progress.giveUpIf(true)).toBe(true);
    expect(progress.hasGivenUp).toBe(true);
  });
});
