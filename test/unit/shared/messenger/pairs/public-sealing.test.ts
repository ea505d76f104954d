// Which contents of a pair are sealed to a public card of the other device, and what that changes of the own chain.
import { describe, expect, it } from "vitest";
import { newPairRecord, type PairRecord, pairRecordOf, storedPair } from "#shared/messenger/pairs/pair-record.ts";
import { newPair, type PairState } from "#shared/messenger/pairs/pair-state.ts";
import { type Leaving, leave, mayGetPublic, OLD_CARD_MS, prefersPublic } from "#shared/messenger/pairs/send-content.ts";
import { askForCards, askForPositions, dueAgain, givePlaces, LACKING_MS, noteNotTaken } from "#shared/messenger/pairs/sent-chain.ts";
import { type OpenedContent, takeContent } from "#shared/messenger/pairs/take-content.ts";

const DAY = 86_400_000;
const OWN = "aa".repeat(8);
const THEIRS = "bb".repeat(8);
type State = PairState<string>;
const id = (number: number): string => number.toString(16).padStart(32, "0");
const now = (ms: number): { readonly ownMs: number; readonly blockMs: number } => ({ ownMs: ms, blockMs: ms });
const card = (number: number): NonNullable<OpenedContent["card"]> => ({
  ...{ id: THEIRS.slice(0, 8) + number.toString(16).padStart(8, "0"), kem: Uint8Array.of(number), x: Uint8Array.of(number) },
  psk: Uint8Array.of(number),
});
const PUBLIC = { ...card(0), id: `dddddddd${"0".repeat(8)}` };

/** What the other device writes: a card, and nothing under its position. */
function show(state: State, number: number | undefined, ms: number): State {
  const shown = number === undefined ? {} : { card: card(number) };
  const content = { cardId: "", id: id(0), at: ms, stream: { instance: THEIRS, last: 0, base: 0 }, ...shown };
  return takeContent(state, content, { now: now(ms), day: 0, isStranger: false, spread: 0 }).state;
}

/** A pair with a card that was shown at 0, and so many contents that are to leave. */
function pair(places = 1): State {
  const state = show(newPair<string>(OWN, 0), 1, 0);
  const ids = Array.from({ length: places }, (_, at) => id(at + 1));
  return { ...state, sent: givePlaces(state.sent, ids, now(0)) };
}

function leaving(state: State, place: number | undefined, ms: number): Leaving<string> {
  return leave(state, place, { now: now(ms), isStranger: false, publicCard: PUBLIC }) ?? expect.unreachable("no card was shown");
}

const sealedAt = (state: State, ...times: readonly number[]): State => times.reduce((one, ms) => leaving(one, 1, ms).state, state);

