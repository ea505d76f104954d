// Which keepers a node goes by: the directory in force, for an hour the one before too, and the way that mail takes.
import { describe, expect, it } from "vitest";
import { BoxSum } from "#node/relay/keepers/box-sums.ts";
import { KEEPER_LIMITS } from "#node/relay/keepers/keeper-limits.ts";
import { HeldDirectory } from "#node/relay/keepers/placing/held-directory.ts";
import { KeeperRanks } from "#node/relay/keepers/placing/keeper-ranks.ts";
import { FORGET_AFTER_S, MailWay, type WayMemory } from "#node/relay/keepers/placing/mail-way.ts";
import { BoxWatchers } from "#node/relay/keepers/serving/box-watchers.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { KEEPER_RULES } from "#shared/protocol/keepers/keeper-rules.ts";
import { rankKeepers, slotOf, slotPeriods } from "#shared/protocol/keepers/placement.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { directoryOf, keeperOf } from "#test/support/nodes/mail-keepers.ts";

const BEGAN_S = 1_800_000_000;
const BOX = "ab".repeat(32);
const KEEPERS = Array.from({ length: 10 }, (_, n) => keeperOf(n + 1, `/ip4/8.8.${n}.1/tcp/1`));
const keysOf = (some: readonly { readonly key: string }[] = []): readonly string[] => some.map(({ key }) => key);

function heldOf(directory: ReadDirectory): HeldDirectory {
  const held = new HeldDirectory();
  held.give(directory);
  return held;
}

const waysBy = (directory: ReadDirectory): Pick<KeeperRanks, "directory" | "newest"> => ({ directory, newest: directory });

describe("ranks of keepers", () => {
  it("are those of the rules, for a slot's present period and the one before", () => {
    const directory = directoryOf(KEEPERS, BEGAN_S);
    const found = new KeeperRanks(heldOf(directory), { nowMs: () => BEGAN_S * 1_000 }).keepersOf(BOX);
    const { current, draining } = slotPeriods(slotOf(BOX), directory.seeds.lastDay, directory.seeds);
    if (current === undefined || draining === undefined) throw new Error("Sixty days of seeds have both");
    const [now, before] = [current, draining].map((period) => rankKeepers(directory.keepers, period));
    expect([keysOf(found?.keeping), keysOf(found?.standingIn)]).toEqual([keysOf(now?.keeping), keysOf(now?.standingIn)]);
    const present = [...keysOf(now?.keeping), ...keysOf(now?.standingIn)];
    const all = [...keysOf(before?.keeping), ...keysOf(before?.standingIn)];
    expect(keysOf(found?.draining)).toEqual(all.filter((key) => !present.includes(key)));
  });

  it("change ten minutes after a directory's block, and keepers answer by both for an hour", () => {
    const [old, fresh] = [directoryOf(KEEPERS.slice(0, 5), BEGAN_S - 3_600), directoryOf(KEEPERS.slice(5), BEGAN_S)];
    const source = new HeldDirectory();
    let nowS = BEGAN_S;
    const ranks = new KeeperRanks(source, { nowMs: () => nowS * 1_000 });
    expect([ranks.keepersOf(BOX), ranks.isKeeper(KEEPERS[0]?.key ?? "", BOX), ranks.epoch]).toEqual([undefined, false, 0]);
    source.give(fresh, old);
    const [before, after] = [KEEPERS.slice(0, 5), KEEPERS.slice(5)].map(keysOf);
    expect(ranks.isRanked(BOX)).toBe(false);
    const asked = (): boolean | undefined => after?.includes(ranks.keepersOf(BOX)?.keeping[0]?.key ?? "");
    const served = (): readonly number[] => [before, after].map((keys) => keys?.filter((key) => ranks.isKeeper(key, BOX)).length ?? 0);
    expect([asked(), ranks.isRanked(BOX)]).toEqual([false, false]);
    expect([served(), ranks.isRanked(BOX)]).toEqual([[5, 5], true]);
    nowS += KEEPER_RULES.delayS;
    expect([asked(), served()]).toEqual([true, [5, 5]]);
    nowS += KEEPER_RULES.overlapS;
    expect([asked(), served(), ranks.epoch]).toEqual([true, [0, 5], fresh.epoch]);
  });
});

