// The idle time is the longer one of two clocks: a wall clock can be set back, a monotonic one stands still while a computer sleeps.
import { describe, expect, it } from "vitest";
import { AutoLock, longestOpenMs } from "#shared/keyring/auto-lock.ts";

const IDLE_MS = 60_000;

interface Watched {
  readonly clock: { wallMs: number; monotonicMs: number };
  readonly locks: string[];
  readonly delays: number[];
  readonly autoLock: AutoLock;
}

function watch(walletIdleMs: number | null = IDLE_MS, fullIdleMs: number | null = null): Watched {
  const clock = { wallMs: 1_000_000, monotonicMs: 500 };
  const [locks, delays]: [string[], number[]] = [[], []];
  const autoLock = new AutoLock(
    { nowMs: (): number => clock.wallMs, monotonicMs: (): number => clock.monotonicMs },
    {
      setTimer: (delayMs) => {
        delays.push(delayMs);
        return (): void => undefined;
      },
    },
    { lockWallet: (): unknown => locks.push("wallet"), lock: (): unknown => locks.push("all") },
  );
  autoLock.start({ walletIdleMs, fullIdleMs });
  return { clock, locks, delays, autoLock };
}

describe("the idle time", () => {
  it.each([
    ["only the wall clock moved, as in sleep", { wallMs: 1_000_000 + IDLE_MS, monotonicMs: 500 }],
    ["the wall clock was set back", { wallMs: 400_000, monotonicMs: 500 + IDLE_MS }],
  ])("is over when %s", (_, times) => {
    const { clock, locks, autoLock } = watch();
    autoLock.check();
    Object.assign(clock, times);
    autoLock.check();
    expect(locks).toEqual(["wallet"]);
  });

  it("is over at its end, not before", () => {
    const { clock, locks, autoLock } = watch();
    clock.monotonicMs += IDLE_MS - 1;
    autoLock.check();
    expect(locks).toEqual([]);
    clock.monotonicMs += 1;
    autoLock.check();
    expect(locks).toEqual(["wallet"]);
  });

  it("of everything counts before that of the wallet", () => {
    const { clock, locks, autoLock } = watch(IDLE_MS, IDLE_MS);
    clock.wallMs += IDLE_MS;
    autoLock.check();
    expect(locks).toEqual(["all"]);
  });

  it("sets no timer that overflows in a browser", () => {
    const days = 60 * 86_400_000;
    const { delays } = watch(days, 2 * days);
    expect(delays).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
  });
});

describe("the time that reported activity can put a lock off", () => {
  const HOUR_MS = 60 * IDLE_MS;

  /** Reports activity every ten seconds, as the interface does, until something locks or so long. */
  function touchUntilLocked({ clock, locks, autoLock }: Watched, longestMs: number): number {
    const start = clock.monotonicMs;
    while (locks.length === 0 && clock.monotonicMs - start < longestMs) {
      clock.monotonicMs += 10_000;
      clock.wallMs += 10_000;
      autoLock.touch();
    }
    return clock.monotonicMs - start;
  }

  it.each([
    ["an hour for a minute", IDLE_MS, HOUR_MS],
    ["an hour for five minutes", 5 * IDLE_MS, HOUR_MS],
    ["three hours for a quarter of an hour", 15 * IDLE_MS, 3 * HOUR_MS],
    ["half a day for an hour", HOUR_MS, 12 * HOUR_MS],
    ["a day for four hours", 4 * HOUR_MS, 24 * HOUR_MS],
    ["no less than the idle time", 48 * HOUR_MS, 48 * HOUR_MS],
  ])("is %s", (_, idleMs, longestMs) => {
    expect(longestOpenMs(idleMs)).toBe(longestMs);
    for (const watched of [watch(idleMs), watch(null, idleMs)]) expect(touchUntilLocked(watched, 2 * longestMs)).toBe(longestMs);
  });

  it("begins again with a proof of the person, and with nothing else", () => {
    const watched = watch(5 * IDLE_MS);
    expect(touchUntilLocked(watched, HOUR_MS / 2)).toBe(HOUR_MS / 2);
    watched.autoLock.configure({ walletIdleMs: 5 * IDLE_MS, fullIdleMs: null });
    watched.autoLock.prove();
    expect(touchUntilLocked(watched, 2 * HOUR_MS)).toBe(HOUR_MS);
  });

  it("is over when a proof comes too late", () => {
    const { clock, locks, autoLock } = watch(5 * IDLE_MS);
    clock.wallMs += 6 * IDLE_MS;
    autoLock.prove();
    expect(locks).toEqual(["wallet"]);
  });

  it("has a timer of its own", () => {
    const watched = watch(5 * IDLE_MS);
    touchUntilLocked(watched, HOUR_MS - IDLE_MS);
    expect(watched.delays.at(-1)).toBe(IDLE_MS);
  });

  it("has no end where the person chose that nothing locks by itself", () => {
    expect(touchUntilLocked(watch(null, null), 30 * HOUR_MS)).toBe(30 * HOUR_MS);
  });
});
