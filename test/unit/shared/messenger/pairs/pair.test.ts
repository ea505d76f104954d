// Steps of a pair: when cards are drawn and go, what late mail, copies and set-back devices do.
import { describe, expect, it } from "vitest";
import { type BothClocks, firstDay } from "#shared/messenger/pairs/counted-days.ts";
import {
  addCard,
  CARD_GRACE_DAYS,
  cardStatus,
  forgetContents,
  livingCard,
  needsCard,
  nextCardId,
  noteHandedIn,
  noteOpened,
  noteUnopened,
  retireCards,
} from "#shared/messenger/pairs/own-cards.ts";
import { MAX_CARDS, MAX_HELD_IDS, newPair, type PairState, renewInstance } from "#shared/messenger/pairs/pair-state.ts";
import { isMarkDue, isSilent, leave, leaveToFormer, needsIntroduction } from "#shared/messenger/pairs/send-content.ts";
import { givePlaces } from "#shared/messenger/pairs/sent-chain.ts";
import { type OpenedContent, takeContent, takeUnopened } from "#shared/messenger/pairs/take-content.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OWN = "aa".repeat(8);
const THEIRS = "bb".repeat(8);
const FOLLOWER = "cc".repeat(8);
type State = PairState<string>;
const id = (number: number): string => number.toString(16).padStart(32, "0");
const now = (ms: number): { readonly ownMs: number; readonly blockMs: number } => ({ ownMs: ms, blockMs: ms });
const step = (ms = 0, day = 0): Parameters<typeof takeContent>[2] => ({ now: now(ms), day, isStranger: false, spread: 0.5 });
const shown = (instance: string, number: number, byte = number): NonNullable<OpenedContent["card"]> => ({
  id: instance.slice(0, 8) + number.toString(16).padStart(8, "0"),
  kem: Uint8Array.of(byte),
  x: Uint8Array.of(byte),
  psk: Uint8Array.of(byte),
});

/** A pair with so many own cards, and their first one. */
function pair(cards = 1): State {
  let state = newPair<string>(OWN, 0);
  for (let card = 1; card <= cards; card += 1) state = addCard(state, `secret ${card}`, now(0));
  return takeContent(
    state,
    { cardId: "", id: id(0), at: 0, stream: { instance: THEIRS, last: 0, base: 0 }, card: shown(THEIRS, 1) },
    step(),
  ).state;
}

/** A content at a position of their chain, sealed to an own card. */
function content(
  place: number,
  card: number,
  fields: Partial<OpenedContent> & { readonly base?: number; readonly instance?: string } = {},
): OpenedContent {
  const { base = 0, instance = THEIRS, ...rest } = fields;
  return { cardId: shown(OWN, card).id, id: id(place), at: 0, place, stream: { instance, last: Math.max(place, base), base }, ...rest };
}

const take = (state: State, opened: OpenedContent, context = step()): State => takeContent(state, opened, context).state;
const living = ({ cards }: State): readonly number[] => cards.map(({ number }) => number);