it("mail goes both ways for a day before keepers have it alone, and for a day after", () => {
  const source = new HeldDirectory();
  let nowS = BEGAN_S + 7_200;
  const clock = { nowMs: (): number => nowS * 1_000 };
  const memory: WayMemory = { atKeepersMs: undefined, alone: undefined };
  const onError = (error: unknown): never => {
    throw error;
  };
  const way = new MailWay(new KeeperRanks(source, clock), clock, { memory, onError });
  const ways = (): string => [way.now.gossip ? "gossip" : "", way.now.keepers ? "keepers" : ""].filter((each) => each !== "").join("+");
  const seen = [ways()];
  for (const mode of [
    { is: "gossip", enough: 3 },
    { is: "announced", left: 24, tooFew: 0 },
    { is: "keepers", tooFew: 0 },
    { is: "gossip", enough: 0 },
  ] as const) {
    source.give(directoryOf(KEEPERS, BEGAN_S, mode));
    seen.push(ways());
  }
  expect([way.isReturning, way.readsKeepers(2 * 86_400_000)]).toEqual([true, true]);
  // Also for a program that starts meanwhile, whether it knows the directory yet or not.
  const started = new MailWay({ directory: undefined, newest: undefined }, clock, { memory, onError });
  expect([started.now, started.isReturning]).toEqual([{ gossip: true, keepers: true }, false]);
  nowS += 86_400;
  expect([...seen, ways()]).toEqual(["gossip", "gossip", "gossip+keepers", "keepers", "gossip+keepers", "gossip"]);
  expect([way.isReturning, way.readsKeepers(2 * 86_400_000), way.readsKeepers(86_400_000)]).toEqual([false, true, false]);
});

it("nodes forget what they do not keep two days of blocks after keepers had it alone, and never while that is not known", () => {
  const source = new HeldDirectory();
  let nowS = BEGAN_S;
  const clock = { nowMs: (): number => nowS * 1_000 };
  const memory: WayMemory = { atKeepersMs: undefined, alone: undefined };
  const onError = (error: unknown): never => {
    throw error;
  };
  const ranks = new KeeperRanks(source, clock);
  const started = (): MailWay => new MailWay(ranks, clock, { memory, onError });
  let way = started();
  const OWN = KEEPERS[3]?.key ?? "";
  const [keepers, announced] = [{ is: "keepers", tooFew: 0 } as const, { is: "announced", left: 3, tooFew: 0 } as const];
  /** A directory so many hours after the first one, by a node that follows its chain. */
  const after = (hours: number, mode: ReadDirectory["mode"] = keepers, some = KEEPERS): boolean => {
    const beganS = BEGAN_S + hours * 3_600;
    nowS = beganS + 900;
    source.give(directoryOf(some, beganS, mode));
    way.follow(OWN);
    return way.mayForget;
  };
  const twoDays = FORGET_AFTER_S / 3_600;
  expect([after(-1, announced), memory.alone, after(0), after(1), after(30)]).toEqual([false, undefined, false, false, false]);
  // Over a restart.
  way = started();
  expect([after(twoDays - 1), after(twoDays), memory.alone?.sinceS]).toEqual([false, true, BEGAN_S]);
  // No clock is believed that is not near the chain, and no chain that is behind.
  for (const wrongS of [3 * 3_600, -3_600, 40 * 86_400, -40 * 86_400]) {
    nowS = BEGAN_S + FORGET_AFTER_S + 900 + wrongS;
    expect(way.mayForget).toBe(false);
  }
  // For a while after it was one, a keeper may have what those have not who are left.
  const others = KEEPERS.slice(4);
  expect([after(twoDays + 1), way.hasKeptLately, after(twoDays + 9, keepers, others)]).toEqual([true, false, true]);
  expect([after(twoDays + 10, { is: "gossip", enough: 0 }, others), way.hasKeptLately]).toEqual([false, true]);
  expect([after(2 * twoDays + 1, { is: "gossip", enough: 0 }, others), way.hasKeptLately]).toEqual([false, false]);
  // Another time of keepers, at the earliest a day of enough and one of announcements later.
  const [again] = [twoDays + 9 + 48];
  expect([after(again), after(again + 40), after(again + twoDays)]).toEqual([false, false, true]);
  // Who was away for so long may have missed that keepers were given up.
  expect([after(again + 2 * twoDays), after(again + 2 * twoDays + 40), after(again + 3 * twoDays)]).toEqual([false, false, true]);
  // A folder that was put back.
  expect([after(100), memory.alone?.sinceS]).toEqual([false, BEGAN_S + 100 * 3_600]);
});

