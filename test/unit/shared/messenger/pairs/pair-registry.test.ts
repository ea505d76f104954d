// Which pairs are stored, what a device is asked for, and the clocks that pairs go by.
import { describe, expect, it } from "vitest";
import { GapAsks } from "#shared/messenger/pairs/gap-asks.ts";
import { addCard } from "#shared/messenger/pairs/own-cards.ts";
import { PairClock } from "#shared/messenger/pairs/pair-clock.ts";
import { isBound, newPairRecord, type PairRecord, shownCardOf, withForgotten } from "#shared/messenger/pairs/pair-record.ts";
import { crowdedOut, MAX_PAIRS, MAX_PAIRS_PER_PERSON, PairRegistry } from "#shared/messenger/pairs/pair-registry.ts";
import { takeContent, takeOlderVersion } from "#shared/messenger/pairs/take-content.ts";

const PEER = "ab".repeat(32);
const THEIRS = "bb".repeat(8);
const HOUR = 3_600_000;
const now = (ms: number): { readonly ownMs: number; readonly blockMs: number } => ({ ownMs: ms, blockMs: ms });
const step = (ms = 0, isStranger = false): Parameters<typeof takeContent>[2] => ({ now: now(ms), day: 0, isStranger, spread: 0.5 });
const id = (number: number): string => number.toString(16).padStart(32, "0");
const device = (number: number): string => number.toString(16).padStart(64, "0");

/** A pair that was heard at a time. */
function pairOf(number: number, peer = PEER, heardMs = number): PairRecord {
  const record = newPairRecord(peer, device(number), number.toString(16).padStart(8, "0").repeat(2), 0);
  const content = { cardId: "", id: id(number), at: 0, stream: { instance: THEIRS, last: 0, base: 0 } };
  return { ...record, state: takeContent(record.state, content, step(heardMs)).state };
}

/** A pair in whose chain these positions came. */
function withPlaces(...places: readonly number[]): PairRecord {
  const record = pairOf(1);
  const state = places.reduce(
    (before, place) =>
      takeContent(before, { cardId: "", id: id(place), at: 0, place, stream: { instance: THEIRS, last: place, base: 0 } }, step()).state,
    record.state,
  );
  return { ...record, state };
}

describe("stored pairs", () => {
  it("are found by the id of a card of theirs", () => {
    const registry = new PairRegistry([pairOf(1), pairOf(2)]);
    expect(registry.ofCard("0000000200000001").map((record) => record.device)).toEqual([device(2)]);
    expect(registry.ofCard("0000000300000001")).toEqual([]);
    registry.delete(device(2));
    expect(registry.ofCard("0000000200000001")).toEqual([]);
  });

  it("are bounded: strangers make room first, each time the one that was heard longest ago", () => {
    const strangers = Array.from({ length: MAX_PAIRS }, (_, at) => pairOf(at + 10, `stranger ${at}`));
    const contacts = [pairOf(1), pairOf(2)];
    const isKnown = (person: string): boolean => person === PEER;
    expect(crowdedOut([...contacts, ...strangers], isKnown)).toEqual([device(10), device(11)]);
    expect(crowdedOut([...contacts, ...strangers], () => true)).toEqual([device(1), device(2)]);
    expect(crowdedOut([...contacts, ...strangers.slice(2)], isKnown)).toEqual([]);
  });

  it("of one person are bounded, whoever it is", () => {
    const many = Array.from({ length: MAX_PAIRS_PER_PERSON + 2 }, (_, at) => pairOf(at + 1));
    expect(crowdedOut(many, () => true)).toEqual([device(1), device(2)]);
  });
});

