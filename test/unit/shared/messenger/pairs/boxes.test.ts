// Rules of boxes: when another one is made, which is told, where a content goes.
import { describe, expect, it } from "vitest";
import type { ShownBox } from "#shared/content/pairs/pair-content.ts";
import { decodePairContent, encodePairContent } from "#shared/content/pairs/pair-content-codec.ts";
import { BoxRegistry } from "#shared/messenger/pairs/box-registry.ts";
import type { BothClocks } from "#shared/messenger/pairs/counted-days.ts";
import {
  BOX_DAYS,
  boxToTell,
  dueGeneration,
  isOpeningDue,
  noBoxes,
  openingsDue,
  openingTerms,
  type PersonBoxes,
  withAllClosed,
  withBox,
  withClocks,
  withOpened,
} from "#shared/messenger/pairs/own-boxes.ts";
import { newPair, type PairState, renewInstance } from "#shared/messenger/pairs/pair-state.ts";
import { givePlaces, noteSealed } from "#shared/messenger/pairs/sent-chain.ts";
import { takeContent } from "#shared/messenger/pairs/take-content.ts";
import { boxFor, isBoxToTell } from "#shared/messenger/pairs/their-box.ts";
import { MAX_OPEN_S } from "#shared/protocol/mail/box-opening.ts";
import { PROOF_HEIGHTS } from "#shared/protocol/mail/box-proof.ts";

const DAY = 86_400_000;
const START = 20_000 * DAY;
const PEER = "0000001c".repeat(8);
const OWN = "aa".repeat(8);
const THEIRS = "bb".repeat(8);
const FOLLOWER = "cc".repeat(8);
const at = (day: number, blockDay = day): BothClocks => ({ ownMs: START + day * DAY, blockMs: START + blockDay * DAY });
const mailbox = (number: number): string => `${number.toString(16).padStart(2, "0")}`.repeat(31).padEnd(64, "0");
const shown = (generation: number): ShownBox => ({ mailbox: mailbox(generation), writeSeed: "cd".repeat(32), generation });

function made(record: PersonBoxes, now: BothClocks): PersonBoxes {
  const generation = dueGeneration(record, now);
  return generation === undefined ? record : withBox(record, { generation, mailbox: mailbox(generation % 200), writeSeed: "" });
}