describe("a card", () => {
  it("is drawn once a day, and each minute when the newest was sealed to", () => {
    expect(needsCard(newPair<string>(OWN, 0), now(0))).toBe(true);
    const fresh = pair();
    expect([needsCard(fresh, now(20 * HOUR - 1)), needsCard(fresh, now(20 * HOUR)), needsCard(fresh, now(-20 * HOUR))]).toEqual([
      false,
      true,
      true,
    ]);
    const used = take(fresh, content(1, 1));
    expect([needsCard(used, now(MINUTE - 1)), needsCard(used, now(MINUTE))]).toEqual([false, true]);
    const marked = take(fresh, { ...content(1, 1), place: undefined });
    expect(needsCard(marked, now(MINUTE))).toBe(false);
  });

  it("is not drawn for a node that shows now one time and now another", () => {
    const used = take(pair(), content(1, 1));
    const at = (ownMs: number, blockMs: number): BothClocks => ({ ownMs: now(ownMs).ownMs, blockMs: now(blockMs).blockMs });
    expect([needsCard(used, at(MINUTE - 1, 10 * DAY)), needsCard(pair(), at(MINUTE - 1, -10 * DAY))]).toEqual([false, false]);
    expect(needsCard(used, at(MINUTE, -10 * DAY))).toBe(true);
  });

  it("has an id of its instance, and is living, gone, never drawn, or another's", () => {
    const state = { ...pair(3), cards: pair(3).cards.slice(1) };
    expect(nextCardId(state)).toBe("aaaaaaaa00000004");
    expect([1, 2, 4].map((number) => cardStatus(state, shown(OWN, number).id))).toEqual(["gone", "living", "never"]);
    expect(cardStatus(state, shown(THEIRS, 2).id)).toBe("foreign");
    expect(livingCard(state, shown(OWN, 2).id)?.secret).toBe("secret 2");
  });

  it("goes when something came under a later one and all before that is here", () => {
    const gap = take(pair(3), content(2, 2, { base: 1 }));
    expect(living(gap)).toEqual([1, 2, 3]);
    expect(living(take(gap, content(1, 1)))).toEqual([2, 3]);
    expect(living(take(pair(3), { ...content(1, 3), place: undefined }))).toEqual([3]);
  });

  it("stays when what came under a later one is of another chain than the present", () => {
    const other = take(take(pair(2), content(1, 2, { instance: FOLLOWER, base: 0 })), content(1, 1));
    expect(noteOpened(other, shown(OWN, 2).id, { id: id(9), hasPlace: true, instance: THEIRS, base: 0 }).cards).toHaveLength(1);
    const late = { ...pair(2), cards: pair(2).cards.map((card) => ({ ...card, base: { instance: FOLLOWER, position: 0 } })) };
    expect(living(retireCards(late, 0))).toEqual([1, 2]);
  });

  it("goes three counted days after a later one was handed in", () => {
    const handed = noteHandedIn(noteHandedIn(pair(2), shown(OWN, 2).id, 4), shown(OWN, 2).id, 9);
    expect(living(retireCards(handed, 3 + CARD_GRACE_DAYS))).toEqual([1, 2]);
    expect(living(retireCards(handed, 4 + CARD_GRACE_DAYS))).toEqual([2]);
    expect(living(retireCards(noteHandedIn(pair(2), shown(OWN, 1).id, 0), 99))).toEqual([1, 2]);
  });

  it("goes with a text that came under it, and no other does", () => {
    const state = take(take(pair(2), content(1, 1)), content(2, 2, { base: 3 }));
    expect(living(forgetContents(state, [id(1)]))).toEqual([2]);
    expect(living(forgetContents(state, [id(2)]))).toEqual([1]);
    expect(forgetContents(state, [id(7)])).toBe(state);
  });

  it("goes with a text whose later words came under it", () => {
    const state = take(take(pair(2), content(1, 1)), content(2, 2, { base: 3, wordsOf: id(1) }));
    expect(living(forgetContents(state, [id(1)]))).toEqual([]);
  });

  it("stays with a deletion that came under it in the place of its text: there are no words in that", () => {
    const deleted = take(take(pair(), content(1, 1)), content(2, 1, { isDeletion: true }));
    expect(deleted.cards[0]).toMatchObject({ held: [id(1)], isSealedTo: true });
    expect(deleted.theirs?.chain.upTo).toBe(2);
    expect(forgetContents(deleted, [id(2)])).toBe(deleted);
    expect(living(forgetContents(deleted, [id(1)]))).toEqual([]);
  });

  it("goes with any text when more came under it than is remembered", () => {
    const count = MAX_HELD_IDS + 1;
    const full = Array.from({ length: count }, (_, at) => content(at + 1, 1)).reduce((state, opened) => take(state, opened), pair());
    expect(living(forgetContents(full, [id(999)]))).toEqual([]);
    const repeated = take(pair(), content(1, 1));
    expect(take(repeated, content(1, 1)).cards[0]?.held).toEqual([id(1)]);
  });

  it("goes beyond eight", () => {
    expect(living(pair(MAX_CARDS + 2))).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

describe("what did not open", () => {
  it("is said until nothing under an earlier card is missing", () => {
    const retired = retireCards(noteHandedIn(pair(2), shown(OWN, 2).id, 0), CARD_GRACE_DAYS);
    const told = takeUnopened(retired, shown(OWN, 1).id, step());
    expect(told).toMatchObject({ isSetBack: false, state: { lost: [shown(OWN, 1).id], markAtMs: 11_000 } });
    expect(leave(told.state, undefined, { now: now(0), isStranger: false })?.frame.lost).toEqual([shown(OWN, 1).id]);
    expect(takeUnopened({ ...told.state, markAtMs: null }, shown(OWN, 1).id, step()).state.markAtMs).toBeNull();
    expect(take(told.state, content(2, 2, { base: 1 })).lost).toHaveLength(1);
    expect(take(told.state, content(1, 2)).lost).toEqual([]);
  });

  it("says that this device was set back when the card was never drawn, or is there and another", () => {
    expect(takeUnopened(pair(), shown(OWN, 2).id, step()).isSetBack).toBe(true);
    expect(takeUnopened(pair(), shown(OWN, 1).id, step()).isSetBack).toBe(true);
    expect(takeUnopened(pair(), shown(FOLLOWER, 1).id, step())).toEqual({ state: pair(), isSetBack: false });
  });

  it("sets the pair back once a counted day, however often it is said, and what waits in it has its place again", () => {
    const ids = [id(1), id(2), id(3)];
    let state: State = { ...pair(2), sent: givePlaces(pair().sent, ids, now(0)) };
    const instances: string[] = [];
    for (let hour = 0; hour < 100; hour += 1) {
      // The newest card of whatever instance there is now, and one that this has never drawn.
      for (const number of [state.nextNumber - 1, state.nextNumber, 0xffff_ffff]) {
        const unopened = takeUnopened(state, shown(state.instance, number).id, step(hour * HOUR, Math.floor(hour / 20)));
        state = unopened.state;
        if (!unopened.isSetBack) continue;
        const renewed = renewInstance(state, (hour + 1).toString(16).padStart(16, "0"), Math.floor(hour / 20));
        if (renewed === state) continue;
        instances.push(renewed.instance);
        state = addCard({ ...renewed, sent: givePlaces(renewed.sent, ids, now(hour * HOUR)) }, "secret", now(hour * HOUR));
      }
    }
    expect(instances).toHaveLength(4);
    expect(state.sent.waiting.map((entry) => entry.id)).toEqual(ids);
    expect(state.lost.length).toBeLessThanOrEqual(8);
  });

  it("of a former instance sets nothing back, so a relay that lays old mail there again does nothing", () => {
    const renewed = addCard(renewInstance(pair(2), FOLLOWER, 1), "secret", now(0));
    for (const number of [1, 2, 3])
      expect(takeUnopened(renewed, shown(OWN, number).id, step(0, 9))).toEqual({ state: renewed, isSetBack: false });
  });

  it("is bounded, the newest", () => {
    const many = Array.from({ length: 10 }, (_, at) => shown(OWN, at).id);
    expect(many.reduce<State>((state, cardId) => noteUnopened(state, cardId), pair()).lost).toEqual(many.slice(2));
  });
});

describe("this device, set back", () => {
  it("goes on under another instance once a counted day, which it names the former of", () => {
    expect(renewInstance(pair(), FOLLOWER, 0)).toEqual(pair());
    const renewed = renewInstance(take(pair(2), content(1, 1)), FOLLOWER, 1);
    expect(renewed).toMatchObject({ instance: FOLLOWER, after: OWN, cards: [], nextNumber: 1, sent: { last: 0 } });
    expect(renewed.theirs).toMatchObject({ chain: { upTo: 1 }, sinceCard: 1 });
    expect(renewInstance(renewed, OWN, 1)).toBe(renewed);
  });

  it("learns it of an acknowledgement, and drops the former name once it is acknowledged", () => {
    const ack = { instance: OWN, upTo: 3, digest: "11".repeat(8), ranges: [] };
    expect(takeContent(pair(), content(1, 1, { ack }), step()).isSetBack).toBe(true);
    const renewed: State = { ...pair(), after: FOLLOWER, sent: givePlaces(pair().sent, [id(1)], now(0)) };
    expect(leave(renewed, 1, { now: now(0), isStranger: false })?.frame).toMatchObject({ after: FOLLOWER, place: 1 });
    const nothing = { instance: OWN, upTo: 0, digest: "00".repeat(8), ranges: [] };
    expect(take(renewed, content(1, 1, { ack: nothing })).after).toBe(FOLLOWER);
    const beyond = { ...nothing, ranges: [{ from: 1, to: 1 }] };
    expect(
      take({ ...renewed, sent: { ...renewed.sent, last: 2 } }, content(1, 1, { ack: { ...beyond, ranges: [{ from: 2, to: 2 }] } })).after,
    ).toBeNull();
  });

  it("passes over acknowledgements of another instance", () => {
    const ack = { instance: FOLLOWER, upTo: 3, digest: "11".repeat(8), ranges: [] };
    expect(takeContent(pair(), content(1, 1, { ack }), step())).toMatchObject({ isSetBack: false, acked: [] });
  });
});

describe("the other device", () => {
  it("is followed to another instance, whose chain and cards begin anew", () => {
    const followed = take(take(pair(), content(1, 1)), content(1, 1, { instance: FOLLOWER, card: shown(FOLLOWER, 1) }));
    expect(followed.theirs).toMatchObject({ chain: { instance: FOLLOWER, upTo: 1 }, card: { id: shown(FOLLOWER, 1).id }, past: [THEIRS] });
    expect(followed).toMatchObject({ isCopied: false, theirs: { former: { chain: { instance: THEIRS, upTo: 1 } } } });
  });

  it("may have late mail under its former instance, which is taken and makes no copy", () => {
    const followed = take(pair(), content(1, 1, { instance: FOLLOWER }));
    const late = take(followed, content(1, 1));
    expect(late).toMatchObject({ isCopied: false, theirs: { chain: { instance: FOLLOWER }, former: { chain: { upTo: 1 } } } });
  });

  it("is a copy when its former instance seals to a card that was drawn since: both are served", () => {
    const followed = addCard(take(pair(), content(1, 1, { instance: FOLLOWER, card: shown(FOLLOWER, 1) })), "secret 2", now(0));
    const copied = take(followed, content(1, 2));
    expect(copied).toMatchObject({ isCopied: true, theirs: { chain: { instance: THEIRS, upTo: 1 }, card: { number: 1 } } });
    expect(copied.theirs?.former?.chain.instance).toBe(FOLLOWER);
    const drawn = addCard(copied, "secret 3", now(0));
    expect(take(drawn, content(2, 3, { instance: FOLLOWER })).theirs?.chain).toMatchObject({ instance: FOLLOWER, upTo: 2 });
  });

  it("is not asked under one that has shown no card, which has taken the place of the former", () => {
    const followed = take(pair(), content(1, 1, { instance: FOLLOWER }));
    const asking = take(followed, { ...content(1, 1, { card: shown(THEIRS, 5) }), cardId: "" });
    expect(asking.asksFormer).toBe(true);
    expect(take(asking, content(1, 1, { instance: "dd".repeat(8), card: shown("dd".repeat(8), 1) })).asksFormer).toBe(false);
  });

  it("is asked under its former instance when that shows a new card, once", () => {
    const followed = take(pair(), content(1, 1, { instance: FOLLOWER, card: shown(FOLLOWER, 1) }));
    expect(leaveToFormer(followed)).toBeUndefined();
    const late = take(followed, { ...content(1, 1, { card: shown(THEIRS, 5) }), cardId: "" });
    const leaving = leaveToFormer(late);
    expect(leaving).toMatchObject({
      sealTo: { id: shown(THEIRS, 5).id },
      frame: { ack: { instance: THEIRS } },
      state: { asksFormer: false },
    });
    expect(leaving && leaveToFormer(leaving.state)).toBeUndefined();
  });

  it("of a stranger is asked nothing, whatever it shows: that would tell them that this device is there, and what it has", () => {
    const followed = take(pair(), content(1, 1, { instance: FOLLOWER, card: shown(FOLLOWER, 1) }));
    const late = { ...content(1, 1, { card: shown(THEIRS, 5) }), cardId: "" };
    expect(take(followed, late, { ...step(), isStranger: true }).asksFormer).toBe(false);
    expect(take(followed, late).asksFormer).toBe(true);
  });

  it("is a copy when one card id comes with two keys", () => {
    expect(take(pair(), content(1, 1, { card: shown(THEIRS, 1, 9) })).isCopied).toBe(true);
    expect(take(pair(), content(1, 1, { card: shown(THEIRS, 1) })).isCopied).toBe(false);
  });

  it("is known by its newest card of its own instance", () => {
    const newer = take(pair(), content(1, 1, { card: shown(THEIRS, 4) }));
    expect(take(newer, content(2, 1, { card: shown(THEIRS, 3) })).theirs?.card?.number).toBe(4);
    expect(take(newer, content(2, 1, { card: shown(FOLLOWER, 9) })).theirs?.card?.number).toBe(4);
  });
});

describe("a mark", () => {
  it("acknowledges within twenty seconds what has a position, and nothing else; strangers get none", () => {
    const used = leave(pair(), undefined, { now: now(0), isStranger: false })?.state ?? pair();
    expect(take(used, content(1, 1)).markAtMs).toBe(11_000);
    expect(take(used, { ...content(1, 1), place: undefined }).markAtMs).toBeNull();
    expect(take(used, content(1, 1), { ...step(), isStranger: true }).markAtMs).toBeNull();
    const stranger = leave(pair(), undefined, { now: now(0), isStranger: true });
    expect(stranger?.frame.ack).toBeUndefined();
  });

  it("shows the first card to a device that has shown one, unless it is a stranger's", () => {
    expect(pair().markAtMs).toBe(11_000);
    const opened: OpenedContent = { cardId: "", id: id(0), at: 0, stream: { instance: THEIRS, last: 0, base: 0 }, card: shown(THEIRS, 1) };
    expect(take(newPair<string>(OWN, 0), opened, { ...step(), isStranger: true }).markAtMs).toBeNull();
    expect(isMarkDue({ ...pair(), markAtMs: null }, now(1), 0)).toBe(true);
  });

  it("leaves within hours when own words lie under an earlier card", () => {
    const sent = leave({ ...pair(), sent: givePlaces(pair().sent, [id(1)], now(0)) }, 1, { now: now(0), isStranger: false });
    if (sent === undefined) throw new Error("nothing left");
    const told = take(sent.state, { ...content(1, 1, { card: shown(THEIRS, 2) }), place: undefined });
    expect(told.markAtMs).toBe(HOUR);
    expect([isMarkDue(told, now(HOUR - 1), null), isMarkDue(told, now(HOUR), null)]).toEqual([false, true]);
    expect(isMarkDue(told, now(-10 * DAY), null)).toBe(true);
    const left = leave(told, undefined, { now: now(HOUR), isStranger: false });
    expect(left).toMatchObject({ frame: { stream: { last: 1, base: 1 } }, state: { markAtMs: null } });
  });

  it("leaves weekly in a chat that is used, and needs a card to be sealed to", () => {
    const state = leave(pair(), undefined, { now: now(0), isStranger: false })?.state ?? pair();
    expect([isMarkDue(state, now(7 * DAY - 1), 0), isMarkDue(state, now(7 * DAY), 0)]).toEqual([false, true]);
    expect([isMarkDue(state, now(61 * DAY), 0), isMarkDue(state, now(8 * DAY), null)]).toEqual([false, false]);
    expect(isMarkDue({ ...newPair<string>(OWN, 0), markAtMs: 0 }, now(5), 0)).toBe(false);
  });
});

describe("an introduction", () => {
  const shownOnce: State = { ...pair(), introducedAt: now(-DAY) };
  const given = { ...shownOnce, sent: givePlaces(pair().sent, [id(1)], now(0)) };
  const sent = leave(given, 1, { now: now(0), isStranger: false })?.state ?? pair();

  it("is needed once, without a card, and with what is sent again unasked", () => {
    expect(needsIntroduction(newPair<string>(OWN, 0), now(0), null)).toBe(true);
    expect([needsIntroduction(pair(), now(0), null), needsIntroduction(shownOnce, now(0), null)]).toEqual([true, false]);
    expect(leave(newPair<string>(OWN, 0), undefined, { now: now(0), isStranger: false })).toBeUndefined();
    expect([needsIntroduction(sent, now(DAY - 1), null), needsIntroduction(sent, now(DAY), null)]).toEqual([false, true]);
  });

  it("is needed when nothing came for two weeks in a chat that is in use", () => {
    expect([needsIntroduction(shownOnce, now(14 * DAY - 1), 0), needsIntroduction(shownOnce, now(14 * DAY), 0)]).toEqual([false, true]);
    expect(needsIntroduction(shownOnce, now(14 * DAY), null)).toBe(false);
  });

  it("is needed when what came did not open, ten minutes later, for three days, until something comes under a living card", () => {
    // The other device knows the second card alone, which is gone: what it was answered lies under a card that may be gone as well.
    const gone = forgetContents(take({ ...pair(3), introducedAt: now(-DAY) }, content(1, 2)), [id(1)]);
    const unopened = takeUnopened(gone, shown(OWN, 2).id, step(0)).state;
    const isNeeded = (state: State, ms: number): boolean => needsIntroduction(state, now(ms), null);
    expect([10 * MINUTE - 1, 10 * MINUTE, 3 * DAY - 1, 3 * DAY].map((ms) => isNeeded(unopened, ms))).toEqual([false, true, true, false]);
    // The same again changes nothing, and at most every six hours.
    expect(takeUnopened(unopened, shown(OWN, 2).id, step(3 * DAY)).state).toBe(unopened);
    expect(isNeeded({ ...unopened, introducedAt: now(HOUR) }, 7 * HOUR - 1)).toBe(false);
    // An earlier card says nothing, a later one does.
    expect(isNeeded(take(unopened, content(2, 1, { base: 1 })), HOUR)).toBe(true);
    expect(isNeeded(take(unopened, content(2, 3, { base: 3 })), HOUR)).toBe(false);
    // Late mail under a card that was followed is no reason.
    const followed = take({ ...pair(3), introducedAt: now(-DAY) }, content(1, 3, { base: 0 }));
    expect(isNeeded(takeUnopened(followed, shown(OWN, 2).id, step(0)).state, HOUR)).toBe(false);
  });

  it("leaves at most every six hours, and for silence once a week", () => {
    const introduced = { ...sent, introducedAt: now(DAY) };
    expect([
      needsIntroduction(introduced, now(DAY + 6 * HOUR - 1), null),
      needsIntroduction(introduced, now(DAY + 6 * HOUR), null),
    ]).toEqual([false, true]);
    // What waits is not sent again unasked to who is silent: once a week is enough to be asked for it.
    const silent = { ...sent, introducedAt: now(60 * DAY) };
    expect([60 * DAY + 6 * HOUR, 67 * DAY - 1, 67 * DAY].map((ms) => needsIntroduction(silent, now(ms), null))).toEqual([
      false,
      false,
      true,
    ]);
    const unheard = { ...pair(), introducedAt: now(14 * DAY) };
    expect([needsIntroduction(unheard, now(21 * DAY - 1), 0), needsIntroduction(unheard, now(21 * DAY), 0)]).toEqual([false, true]);
  });

  it("goes on where the other device is silent, which both clocks have to say", () => {
    expect(isSilent(pair(), now(60 * DAY))).toBe(true);
    expect(isSilent(pair(), { ownMs: 3_650 * DAY, blockMs: DAY })).toBe(false);
    expect(isSilent(newPair<string>(OWN, 0), firstDay(now(0)))).toBe(true);
  });
});

it("remembers the words of a copy that a node held, which has no position: they go with their card", () => {
  const { place: _place, ...copy } = content(5, 1);
  expect(take(pair(), copy).cards[0]).toMatchObject({ held: [], isSealedTo: false });
  expect(take(pair(), { ...copy, isKept: true }).cards[0]).toMatchObject({ held: [id(5)], isSealedTo: true });
});