describe("a content of a pair", () => {
  it("goes to the pair's card twice, and from its second retry on to a public one, in the lasting mailbox", () => {
    const boxed: State = { ...pair(), theirBox: { mailbox: "11".repeat(32), writeSeed: "", generation: 1, instance: THEIRS } };
    const first = leaving(boxed, 1, DAY);
    expect([first.isPublic, first.sealTo.id, first.box?.generation]).toEqual([false, card(1).id, 1]);
    const again = leaving(first.state, 1, 2 * DAY);
    expect([again.isPublic, again.sealTo.id]).toEqual([false, card(1).id]);
    const third = leaving(again.state, 1, 9 * DAY);
    expect([third.isPublic, third.sealTo, third.box]).toEqual([true, PUBLIC, undefined]);
    expect(leaving(third.state, 1, 20 * DAY).isPublic).toBe(true);
    expect(leave(again.state, 1, { now: now(9 * DAY), isStranger: false })?.sealTo.id).toBe(card(1).id);
    // Who asks for it has the card.
    const asked = { ...third.state, sent: askForPositions(third.state.sent, [1]) };
    expect(leaving(asked, 1, 20 * DAY).sealTo.id).toBe(card(1).id);
    // What has no position, and what leaves the first time, is not meant.
    expect([leaving(third.state, undefined, 9 * DAY).isPublic, leaving({ ...pair(2) }, 2, 9 * DAY).isPublic]).toEqual([false, false]);
  });

  it("goes to a public one again where no mailbox took it so, until it is asked for", () => {
    const third = sealedAt(pair(), DAY, 2 * DAY, 9 * DAY);
    const refused: State = { ...third, sent: noteNotTaken(third.sent, 1, true) };
    const soon = now(9 * DAY + LACKING_MS);
    expect(dueAgain(refused.sent, soon, { isStranger: false, isSilent: false }).map(({ position }) => position)).toEqual([1]);
    const again = leaving(refused, 1, soon.ownMs);
    expect([again.isPublic, again.state.sent.waiting[0]?.tries, again.state.sent.waiting[0]?.isNotTaken]).toEqual([true, 3, undefined]);
    for (const sent of [
      askForPositions(refused.sent, [1]),
      askForCards(refused.sent, [PUBLIC.id]),
      noteNotTaken(sealedAt(pair(), DAY, 2 * DAY).sent, 1),
    ])
      expect(leaving({ ...refused, sent }, 1, soon.ownMs).isPublic).toBe(false);
  });

  it("goes to a card of the pair again that was shown since", () => {
    const twice = sealedAt(pair(), DAY, 2 * DAY);
    expect(prefersPublic(show(twice, undefined, 3 * DAY), 1, now(9 * DAY))).toBe(true);
    // The same card again says nothing new.
    expect(prefersPublic(show(twice, 1, 3 * DAY), 1, now(9 * DAY))).toBe(true);
    const renewed = show(twice, 2, 3 * DAY);
    expect(leaving(renewed, 1, 9 * DAY).sealTo.id).toBe(card(2).id);
    expect(prefersPublic(sealedAt(renewed, 9 * DAY), 1, now(10 * DAY))).toBe(true);
    // Within one block the own clock says which was later.
    const at = (ownMs: number): typeof twice => ({
      ...renewed,
      theirs: renewed.theirs && { ...renewed.theirs, card: { ...card(2), number: 2, shownAt: { ownMs, blockMs: 2 * DAY } } },
    });
    expect([prefersPublic(at(2 * DAY), 1, now(9 * DAY)), prefersPublic(at(2 * DAY + 1), 1, now(9 * DAY))]).toEqual([true, false]);
  });

  it("goes to a public one at once while the pair's is 25 days old, whatever else came since", () => {
    const heard = show(pair(), undefined, 24 * DAY);
    for (const place of [1, undefined]) {
      expect(prefersPublic(heard, place, now(OLD_CARD_MS - 1))).toBe(false);
      expect(prefersPublic(heard, place, now(OLD_CARD_MS))).toBe(true);
      expect(prefersPublic(show(heard, 2, 25 * DAY), place, now(26 * DAY))).toBe(false);
    }
    const boxed: State = { ...heard, theirBox: { mailbox: "11".repeat(32), writeSeed: "", generation: 1, instance: THEIRS } };
    expect([OLD_CARD_MS - 1, OLD_CARD_MS].map((ms) => leaving(boxed, 1, ms).box?.generation)).toEqual([1, undefined]);
    // Of a card that an earlier version stored it is not known.
    const { shownAt: _, ...unknown } = heard.theirs?.card ?? expect.unreachable("no card");
    const before = { ...heard, theirs: heard.theirs && { ...heard.theirs, card: unknown } };
    expect([25, 48, 49].map((day) => prefersPublic(before, undefined, now(day * DAY)))).toEqual([false, false, true]);
  });

  it("says nothing of cards of the pair where it is sealed to a public one", () => {
    const twice = sealedAt(pair(2), DAY, 2 * DAY);
    const { state, frame } = leaving(twice, 1, 9 * DAY);
    expect(state.sent).toMatchObject({ base: twice.sent.base, under: twice.sent.under, sealedAt: now(9 * DAY) });
    expect(state.sent.waiting[0]).toMatchObject({ cardId: PUBLIC.id, tries: 3, isAsked: false });
    expect(frame).toMatchObject({ stream: { instance: OWN, last: 2, base: 0 }, place: 1 });
  });
});

it("goes to no device that has not said that it opens the form, or that knows no card of this one", () => {
  const record: PairRecord = { ...newPairRecord("ee".repeat(32), "ff".repeat(32), OWN, 0), state: pair(), isProven: true };
  const may = (changes: Partial<PairRecord>): boolean => mayGetPublic({ ...record, ...changes });
  expect([may({}), may({ opensForm: 3 }), may({ opensForm: 4 }), may({ opensForm: 5 })]).toEqual([false, false, true, true]);
  expect(may({ opensForm: 4, isProven: false })).toBe(false);
  expect(pairRecordOf(storedPair({ ...record, opensForm: 4 }))).toEqual({ ...record, opensForm: 4 });
});

describe("what came under a public card", () => {
  it("is taken once, belongs to no card of the pair, and makes no copy of a device that was followed", () => {
    const opened = { cardId: "", id: id(7), at: 1, place: 1, stream: { instance: THEIRS, last: 1, base: 0 } };
    const step = { now: now(1), day: 0, isStranger: false, spread: 0 };
    const once = takeContent(pair(), opened, step).state;
    expect([once.theirs?.chain.upTo, once.cards]).toEqual([1, []]);
    expect(takeContent(once, opened, step).state).toEqual(once);
    const follower = { ...opened, id: id(8), stream: { instance: "cc".repeat(8), last: 1, base: 0 }, card: undefined };
    const followed = takeContent(once, follower, step).state;
    const late = takeContent(followed, { ...opened, id: id(9), place: 2 }, step).state;
    expect([late.isCopied, late.theirs?.chain.instance, late.theirs?.former?.chain.upTo]).toEqual([false, "cc".repeat(8), 2]);
  });
});
