import { describe, expect, it } from "vitest";
import { newPair, type PairState } from "#shared/messenger/pairs/pair-state.ts";
import { type SentContent, tooLargeIn, tooOften } from "./bounds-oracle.ts";

const PAIR = newPair<string>("0011223344556677", 0);
const CHAIN = { instance: "88".repeat(8), upTo: 0, digest: "00".repeat(8), ahead: [] };
const THEIRS = { chain: CHAIN, card: null, sinceCard: 1, former: null, past: [], heardAt: { ownMs: 1, blockMs: 1 } };
const CARD = {
  ...{ number: 1, secret: "s", drawnAt: { ownMs: 1, blockMs: 1 }, handedInDay: null, isSealedTo: false, base: null },
  ...{ held: [], holdsMore: false },
};

describe("what a device keeps", () => {
  it.each<readonly [string, Partial<PairState<string>>]>([
    ["9 cards", { cards: Array(9).fill(CARD) }],
    ["9 lost cards", { lost: Array(9).fill("00") }],
    ["9 names of instances", { theirs: { ...THEIRS, past: Array(9).fill("00") } }],
    ["4097 contents beyond a gap", { theirs: { ...THEIRS, chain: { ...CHAIN, ahead: Array(4_097).fill({ position: 3, id: "" }) } } }],
    ["65 ids with a card", { cards: [{ ...CARD, held: Array(65).fill("00") }] }],
  ])("is too much with %s", (words, change) => {
    expect(tooLargeIn(PAIR)).toBeUndefined();
    expect(tooLargeIn({ ...PAIR, ...change })).toContain(words);
  });
});

describe("what a device sends", () => {
  const HOUR_MS = 3_600_000;
  const sent = (place: number | undefined, hours: readonly number[], instance = "a"): readonly SentContent[] =>
    hours.map((hour) => ({ instance, place, atMs: hour * HOUR_MS }));
  const NOTHING = { device: "ann-1", sent: [], days: 10, jumps: 0, renewed: [], came: 3, isAsking: true };
  /** At once twice, and then as seldom as it has to be. */
  const ALLOWED = [0, 0, 1 / 6, 1 / 2, 7 / 6, 2.5, 31 / 6, 10.5, 127 / 6, 42.5, 66.5];

  it("is too much when one content leaves more often than who asks may get it", () => {
    expect(tooOften({ ...NOTHING, sent: sent(1, ALLOWED) })).toBeUndefined();
    expect(tooOften({ ...NOTHING, sent: sent(1, [0, ...ALLOWED]) })).toContain("one content 12 times within 67 hours");
    expect(tooOften({ ...NOTHING, sent: [...sent(1, ALLOWED), ...sent(1, ALLOWED, "b")] })).toBeUndefined();
    const burst = [...ALLOWED, ...Array.from({ length: 11 }, (_, hour) => 400 + hour)];
    expect(tooOften({ ...NOTHING, sent: sent(1, burst) })).toContain("11 times within two days");
    expect(tooOften({ ...NOTHING, sent: sent(1, [0, ...ALLOWED]), jumps: 1 })).toBeUndefined();
    expect(tooOften({ ...NOTHING, isAsking: false, sent: sent(1, Array(18).fill(0)) })).toBeUndefined();
    expect(tooOften({ ...NOTHING, isAsking: false, sent: sent(1, Array(19).fill(0)) })).toContain("19 times");
  });

  it("is too much with marks for nothing, and with new instances more often than days count", () => {
    expect(tooOften({ ...NOTHING, sent: sent(undefined, Array(56).fill(0)) })).toBeUndefined();
    expect(tooOften({ ...NOTHING, sent: sent(undefined, Array(57).fill(0)) })).toContain("57 marks for 3 envelopes");
    expect(tooOften({ ...NOTHING, renewed: [1, 2, 4] })).toBeUndefined();
    expect(tooOften({ ...NOTHING, renewed: [1, 2, 2] })).toContain("twice on day 2");
  });
});
