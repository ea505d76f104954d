import { describe, expect, it } from "vitest";
import { type DiskLevel, diskLevel, watchDisk } from "#electron/main/files/disk-watch.ts";

const GIB = 1024 ** 3;

describe("watchDisk", () => {
  it("has three levels", () => {
    expect([10 * GIB, 2 * GIB, 2 * GIB - 1, GIB / 4, GIB / 4 - 1, 0].map(diskLevel)).toEqual([
      "ample",
      "ample",
      "low",
      "low",
      "full",
      "full",
    ]);
  });

  it("reports each change once and checks more often when there is little", async () => {
    const free = [10 * GIB, GIB, GIB, 1, 10 * GIB];
    const levels: DiskLevel[] = [];
    const delays: number[] = [];
    let next: () => void = () => undefined;
    let isCancelled = false;
    const stop = watchDisk({
      freeBytes: () => {
        const value = free.shift();
        return value === undefined ? Promise.reject(new Error("no disk")) : Promise.resolve(value);
      },
      timers: {
        setTimer: (delayMs, callback) => {
          next = callback;
          delays.push(delayMs);
          return (): void => {
            isCancelled = true;
          };
        },
      },
      onLevel: (level) => void levels.push(level),
    });
    for (let look = 0; look < 6; look += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(delays).toHaveLength(look + 1);
      next();
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(levels).toEqual(["low", "full", "ample"]);
    expect(delays).toEqual([600_000, 60_000, 60_000, 10_000, 600_000, 600_000, 600_000]);
    stop();
    expect(isCancelled).toBe(true);
  });
});
