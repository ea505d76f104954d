// Room for what nodes watch: who has most is found as by looking at all, and kinds keep their parts.
import { describe, expect, it } from "vitest";
import { Ranking } from "#node/relay/keepers/serving/ranking.ts";
import { RowLists } from "#node/relay/keepers/serving/row-lists.ts";
import { WatchRoom } from "#node/relay/keepers/serving/watch-room.ts";
import { createRandom } from "#test/support/host/random.ts";

describe("a ranking", () => {
  it("names who has most, as looking at all does", () => {
    const random = createRandom(7);
    const ranking = new Ranking<number>();
    const counts = new Map<number, number>();
    for (let step = 0; step < 3_000; step += 1) {
      const who = random.between(0, 19);
      const count = random.chance(0.4) ? 0 : random.between(1, 50);
      ranking.set(who, count);
      counts.set(who, count);
      const most = Math.max(...counts.values());
      const { largest } = ranking;
      expect(largest === undefined ? 0 : counts.get(largest)).toBe(most);
      expect(ranking.countOf(who)).toBe(count);
    }
  });
});

describe("room for what nodes watch", () => {
  const strangers = { unproven: 1, proven: 0 };

  it("keeps a quarter for who has opened nothing, and the rest for who has, whoever comes first", () => {
    const room = new WatchRoom(8);
    for (let n = 0; n < 8; n += 1) room.set(`p${n % 4}`, n, { unproven: 0, proven: 1 });
    expect([room.missing(1), room.losing({ party: "q", added: 1, isProven: false })]).toEqual([1, { node: 0, isProven: true, most: 2 }]);
    for (let n = 0; n < 2; n += 1) {
      room.set(`p${n}`, n, { unproven: 0, proven: 0 });
      room.set("q", 10 + n, strangers);
    }
    expect(room.losing({ party: "q", added: 1, isProven: false })).toBeUndefined();
    expect(room.losing({ party: "new", added: 2, isProven: true })).toBeUndefined();
    // Among the others who has most makes room.
    expect(room.losing({ party: "r", added: 1, isProven: false })).toEqual({ node: 10, isProven: false, most: 1 });
    room.set("p2", 2, { unproven: 0, proven: 2 });
    expect(room.losing({ party: "new", added: 1, isProven: true })).toEqual({ node: 2, isProven: true, most: 2 });
  });

  it("of a party is taken from its node that has most", () => {
    const room = new WatchRoom(4);
    room.set("p", 1, { unproven: 1, proven: 0 });
    room.set("p", 2, { unproven: 3, proven: 0 });
    expect(room.losing({ party: "q", added: 1, isProven: false })).toEqual({ node: 2, isProven: false, most: 3 });
    room.set("p", 2, { unproven: 0, proven: 0 });
    expect([room.missing(1), room.losing({ party: "q", added: 0, isProven: false })]).toEqual([-2, { node: 1, isProven: false, most: 1 }]);
  });
});

describe("lists of rows", () => {
  it("give what was added and not removed, in order, each row once", () => {
    const lists = new RowLists(4);
    const list = { first: 0, last: 0, count: 0 };
    for (const row of [3, 1, 3, 4, 2]) lists.add(list, row);
    lists.remove(list, 1);
    lists.remove(list, 1);
    lists.grow(9);
    lists.add(list, 9);
    const { count } = list;
    expect([count, lists.take(list, 2), lists.take(list, 9), lists.take(list, 1), list]).toEqual([
      4,
      [3, 4],
      [2, 9],
      [],
      { first: 0, last: 0, count: 0 },
    ]);
  });
});
