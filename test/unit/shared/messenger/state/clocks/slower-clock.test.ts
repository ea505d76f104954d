import { describe, expect, it } from "vitest";
import { begunAt, isHidden, isOverByBoth } from "#shared/messenger/model/progress/message-time.ts";
import { PairClock } from "#shared/messenger/pairs/pair-clock.ts";
import { type ChainTime, SlowerClock } from "#shared/messenger/state/clocks/slower-clock.ts";

const DAY = 86_400_000;
const YEARS = 3 * 365 * DAY;
const NOW = 1_800_000_000_000;

/** Clocks that are moved one by one. */
class Clocks {
  ownMs = NOW;
  ranMs = 5_000;
  blockS: number | undefined;
  readonly clock = { nowMs: (): number => this.ownMs, monotonicMs: (): number => this.ranMs };

  pass(ms: number): void {
    this.ownMs += ms;
    this.ranMs += ms;
  }

  /** The next run: its monotonic clock begins again. */
  start(noted?: ChainTime): SlowerClock {
    this.ranMs = 0;
    const { clock } = this;
    const timeS = (): number | undefined => this.blockS;
    const newestBlock = {
      get timeS(): number | undefined {
        return timeS();
      },
    };
    return new SlowerClock({ clock, days: new PairClock({ clock, newestBlock }, undefined, []) }, noted);
  }
}

const begun = (slower: SlowerClock, seconds: number): Parameters<typeof isOverByBoth>[0] => ({ seconds, ...begunAt(slower.now()) });

describe("the slower clock", () => {
  it("is the chain's where the own one jumps ahead, and goes on while the chain is quiet", () => {
    const clocks = new Clocks();
    clocks.blockS = NOW / 1_000 - 60;
    const slower = clocks.start();
    expect(slower.nowMs()).toBe(NOW - 60_000);
    clocks.ownMs += YEARS;
    expect(slower.nowMs()).toBe(NOW - 60_000);
    clocks.pass(30_000);
    expect(slower.nowMs()).toBe(NOW - 30_000);
    clocks.blockS = NOW / 1_000 + 15;
    expect(slower.nowMs()).toBe(NOW + 15_000);
  });

  it("is the own one where that is behind, and believes no block that is far ahead", () => {
    const clocks = new Clocks();
    clocks.blockS = NOW / 1_000;
    const slower = clocks.start();
    clocks.ownMs -= YEARS;
    expect(slower.nowMs()).toBe(NOW - YEARS);
    clocks.ownMs = NOW;
    clocks.blockS = (NOW + YEARS) / 1_000;
    clocks.pass(1_000);
    expect(slower.now()).toEqual({ ownMs: NOW + 1_000, chainMs: NOW + 1_000 });
  });

  it("begins where the last run ended while no block is known: the time between counts once a block says so", () => {
    const clocks = new Clocks();
    const first = clocks.start();
    clocks.pass(DAY);
    const noted = first.toNote;
    expect(noted).toEqual({ chainMs: NOW + DAY, isAssumed: true });
    first.setNoted(noted as ChainTime);
    expect(first.toNote).toBeUndefined();
    clocks.ownMs += YEARS;
    const second = clocks.start(noted);
    expect(second.nowMs()).toBe(NOW + DAY);
    clocks.pass(1_000);
    expect(second.nowMs()).toBe(NOW + DAY + 1_000);
    // What was assumed gives way to the first block, also to an earlier one.
    clocks.blockS = NOW / 1_000;
    expect(second.now().chainMs).toBe(NOW);
    const third = clocks.start({ chainMs: NOW + 2 * DAY, isAssumed: false });
    expect(third.now().chainMs).toBe(NOW + 2 * DAY);
  });
});

describe("the time of a message", () => {
  it("is over by both clocks in time, online, offline and on a quiet chain", () => {
    const clocks = new Clocks();
    clocks.blockS = NOW / 1_000 - 300;
    const slower = clocks.start();
    const expiry = begun(slower, 30);
    clocks.pass(29_999);
    expect(isOverByBoth(expiry, slower.now())).toBe(false);
    clocks.pass(1);
    expect(isOverByBoth(expiry, slower.now())).toBe(true);
  });

  it("goes from the screen alone while the own clock is years ahead, and comes back with it", () => {
    const clocks = new Clocks();
    clocks.blockS = NOW / 1_000;
    const slower = clocks.start();
    const expiry = begun(slower, 28 * 86_400);
    const expiresAt = (expiry.startedAt ?? 0) + 28 * DAY;
    clocks.ownMs += YEARS;
    expect([isHidden({ expiresAt }, clocks.ownMs), isOverByBoth(expiry, slower.now())]).toEqual([true, false]);
    clocks.ownMs -= YEARS;
    clocks.pass(DAY);
    expect([isHidden({ expiresAt }, clocks.ownMs), isOverByBoth(expiry, slower.now())]).toEqual([false, false]);
    clocks.pass(27 * DAY);
    expect(isOverByBoth(expiry, slower.now())).toBe(true);
  });

  it.each([
    ["behind since", 0, -YEARS],
    ["ahead when it began", YEARS, 0],
  ])("goes by the chain where the own clock is %s", (_, aheadThen, aheadNow) => {
    const clocks = new Clocks();
    clocks.blockS = NOW / 1_000;
    const slower = clocks.start();
    clocks.ownMs = NOW + aheadThen;
    const expiry = begun(slower, 3_600);
    clocks.ownMs = NOW + aheadNow;
    clocks.pass(3_599_999);
    expect(isOverByBoth(expiry, slower.now())).toBe(false);
    clocks.pass(1);
    expect(isOverByBoth(expiry, slower.now())).toBe(true);
  });

  it("goes by the own clock for what an earlier version stored", () => {
    const clocks = new Clocks();
    const slower = clocks.start();
    const expiry = { seconds: 60, startedAt: NOW - 60_000 };
    expect(isOverByBoth(expiry, slower.now())).toBe(true);
    expect(isHidden({ expiresAt: null }, NOW)).toBe(false);
  });
});
