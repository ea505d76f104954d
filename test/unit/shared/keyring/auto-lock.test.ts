// The idle time is the longer one of two clocks: a wall clock can be set back, a monotonic one stands still while a computer sleeps.
import { describe, expect, it } from "vitest";
import { AutoLock } from "#shared/keyring/auto-lock.ts";

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
  autoLock.configure({ walletIdleMs, fullIdleMs });
  autoLock.touch();
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
