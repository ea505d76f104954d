// The pace of heartbeats, on virtual time.
import { expect, it } from "vitest";
import { Pacemaker } from "#node/engine/voting/pacemaker.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

const START_MS = 1_800_000_000_000;
/** A block is of a moment after it was begun. */
const MAKING_MS = 5;

it.each([
  [200, 48],
  // Frozen: a second or more is what networks have, and a block that is newer by a moment costs them a pause.
  [1_000, 5],
  [10_000, 1],
])("wakes at each heartbeat of %i ms, also of test networks in which it is shorter than a second", (heartbeatMs, expected) => {
  const time = new VirtualTime();
  const clock = time.clock(START_MS);
  let woken = 0;
  const pacemaker = new Pacemaker({
    clock,
    timers: time,
    pace: { minBlockIntervalMs: 0, heartbeatMs },
    wake: () => {
      woken += 1;
      pacemaker.committed(clock.nowMs() + MAKING_MS);
    },
  });
  pacemaker.start(START_MS);
  time.advance(10_000);
  expect(woken).toBe(expected);
  pacemaker.stop();
});

it("tries a heartbeat that finds nothing to do again after a pause, which has an end where the heartbeat has none", () => {
  const time = new VirtualTime();
  const woken = [0, 10_000].map((heartbeatMs) => {
    const counted: number[] = [];
    const wake = (): void => void counted.push(time.nowMs);
    const pacemaker = new Pacemaker({ clock: time.clock(START_MS), timers: time, pace: { minBlockIntervalMs: 0, heartbeatMs }, wake });
    pacemaker.start(time.nowMs + START_MS);
    time.advance(12_000);
    pacemaker.stop();
    return counted.length;
  });
  expect(woken).toEqual([241, 3]);
});
