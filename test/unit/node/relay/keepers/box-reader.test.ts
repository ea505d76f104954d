// A box that three keepers list together: what they say is merged, and who drops mail loses its say at this node.
import { describe, expect, it } from "vitest";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { findMissing, type KeeperPage, listAgain, readStatus, startReading, takePage } from "#node/relay/keepers/reading/box-reader.ts";
import { countsReceipts, type DoubtedKeepers, doubtKeeper, NO_DOUBTS, needsOtherBox } from "#node/relay/keepers/reading/doubted-keepers.ts";

const START_MS = 1_000_000;
const LATE_MS = KEEPER_LIMITS.lateMs;
const page = (from: string, ids: readonly string[], more: Partial<KeeperPage> = {}): KeeperPage => ({
  from,
  ids,
  deleted: [],
  isLast: true,
  ...more,
});

/** A reader of the keepers a, b and c. */
class Reading {
  reader = startReading(["a", "b", "c"], START_MS);
  nowMs = START_MS;
  isLie = false;

  take(next: KeeperPage): readonly string[] {
    const { reader, fresh, isLie } = takePage(this.reader, next, this.nowMs, KEEPER_LIMITS);
    this.reader = reader;
    this.isLie = isLie;
    return fresh;
  }

  get status(): string {
    return readStatus(this.reader, this.nowMs, KEEPER_LIMITS);
  }

  missing(confirmed?: (keeper: string, id: string) => boolean): {
    readonly dropped: readonly string[];
    readonly toGive: readonly string[];
  } {
    const { dropped, toGive } = findMissing(this.reader, KEEPER_LIMITS, confirmed);
    const [first = [], second = []] = [dropped, toGive].map((some) => some.map(({ keeper, id }) => `${keeper} ${id}`));
    return { dropped: first, toGive: second };
  }
}

describe("a box at three keepers", () => {
  it("has each envelope once, in the order in which it came here", () => {
    const reading = new Reading();
    expect(reading.take(page("b", ["2", "1"]))).toEqual(["2", "1"]);
    expect(reading.take(page("a", ["1", "3", "2"]))).toEqual(["3"]);
    expect([...reading.reader.envelopes].map(([id, { seq }]) => `${seq} ${id}`)).toEqual(["1 2", "2 1", "3 3"]);
    expect(reading.take(page("stranger", ["9"]))).toEqual([]);
  });

  it("is complete once two have listed all they have, and incomplete after two seconds", () => {
    const reading = new Reading();
    reading.take(page("a", ["1"], { isLast: false }));
    reading.take(page("b", ["1"]));
    expect(reading.status).toBe("waiting");
    reading.nowMs += 2_000;
    expect(reading.status).toBe("incomplete");
    reading.take(page("a", []));
    expect(reading.status).toBe("complete");
  });

  it("is not complete by a keeper that lies", () => {
    const reading = new Reading();
    const many = Array.from({ length: KEEPER_LIMITS.boxEntries }, (_, n) => `${n}`);
    for (const from of ["a", "b"]) reading.take(page(from, many));
    expect([reading.status, reading.isLie]).toEqual(["complete", false]);
    reading.take(page("b", ["one more"]));
    expect([reading.status, reading.isLie]).toEqual(["waiting", true]);
  });

  it("does not show what its owner has deleted, whichever keeper still lists it", () => {
    const reading = new Reading();
    reading.take(page("a", ["1", "2"]));
    expect(reading.take(page("b", ["3"], { deleted: ["1", "4"] }))).toEqual(["3"]);
    expect(reading.take(page("c", ["1", "4"]))).toEqual([]);
    expect([...reading.reader.envelopes.keys()]).toEqual(["2", "3"]);
  });

  it("ends with a keeper that lists more than any box holds", () => {
    const reading = new Reading();
    const pages = Math.ceil(KEEPER_LIMITS.boxEntries / 256) + 1;
    for (let at = 0; at < pages; at += 1)
      reading.take(
        page(
          "a",
          Array.from({ length: 256 }, (_, n) => `${at}-${n}`),
          { isLast: false },
        ),
      );
    expect(reading.isLie).toBe(true);
    const known = reading.reader.envelopes.size;
    expect(known).toBeLessThanOrEqual(KEEPER_LIMITS.boxEntries);
    expect(reading.take(page("a", ["more"]))).toEqual([]);
    reading.reader = listAgain(reading.reader, "a");
    expect([reading.take(page("a", ["more"])), reading.isLie]).toEqual([[], true]);
  });
});