describe("own boxes for a person", () => {
  it("are made every four weeks, by the slower clock, and three are read", () => {
    let record = noBoxes(PEER);
    const numbers = new Set<number>();
    for (let day = 0; day < 6 * BOX_DAYS; day += 1) {
      record = made(record, at(day));
      for (const { generation } of record.boxes) numbers.add(generation);
    }
    expect(numbers.size).toBeGreaterThan(5);
    expect(numbers.size).toBeLessThan(8);
    expect(record.boxes.map(({ generation }) => generation)).toEqual([...numbers].sort((a, b) => a - b).slice(-3));
    for (const wrong of [at(9_000, 6 * BOX_DAYS - 1), at(6 * BOX_DAYS - 1, 9_000), at(-9_000), at(0, -20_000)])
      expect(dueGeneration(record, wrong)).toBeUndefined();
  });

  it("are the same for a store that was put back, and begin on another day for each person", () => {
    const images = [0, 3, 40].map((day) => made(noBoxes(PEER), at(day)));
    expect(new Set(images.map((image) => made(image, at(100)).boxes.at(-1)?.generation)).size).toBe(1);
    const changes = (peer: string): number =>
      Array.from({ length: BOX_DAYS }, (_, day) => dueGeneration(noBoxes(peer), at(day))).findIndex(
        (one, day, all) => day > 0 && one !== all[day - 1],
      );
    expect(changes(PEER)).not.toBe(changes("00000001".repeat(8)));
  });

  it("are made every four weeks, too, after clocks that were years ahead have been set", () => {
    const ahead = at(4_000);
    const number = dueGeneration(noBoxes(PEER), ahead) ?? 0;
    const wrong = withBox(noBoxes(PEER), { generation: number, mailbox: mailbox(1), writeSeed: "", madeAt: ahead });
    // Of the chain's time the device knows the latest, which was as wrong.
    for (const blockDay of [undefined, 4_000]) {
      let record = wrong;
      const days: number[] = [];
      for (let day = 0; day < 3 * BOX_DAYS; day += 1) {
        const now = at(day, blockDay);
        record = withClocks(record, now);
        const generation = dueGeneration(record, now);
        if (generation === undefined) continue;
        days.push(day);
        record = withBox(record, { generation, mailbox: mailbox(generation % 200), writeSeed: "", madeAt: now });
      }
      expect(days).toEqual([BOX_DAYS, 2 * BOX_DAYS]);
      expect(record.boxes.map(({ generation }) => generation)).toEqual([number, number + 1, number + 2]);
    }
    const right = made(noBoxes(PEER), at(0));
    expect(withClocks(right, at(5))).toBe(right);
  });

  it("are closed with a block, and the next one has another number at once", () => {
    const before = made(made(noBoxes(PEER), at(0)), at(30));
    const closed = withAllClosed(before);
    expect([closed.boxes, closed.closing]).toEqual([[], before.boxes.map(({ generation }) => generation)]);
    const after = made(closed, at(30));
    expect(after.boxes.at(-1)?.generation).toBe((before.boxes.at(-1)?.generation ?? 0) + 1);
    expect(withAllClosed(noBoxes(PEER)).closing).toEqual([]);
  });

  it("are told once a node has opened them, and opened again daily", () => {
    const older = withOpened(made(noBoxes(PEER), at(0)), new Set([made(noBoxes(PEER), at(0)).boxes[0]?.mailbox ?? ""]), at(0));
    const record = made(older, at(28));
    const [first, second] = record.boxes;
    expect(boxToTell(record, at(27))).toBe(first);
    expect(boxToTell(record, at(31))).toBeUndefined();
    const opened = withOpened(record, new Set([second?.mailbox ?? ""]), at(28));
    expect(boxToTell(opened, at(29))?.generation).toBe(second?.generation);
    const isDue = (now: BothClocks): readonly boolean[] => opened.boxes.map((box) => isOpeningDue(box, now));
    expect([isDue(at(28)), isDue(at(29)), isDue(at(-9_000))]).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ]);
  });

  it("are opened again before others are opened the first time, for which a node may have no room", () => {
    const others = ["11", "22"].map((byte) => made(noBoxes(byte.repeat(32)), at(0)));
    const opened = made(noBoxes(PEER), at(0));
    const again = made(withOpened(opened, new Set(opened.boxes.map((box) => box.mailbox)), at(0)), at(30));
    const [first, second] = again.boxes.map(({ generation }) => ({ peer: PEER, generation }));
    const fresh = others.map(({ peer, boxes }) => ({ peer, generation: boxes[0]?.generation ?? -1 }));
    expect(openingsDue([...others, again], at(30))).toEqual([first, ...fresh, second]);
    expect(openingsDue([again], at(0)).length).toBe(1);
  });

  it("are opened by terms that all devices share on a day, within what nodes take", () => {
    const [early, late] = [openingTerms(START, 5_000, false), openingTerms(START + DAY - 1, 5_100, false)];
    expect(early).toEqual(late);
    expect(early.untilSec - (START + DAY) / 1_000).toBeGreaterThanOrEqual(28 * 86_400);
    expect(early.untilSec - START / 1_000).toBeLessThanOrEqual(MAX_OPEN_S - 86_400);
    expect(5_100 - late.height).toBeLessThan(PROOF_HEIGHTS);
    expect(openingTerms(START, 5_000, true).untilSec).toBeGreaterThan(early.untilSec);
  });

  it("are read with the newest of each person first", () => {
    const records = [PEER, "11".repeat(32)].map((peer) => made(made(noBoxes(peer), at(0)), at(30)));
    const registry = new BoxRegistry(records);
    const { read } = registry;
    expect(read.map(({ peer }) => peer)).toEqual([PEER, "11".repeat(32), PEER, "11".repeat(32)]);
    expect((read[0]?.generation ?? 0) > (read[2]?.generation ?? 0)).toBe(true);
    expect(registry.watched).toEqual([]);
    // One topic is of the lasting mailbox.
    registry.watchable = 3;
    expect(registry.watched).toEqual(read.slice(0, 2));
  });

  it("of others that were refused are left alone for an hour", () => {
    const registry = new BoxRegistry([]);
    registry.noteRefused("box", 0);
    expect([registry.wasRefused("box", 3_599_999), registry.wasRefused("box", 3_600_000), registry.wasRefused("other", 0)]).toEqual([
      true,
      false,
      false,
    ]);
    for (let count = 0; count < 1_024; count += 1) registry.noteRefused(`box ${count}`, 1);
    expect([registry.wasRefused("box", 2), registry.wasRefused("box 0", 2)]).toEqual([false, true]);
  });
});

