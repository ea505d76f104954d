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

  missing(confirmed?: (keeper: string, id: string) => boolean): readonly string[] {
    return findMissing(this.reader, KEEPER_LIMITS, confirmed).map(
      ({ keeper, id, isConfirmed }) => `${keeper} ${id}${isConfirmed ? "!" : ""}`,
    );
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
  it("is found by what two others list, once repair had its time", () => {
    const reading = new Reading();
    for (const keeper of ["a", "b"]) reading.take(page(keeper, ["1", "2"]));
    reading.take(page("c", ["1"]));
    expect(reading.missing()).toEqual([]);
    reading.nowMs += LATE_MS;
    for (const keeper of ["a", "b", "c"]) reading.reader = listAgain(reading.reader, keeper);
    for (const keeper of ["a", "b"]) reading.take(page(keeper, ["1", "2"]));
    expect(reading.missing()).toEqual([]);
    reading.take(page("c", ["1"]));
    expect(reading.missing()).toEqual(["c 2"]);
  });

  it("is not found by what a single one lists, unless it has confirmed that to this node", () => {
    const reading = new Reading();
    reading.take(page("a", ["1", "2"]));
    reading.nowMs += LATE_MS;
    reading.take(page("b", []));
    reading.take(page("c", ["2"]));
    expect(reading.missing()).toEqual(["b 2"]);
    expect(reading.missing((keeper, id) => keeper === "c" && id === "1")).toEqual(["b 2", "c 1!"]);
  });
});

describe("doubts", () => {
  const doubt = (doubts: DoubtedKeepers, keeper: string, id: string, isConfirmed = false): DoubtedKeepers =>
    doubtKeeper(doubts, { keeper, id, isConfirmed }, START_MS, KEEPER_LIMITS);
  const counts = (doubts: DoubtedKeepers, keeper: string, nowMs = START_MS): boolean =>
    countsReceipts(doubts, keeper, nowMs, KEEPER_LIMITS);

  it("count from the third envelope on, or from the first that was confirmed to this node, for 30 days", () => {
    const two = doubt(doubt(doubt(NO_DOUBTS, "a", "1"), "a", "2"), "a", "2");
    expect([counts(NO_DOUBTS, "a"), counts(two, "a"), counts(doubt(two, "a", "3"), "a")]).toEqual([true, true, false]);
    const sure = doubt(doubt(NO_DOUBTS, "a", "1", true), "a", "2");
    expect([counts(sure, "a"), counts(sure, "b"), counts(sure, "a", START_MS + KEEPER_LIMITS.doubtMs)]).toEqual([false, true, true]);
  });

  it("give up a box that has fewer than two true keepers", () => {
    const one = doubt(NO_DOUBTS, "a", "1", true);
    const needs = (doubts: DoubtedKeepers): boolean => needsOtherBox(doubts, ["a", "b", "c"], START_MS, KEEPER_LIMITS);
    expect([needs(NO_DOUBTS), needs(one), needs(doubt(one, "c", "1", true))]).toEqual([false, false, true]);
  });

  it("are bounded: the oldest goes", () => {
    const small = { ...KEEPER_LIMITS, doubted: 2 };
    const add = (doubts: DoubtedKeepers, keeper: string): DoubtedKeepers =>
      doubtKeeper(doubts, { keeper, id: "1", isConfirmed: true }, START_MS, small);
    expect([...["a", "b", "a", "c"].reduce(add, NO_DOUBTS).keys()]).toEqual(["a", "c"]);
  });
});