describe("a keeper that lacks mail", () => {
  it("is given what others list, once repair had its time", () => {
    const reading = new Reading();
    for (const keeper of ["a", "b"]) reading.take(page(keeper, ["1", "2"]));
    reading.take(page("c", ["1"]));
    expect(reading.missing().toGive).toEqual([]);
    reading.nowMs += LATE_MS;
    for (const keeper of ["a", "b", "c"]) reading.reader = listAgain(reading.reader, keeper);
    for (const keeper of ["a", "b"]) reading.take(page(keeper, ["1", "2"]));
    expect(reading.missing().toGive).toEqual([]);
    reading.take(page("c", ["1"]));
    expect(reading.missing()).toEqual({ dropped: [], toGive: ["c 2"] });
  });

  it("has dropped only what it confirmed to this node, whatever two others say that they have", () => {
    const reading = new Reading();
    for (const keeper of ["a", "b"]) reading.take(page(keeper, ["1", "2", "3", "4"]));
    reading.nowMs += LATE_MS;
    reading.take(page("c", []));
    expect(reading.missing()).toEqual({ dropped: [], toGive: ["c 1", "c 2", "c 3", "c 4"] });
    const found = reading.missing((keeper, id) => keeper === "c" && id === "2");
    expect(found).toEqual({ dropped: ["c 2"], toGive: ["c 1", "c 3", "c 4"] });
  });
});

describe("a reader", () => {
  it("remembers no more than three lists hold, however often a keeper lists others", () => {
    const reading = new Reading();
    const many = (round: number): readonly string[] => Array.from({ length: KEEPER_LIMITS.boxEntries }, (_, n) => `${round}-${n}`);
    reading.take(page("b", ["true"]));
    for (let round = 0; round < 5; round += 1) {
      reading.reader = listAgain(reading.reader, "a");
      reading.take(page("a", many(round)));
      expect(reading.reader.envelopes.size).toBeLessThanOrEqual(3 * KEEPER_LIMITS.boxEntries);
    }
    expect(reading.reader.envelopes.has("true")).toBe(true);
  });
});

describe("doubts", () => {
  const doubt = (doubts: DoubtedKeepers, keeper: string): DoubtedKeepers => doubtKeeper(doubts, { keeper }, START_MS, KEEPER_LIMITS);
  const counts = (doubts: DoubtedKeepers, keeper: string, nowMs = START_MS): boolean =>
    countsReceipts(doubts, keeper, nowMs, KEEPER_LIMITS);

  it("count from the first envelope on that was confirmed to this node, for 30 days", () => {
    const one = doubt(NO_DOUBTS, "a");
    const after = START_MS + KEEPER_LIMITS.doubtMs;
    expect([counts(NO_DOUBTS, "a"), counts(one, "a"), counts(one, "b"), counts(one, "a", after)]).toEqual([true, false, true, true]);
  });

  it("give up a box that has fewer than two true keepers", () => {
    const one = doubt(NO_DOUBTS, "a");
    const needs = (doubts: DoubtedKeepers): boolean => needsOtherBox(doubts, ["a", "b", "c"], START_MS, KEEPER_LIMITS);
    expect([needs(NO_DOUBTS), needs(one), needs(doubt(one, "c"))]).toEqual([false, false, true]);
  });

  it("are bounded: the oldest goes", () => {
    const small = { ...KEEPER_LIMITS, doubted: 2 };
    const add = (doubts: DoubtedKeepers, keeper: string): DoubtedKeepers => doubtKeeper(doubts, { keeper }, START_MS, small);
    expect([...["a", "b", "a", "c"].reduce(add, NO_DOUBTS).keys()]).toEqual(["a", "c"]);
  });
});
