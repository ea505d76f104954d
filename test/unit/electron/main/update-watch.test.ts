import { describe, expect, it } from "vitest";
import { watchUpdates } from "#electron/main/updates/update-watch.ts";
import { ManualTime } from "#test/support/worlds/keyring-world.ts";

const HOUR_MS = 3_600_000;

function world(): { time: ManualTime; checks: number[]; wanted: { is: boolean }; stop: () => void } {
  const time = new ManualTime(0);
  const checks: number[] = [];
  const wanted = { is: true };
  const stop = watchUpdates({
    isEnabled: () => wanted.is,
    check: () => {
      checks.push(time.nowMs());
      return Promise.reject(new Error("no network"));
    },
    timers: time,
    random: () => 0.5,
  });
  return { time, checks, wanted, stop };
}

describe("looking for updates", () => {
  it("begins a minute after the start and continues daily, though a check fails", () => {
    const { time, checks } = world();
    time.advance(59_000);
    expect(checks).toEqual([]);
    time.advance(50 * HOUR_MS);
    expect(checks).toEqual([60_000, 60_000 + 24.5 * HOUR_MS, 60_000 + 49 * HOUR_MS]);
  });

  it("is left out while it is not wanted, and stops", () => {
    const { time, checks, wanted, stop } = world();
    wanted.is = false;
    time.advance(HOUR_MS);
    wanted.is = true;
    time.advance(24 * HOUR_MS);
    expect(checks).toHaveLength(1);
    stop();
    expect(time.pendingTimers).toBe(0);
  });
});