describe("the box of another device", () => {
  const context = { now: at(0), day: 0, isStranger: false, spread: 0.5 };
  let position = 0;
  const told = (state: PairState<string>, box: ShownBox | undefined, instance = THEIRS, cameIn?: number): PairState<string> => {
    position += 1;
    const stream = { instance, last: position, base: 0 };
    return takeContent(
      state,
      { cardId: "", id: position.toString(16).padStart(32, "0"), at: 0, place: position, stream, box, cameIn },
      context,
    ).state;
  };
  const fresh = (): PairState<string> => newPair<string>(OWN, 0);

  it("is the newest that its present instance told", () => {
    let state = told(told(fresh(), shown(5)), shown(4));
    expect(boxFor(state, undefined)).toEqual(shown(5));
    state = told(state, undefined);
    expect(boxFor(state, undefined)).toEqual(shown(5));
    expect(boxFor(told(state, shown(6)), undefined)).toEqual(shown(6));
  });

  it("is left where another instance writes, which may have been set back, and with an own new instance", () => {
    const state = told(fresh(), shown(5));
    expect(boxFor(told(state, undefined, FOLLOWER), undefined)).toBeUndefined();
    expect(boxFor(told(told(state, undefined, FOLLOWER), shown(2), FOLLOWER), undefined)).toEqual(shown(2));
    expect(boxFor(renewInstance(state, FOLLOWER, 1), undefined)).toBeUndefined();
  });

  it("is none with a key that nothing can be sealed to", () => {
    expect(boxFor(told(fresh(), { ...shown(5), mailbox: "00".repeat(32) }), undefined)).toBeUndefined();
  });

  it("gets what leaves the first time, and never what is sent again", () => {
    const state = told(fresh(), shown(5));
    const chain = givePlaces(state.sent, ["ab".repeat(16)], at(0));
    const once = { ...state, sent: noteSealed(chain, 1, "card", at(0)) };
    const twice = { ...state, sent: noteSealed(once.sent, 1, "card", at(1)) };
    expect([boxFor(once, 1), boxFor(twice, 1), boxFor(once, 2)]).toEqual([shown(5), undefined, undefined]);
  });

  it("is told to it until something comes in it", () => {
    const before = told(fresh(), undefined);
    expect([isBoxToTell(fresh(), 7), isBoxToTell(before, 7)]).toEqual([true, true]);
    const heard = told(before, undefined, THEIRS, 7);
    expect([isBoxToTell(heard, 7), isBoxToTell(heard, 8), isBoxToTell(told(heard, undefined), 7)]).toEqual([false, true, true]);
  });

  it("travels in a content, and of another shape makes it none", () => {
    const content = {
      ...{ id: "ab".repeat(16), at: 1, stream: { instance: THEIRS, last: 1, base: 0 }, place: 1 },
      body: { kind: "text", text: "hello" },
    } as const;
    const bytes = encodePairContent({ ...content, box: shown(5) });
    expect(decodePairContent(bytes)?.box).toEqual(shown(5));
    expect(bytes.length - encodePairContent(content).length).toBe(74);
    expect(() => encodePairContent({ ...content, box: { ...shown(5), generation: 2 ** 32 } })).toThrow();
    expect(() => encodePairContent({ ...content, box: { ...shown(5), writeSeed: "cd" } })).toThrow();
  });
});