it("mail goes on where its way cannot be written down", () => {
  let nowMs = (BEGAN_S + 7_200) * 1_000;
  let tries = 0;
  const errors: unknown[] = [];
  const memory: WayMemory = {
    alone: undefined,
    get atKeepersMs(): undefined {
      return undefined;
    },
    set atKeepersMs(_) {
      tries += 1;
      throw new Error("The disk is full");
    },
  };
  const onError = (error: unknown): void => void errors.push(error);
  const way = new MailWay(waysBy(directoryOf(KEEPERS, BEGAN_S)), { nowMs: () => nowMs }, { memory, onError });
  for (let step = 0; step < 6; step += 1, nowMs += 15_000) expect(way.now).toEqual({ gossip: false, keepers: true });
  // Not at each envelope: a disk that fails is slow as well.
  expect([tries, errors.length]).toEqual([2, 2]);
});

/** A box by a name of the test, and the names of boxes that are told of. */
const boxNamed = (name: string): string => Buffer.from(name).toString("hex").padEnd(64, "0");
const boxesNamed = (...names: string[]): string[] => names.map(boxNamed);
const namesOf = (boxes: readonly string[]): string => boxes.map((box) => Buffer.from(box.replace(/(00)+$/, ""), "hex").toString()).join();

describe("nodes that watch boxes", () => {
  it("are told one message at a time what is new, and hear what they missed when they renew their watch", async () => {
    const told: string[] = [];
    const waiting: (() => void)[] = [];
    let isGone = false;
    const watchers = new BoxWatchers({
      tell: (peer, boxes) => {
        if (isGone) return Promise.reject(new Error("gone"));
        told.push(`${peer} ${namesOf(boxes)}`);
        return new Promise<void>((resolve) => waiting.push(resolve));
      },
    });
    watchers.watch("p", boxesNamed("a", "b", "c"), false);
    const sum = new BoxSum();
    for (const box of boxesNamed("c", "a", "b")) sum.add(box);
    const { count, fingerprint } = sum;
    expect(watchers.renew("p", { count, fingerprint })).toEqual([]);
    for (const box of boxesNamed("a", "b", "a", "c", "other")) watchers.note(box);
    expect(told).toEqual(["p a"]);
    waiting.shift()?.();
    await pollUntil(() => told.length === 2);
    expect(told).toEqual(["p a", "p b,a,c"]);
    isGone = true;
    waiting.shift()?.();
    await new Promise(setImmediate);
    watchers.note(boxNamed("b"));
    await new Promise(setImmediate);
    isGone = false;
    // It is away: what is new waits for it.
    watchers.note(boxNamed("c"));
    expect(told).toHaveLength(2);
    expect(watchers.renew("p", { count, fingerprint })?.map((box) => namesOf([box]))).toEqual(["b", "c"]);
    watchers.note(boxNamed("a"));
    expect(told.at(-1)).toBe("p a");
    // Of another set nothing is left.
    sum.remove(boxNamed("a"));
    expect([watchers.renew("p", sum), watchers.size, watchers.renew("p", { count, fingerprint })]).toEqual([undefined, 0, undefined]);
  });

  it("are held for a while after their connection, and not for long, nor with much that is new", async () => {
    const watchers = new BoxWatchers({ tell: () => Promise.reject(new Error("away")) });
    const many = Array.from({ length: 1_100 }, (_, n) => boxNamed(`${n}`));
    watchers.watch("p", many.slice(0, 9), false);
    watchers.watch("q", many, false);
    for (const nowMs of [1_000, 6_000, 11_000]) watchers.keep(() => false, nowMs);
    for (const box of many) watchers.note(box);
    expect([watchers.has("p"), watchers.has("q")]).toEqual([true, false]);
    watchers.keep(() => false, KEEPER_LIMITS.leaseMs + 999);
    expect(watchers.size).toBe(9);
    watchers.keep(() => false, KEEPER_LIMITS.leaseMs + 1_000);
    expect(watchers.size).toBe(0);
  });

  it("are told what waits once they are back", async () => {
    let isAway = true;
    const told: string[] = [];
    const watchers = new BoxWatchers({
      tell: (_, boxes) => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(void told.push(namesOf(boxes)))),
    });
    watchers.watch("p", boxesNamed("a"), false);
    watchers.note(boxNamed("a"));
    await new Promise(setImmediate);
    isAway = false;
    watchers.keep(() => true, 5_000);
    expect(told).toEqual(["a"]);
  });

  it("that opened a box and strangers make room for each other beyond their parts alone", () => {
    const limits = { ...KEEPER_LIMITS, watchedByNode: 20, watchedByAll: 12, watcherCost: 0, watchersOfBox: 4 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), partyOf: (peer) => peer.slice(0, 1), limits });
    const boxes = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => boxNamed(`${name}${n}`));
    const own = (): boolean => true;
    expect(watchers.watch("a1", boxes("x", 12), false)).toBe(true);
    // However many a party has opened, strangers make room for it, but for a quarter of the room.
    expect([watchers.watch("b1", boxes("y", 9), false, own), watchers.size, watchers.of(boxNamed("x8"), 9)]).toEqual([true, 12, []]);
    expect([watchers.watch("b2", boxes("v", 3), false, own), watchers.of(boxNamed("x9"), 9)]).toEqual([false, ["a1"]]);
    expect([watchers.watch("c1", boxes("z", 2), false), watchers.of(boxNamed("y0"), 9)]).toEqual([false, ["b1"]]);
    expect([watchers.watch("c1", boxes("z", 1), false), watchers.watch("d1", boxes("w", 4), false, own)]).toEqual([true, true]);
    expect([watchers.of(boxNamed("y3"), 9), watchers.of(boxNamed("y4"), 9), watchers.size]).toEqual([[], ["b1"], 12]);
    // Where that quarter is not used, who has opened most makes room for a stranger.
    watchers.forget("a1");
    watchers.watch("b1", boxes("u", 2), true, own);
    expect([watchers.size, watchers.watch("g1", boxes("t", 1), false), watchers.of(boxNamed("y4"), 9)]).toEqual([12, true, []]);
    // At one box likewise.
    const [box = ""] = boxes("y", 9).slice(-1);
    for (const peer of ["e1", "e2", "e3"]) watchers.watch(peer, [box], true);
    expect(watchers.of(box, 9)).toContain("b1");
  });

  it("that are proven lose nothing to a stranger who asks for more than they leave", () => {
    const limits = { ...KEEPER_LIMITS, watchedByNode: 40, watchedByAll: 40, watcherCost: 0 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), partyOf: (peer) => peer.slice(0, 1), limits });
    const boxes = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => boxNamed(`${name}${n}`));
    for (const peer of ["a1", "b1"]) watchers.watch(peer, boxes(peer, 20), false, () => true);
    expect([watchers.watch("c1", boxes("c1", 11), false), watchers.size]).toEqual([false, 40]);
    expect([watchers.watch("c1", boxes("c1", 10), false), watchers.size, watchers.of(boxNamed("a119"), 9)]).toEqual([true, 40, ["a1"]]);
    expect(boxes("a1", 20).filter((box) => watchers.of(box, 9).length > 0)).toHaveLength(10);
  });

  it("of as many networks as there is room for keep out no one who opened a box", () => {
    const limits = { ...KEEPER_LIMITS, watchedByAll: 40, watcherCost: 9 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), partyOf: (peer) => peer.slice(0, 1), limits });
    const own = (): boolean => true;
    const strangers = ["a1", "b1", "c1", "d1"];
    for (const peer of strangers) watchers.watch(peer, boxesNamed(peer), false);
    expect([watchers.watch("e1", boxesNamed("e"), false), watchers.watch("f1", boxesNamed("f"), false, own)]).toEqual([false, true]);
    expect(strangers.filter((peer) => watchers.has(peer))).toHaveLength(3);
    // Those who did share the nodes by their networks, beside the part of strangers.
    for (const peer of ["f2", "f3", "f4"]) watchers.watch(peer, boxesNamed(peer), false, own);
    expect([strangers.filter((peer) => watchers.has(peer)), watchers.has("f3"), watchers.has("f4")]).toEqual([["d1"], true, false]);
    expect([watchers.watch("a1", boxesNamed("a"), false), watchers.watch("f5", boxesNamed("f5"), false, own)]).toEqual([false, false]);
    expect([watchers.watch("g1", boxesNamed("g"), false, own), watchers.has("g1"), watchers.size]).toEqual([true, true, 4]);
  });

  it("that ask for more than there is room for are refused whole, and take nothing from anyone", () => {
    const limits = { ...KEEPER_LIMITS, watchedByNode: 20, watchedByAll: 12, watcherCost: 0, watchersOfBox: 1 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), partyOf: (peer) => peer.slice(0, 1), limits });
    const boxes = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => boxNamed(`${name}${n}`));
    const seen = (): readonly (readonly string[])[] => [...boxes("a", 8), ...boxes("b", 4)].map((box) => watchers.of(box, 9));
    watchers.watch("a1", boxes("a", 8), false);
    watchers.watch("b1", boxes("b", 4), false);
    const before = seen();
    // Three watches would make room for three of five.
    expect([watchers.watch("d1", boxes("d", 5), false), watchers.has("d1"), seen()]).toEqual([false, false, before]);
    expect([watchers.watch("d1", boxes("d", 4), false), watchers.size, watchers.of(boxNamed("a3"), 9)]).toEqual([true, 12, []]);
    // Neither for what was opened, where there is no room for the rest, nor for other boxes where one has as many as may.
    for (const peer of ["a1", "b1", "d1"]) watchers.forget(peer);
    watchers.watch("s1", boxes("s", 1), false);
    watchers.watch("t1", boxes("t", 2), false);
    const isOpened = (box: string): boolean => box.startsWith(boxNamed("o").slice(0, 2));
    expect([watchers.watch("o1", [...boxes("o", 8), ...boxes("p", 3)], false, isOpened), watchers.size]).toEqual([false, 3]);
    expect([watchers.watch("o1", boxes("o", 8), false, isOpened), watchers.watch("q1", [boxNamed("q"), boxNamed("o0")], false)]).toEqual([
      true,
      false,
    ]);
    expect([watchers.size, watchers.of(boxNamed("q"), 9), watchers.of(boxNamed("o0"), 9)]).toEqual([11, [], ["o1"]]);
  });

  it("are what they were after a request that was refused, and all that was asked for after another one, whatever was before", () => {
    const random = createRandom(11);
    const limits = { ...KEEPER_LIMITS, watchedByNode: 30, watchedByAll: 60, watcherCost: 3, watchersOfBox: 3 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), partyOf: (peer) => peer.slice(0, 1), limits });
    const all = Array.from({ length: 40 }, (_, n) => boxNamed(`${n}`));
    const peers = ["a1", "a2", "b1", "b2", "c1", "d1", "e1"];
    const seen = (): readonly string[] => all.map((box) => watchers.of(box, 9).join());
    const outcomes = { refused: 0, met: 0 };
    for (let step = 0; step < 600; step += 1) {
      const peer = peers[random.between(0, peers.length - 1)] ?? "";
      const asked = all.filter(() => random.chance(random.between(1, 9) / 20));
      const [before, isOwn] = [seen(), (box: string): boolean => all.indexOf(box) % peers.length === peers.indexOf(peer)];
      const isMet = watchers.watch(peer, asked, true, isOwn);
      outcomes[isMet ? "met" : "refused"] += 1;
      if (isMet) expect(asked.every((box) => watchers.of(box, 9).includes(peer))).toBe(true);
      else expect(seen()).toEqual(before);
      const cost = peers.filter((each) => watchers.has(each)).length * limits.watcherCost;
      expect(watchers.size + cost).toBeLessThanOrEqual(limits.watchedByAll);
      if (random.chance(0.1)) watchers.forget(peers[random.between(0, peers.length - 1)] ?? "");
    }
    expect(Math.min(outcomes.refused, outcomes.met)).toBeGreaterThan(60);
  });

  it("of one box are bounded, and share it by their networks", () => {
    const limits = { ...KEEPER_LIMITS, watchersOfBox: 4 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), partyOf: (peer) => peer.slice(0, 1), limits });
    const box = boxNamed("a");
    const all = ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3"].map((peer) => watchers.watch(peer, [box], false));
    expect(all).toEqual([true, true, true, true, false, true, true, false]);
    expect(watchers.of(box, 9)).toEqual(["a3", "a4", "b1", "b2"]);
    expect(watchers.watch("c1", [box], false, () => true)).toBe(true);
    expect(watchers.of(box, 9)).toContain("c1");
  });

  it("are bounded, each and together", () => {
    const limits = { ...KEEPER_LIMITS, watchedByNode: 2, watchedByAll: 23, watcherCost: 10 };
    const watchers = new BoxWatchers({ tell: () => Promise.resolve(), limits });
    const all = [
      watchers.watch("p", boxesNamed("a", "b", "c"), false),
      watchers.watch("p", boxesNamed("a", "b"), false),
      watchers.watch("p", boxesNamed("c"), true),
      watchers.watch("q", boxesNamed("a"), false),
      watchers.watch("q", boxesNamed("b"), true),
      watchers.watch("r", boxesNamed("a"), false),
    ];
    expect([all, watchers.size]).toEqual([[false, true, false, true, false, false], 3]);
    watchers.keep((peer) => peer === "q", 1_000);
    expect(watchers.size).toBe(3);
    watchers.keep((peer) => peer === "q", 1_000 + KEEPER_LIMITS.leaseMs);
    expect([watchers.size, watchers.watch("r", boxesNamed("a"), false)]).toEqual([1, true]);
  });

  it("share the room by their networks: who has most loses to who comes, as much as that needs", () => {
    const limits = { ...KEEPER_LIMITS, watchedByNode: 20, watchedByAll: 40, watcherCost: 0 };
    const told: string[] = [];
    const watchers = new BoxWatchers({
      tell: (peer, boxes) => Promise.resolve(void told.push(`${peer} ${namesOf(boxes)}`)),
      partyOf: (peer) => peer.slice(0, 1),
      limits,
    });
    const boxes = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => boxNamed(`${name}${n}`));
    expect([watchers.watch("a1", boxes("x", 20), false), watchers.watch("a2", boxes("y", 20), false)]).toEqual([true, true]);
    expect([watchers.watch("a3", boxesNamed("z"), false), watchers.watch("b1", boxesNamed("mine", "z"), false)]).toEqual([false, true]);
    expect([watchers.size, watchers.of(boxNamed("x0"), 9), watchers.of(boxNamed("x1"), 9), watchers.of(boxNamed("x2"), 9)]).toEqual([
      40,
      [],
      [],
      ["a1"],
    ]);
    // Up to an equal part.
    expect([watchers.watch("b1", boxes("m", 18), true), watchers.watch("b2", boxesNamed("n"), false)]).toEqual([true, false]);
    expect([watchers.watch("c1", boxes("k", 10), false), watchers.size]).toEqual([true, 40]);
    for (const peer of ["a1", "a2", "b1", "c1"]) expect(watchers.has(peer)).toBe(true);
    // Who loses a watch is told of these boxes at once.
    expect([told[0], told.length > 1]).toEqual(["a1 x0,x1", true]);
    told.length = 0;
    watchers.note(boxNamed("k9"));
    watchers.note(boxNamed("x0"));
    expect(told).toEqual(["c1 k9"]);
  });

  it("who lose watches one by one hear of it in one message at a time, and one that is watched for again stays so if it fails", async () => {
    const limits = { ...KEEPER_LIMITS, watchedByNode: 20, watchedByAll: 20, watcherCost: 0 };
    const told: { readonly boxes: readonly string[]; readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
    const tell = (_: string, boxes: readonly string[]): Promise<void> =>
      new Promise((resolve, reject) => void told.push({ boxes, resolve, reject }));
    const watchers = new BoxWatchers({ tell, partyOf: (peer) => peer.slice(0, 1), limits });
    watchers.watch(
      "a2",
      Array.from({ length: 18 }, (_, n) => boxNamed(`y${n}`)),
      false,
    );
    for (let n = 0; n < 12; n += 1) watchers.watch("b1", [boxNamed(`b${n}`)], true);
    expect(told.map(({ boxes }) => namesOf(boxes))).toEqual(["y0"]);
    told[0]?.resolve();
    await pollUntil(() => told.length === 2);
    expect(namesOf(told[1]?.boxes ?? [])).toBe("y1,y2,y3,y4,y5,y6,y7");
    // A whole node makes room, and is back before it could be told.
    told.length = 0;
    const few = new BoxWatchers({ tell, partyOf: (peer) => peer.slice(0, 1), limits: { ...limits, watcherCost: 9 } });
    for (const peer of ["a2", "a1"]) few.watch(peer, boxesNamed("z0"), false);
    expect([few.watch("b1", boxesNamed("mine"), false), few.has("a1"), few.has("a2")]).toEqual([true, true, false]);
    expect(told.map(({ boxes }) => namesOf(boxes))).toEqual(["z0"]);
    few.forget("a1");
    few.watch("a2", boxesNamed("y9"), false);
    told[0]?.reject(new Error("not connected"));
    await new Promise(setImmediate);
    expect(few.of(boxNamed("y9"), 9)).toEqual(["a2"]);
  });
});