describe("a pair", () => {
  it("is bound once the other device has shown a card and sealed to one, also under an instance without a card", () => {
    const card = { id: `${THEIRS.slice(0, 8)}00000001`, kem: new Uint8Array(), x: new Uint8Array(), psk: new Uint8Array() };
    const content = { cardId: "", id: id(1), at: 0, stream: { instance: THEIRS, last: 0, base: 0 } };
    const shown = { ...pairOf(1), state: takeContent(pairOf(1).state, { ...content, card }, step()).state };
    expect([isBound(pairOf(1)), isBound({ ...pairOf(1), isProven: true }), isBound(shown)]).toEqual([false, false, false]);
    const bound = { ...shown, isProven: true };
    expect(isBound(bound)).toBe(true);
    const follower = { ...content, id: id(2), stream: { ...content.stream, instance: "cc".repeat(8) } };
    expect(isBound({ ...bound, state: takeContent(bound.state, follower, step()).state })).toBe(true);
  });

  it("shows its newest card, and no other one", () => {
    const record = pairOf(1);
    const drawn = { ...record, state: addCard(record.state, "secret", now(0)) };
    const card = { id: "0000000100000001", kem: new Uint8Array(), x: new Uint8Array(), psk: new Uint8Array(), signature: new Uint8Array() };
    expect([shownCardOf(drawn), shownCardOf({ ...record, shown: card }), shownCardOf({ ...drawn, shown: card })]).toEqual([
      undefined,
      undefined,
      card,
    ]);
    expect(shownCardOf({ ...drawn, shown: card, state: addCard(drawn.state, "next", now(0)) })).toBeUndefined();
  });

  it("remembers what is gone of what came under its cards", () => {
    const record = pairOf(1);
    const held = { ...record, state: addCard(record.state, "secret", now(0)) };
    const opened = { cardId: "0000000100000001", id: id(7), at: 0, place: 1, stream: { instance: THEIRS, last: 1, base: 0 } };
    const read = { ...held, state: takeContent(held.state, opened, step()).state };
    expect(withForgotten(read, [id(8)])).toBe(read);
    const forgotten = withForgotten(read, [id(7), id(8)]);
    expect(forgotten.forgets).toEqual([id(7)]);
    expect(withForgotten(forgotten, [id(7)])).toBe(forgotten);
  });

  it("answers who still writes version 1 with a mark, and after a minute with its card", () => {
    const card = { id: `${THEIRS.slice(0, 8)}00000001`, kem: new Uint8Array(), x: new Uint8Array(), psk: new Uint8Array() };
    const content = { cardId: "", id: id(1), at: 0, stream: { instance: THEIRS, last: 0, base: 0 }, card };
    const known = { ...takeContent(pairOf(1).state, content, step()).state, markAtMs: null, introducedAt: now(0) };
    const unknown = pairOf(1).state;
    expect(takeOlderVersion(unknown, step())).toBe(unknown);
    expect(takeOlderVersion(known, step(59_999))).toMatchObject({ markAtMs: 59_999 + 11_000, introducedAt: now(0) });
    expect(takeOlderVersion(known, step(60_000))).toMatchObject({ markAtMs: 71_000, introducedAt: null });
    expect(takeOlderVersion(known, step(60_000, true))).toBe(known);
  });
});

describe("what is missing", () => {
  it("is asked for after a while, then less and less often, and not for ever", () => {
    const gaps = new GapAsks();
    const record = withPlaces(1, 3);
    const askedAt: number[] = [];
    for (let ms = 0; ms < 200 * HOUR; ms += 5_000) {
      const due = gaps.due(record, ms);
      if (due.length === 0) continue;
      expect(due).toEqual([2]);
      askedAt.push(ms);
      gaps.noteAsked(record.device, ms);
    }
    expect(askedAt).toEqual([15_000, 75_000, 315_000, 1_275_000, 5_115_000, 20_475_000]);
    expect(gaps.nextMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("may be the end of the chain, as a later content states it", () => {
    const gaps = new GapAsks();
    const record = withPlaces(1);
    gaps.noteGiven(record.device, { instance: THEIRS, last: 3 });
    gaps.noteGiven(record.device, { instance: THEIRS, last: 2 });
    expect([gaps.due(record, 0), gaps.nextMs, gaps.due(record, 15_000)]).toEqual([[], 15_000, [2, 3]]);
    gaps.noteGiven(record.device, { instance: "cc".repeat(8), last: 9 });
    expect(gaps.due(record, 20_000)).toEqual([]);
  });

  it("begins anew where the gap is another one, and ends where it is closed", () => {
    const gaps = new GapAsks();
    gaps.due(withPlaces(1, 3), 0);
    expect(gaps.due(withPlaces(1, 2, 3, 5), 15_000)).toEqual([]);
    expect(gaps.due(withPlaces(1, 2, 3, 5), 30_000)).toEqual([4]);
    expect([gaps.due(withPlaces(1, 2, 3, 4, 5), 40_000), gaps.nextMs]).toEqual([[], Number.POSITIVE_INFINITY]);
  });
});

describe("the clocks", () => {
  const clockAt = (ownMs: number, timeS: number | undefined, pairs: readonly PairRecord[] = []): PairClock =>
    new PairClock({ clock: { nowMs: () => ownMs }, newestBlock: { timeS } }, undefined, pairs);

  it("know no time of the chain before a block is known, and count nothing then", () => {
    const clock = clockAt(5, undefined);
    expect([clock.now(), clock.countedAt(5), clock.day]).toEqual([{ ownMs: 5, blockMs: 0 }, undefined, 0]);
  });

  it("do not go back with a restart", () => {
    expect(clockAt(100 * HOUR, 1, [pairOf(1, PEER, 50 * HOUR)]).now()).toEqual({ ownMs: 100 * HOUR, blockMs: 50 * HOUR });
  });

  it("count days once they are stored", () => {
    const clock = new PairClock({ clock: { nowMs: () => 30 * HOUR }, newestBlock: { timeS: 30 * 3_600 } }, { days: 4, ...now(1) }, []);
    const counted = clock.countedAt(30 * HOUR);
    expect([counted, clock.day]).toEqual([{ days: 5, ...now(30 * HOUR) }, 4]);
    if (counted !== undefined) clock.setCounted(counted);
    expect([clock.day, clock.countedAt(31 * HOUR)]).toEqual([5, undefined]);
  });
});
