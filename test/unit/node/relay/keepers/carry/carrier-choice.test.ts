// Whom a node chooses as its carriers: the same for a month, and who else comes and goes does not matter; others the month after; each as
// often as the others.
import { describe, expect, it } from "vitest";
import { carriersFor, carriersOf } from "#node/relay/keepers/carry/carrier-choice.ts";
import type { Keeper } from "#shared/protocol/keepers/directory.ts";
import type { ReadDirectory } from "#shared/protocol/keepers/directory-records.ts";
import { directoryOf, keeperOf } from "#test/support/nodes/mail-keepers.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

const DAY_S = 86_400;
const MONTH_S = 30 * DAY_S;
const KEEPERS = Array.from({ length: 24 }, (_, n) => keeperOf(30 + n, `/ip4/1.1.${n}.1/tcp/1`));
const secretOf = (n: number): Uint8Array => new Uint8Array(32).fill(n);
const contextOf = (n: number): Parameters<typeof carriersOf>[1] => ({ secret: secretOf(n), ownKey: actor(1).pub, isUnable: () => false });
const keysOf = (some: readonly Keeper[]): readonly string[] => some.map(({ key }) => key);
const chosen = (directory: ReadDirectory, n = 1): readonly string[] => keysOf(carriersOf(directory, contextOf(n)).chosen);
const boxOf = (n: number): string => n.toString(16).padStart(64, "0");

describe("carriers of a month", () => {
  it("are four, and the same all month, also while others come or go", () => {
    const four = chosen(directoryOf(KEEPERS, 100 * MONTH_S));
    expect(new Set(four).size).toBe(4);
    expect(chosen(directoryOf(KEEPERS, 101 * MONTH_S - 1))).toEqual(four);
    const others = KEEPERS.filter(({ key }) => four.includes(key));
    expect(chosen(directoryOf(others, 100 * MONTH_S + DAY_S))).toEqual(four);
    // Where one of them goes, one other comes.
    const without = chosen(
      directoryOf(
        KEEPERS.filter(({ key }) => key !== four[1]),
        100 * MONTH_S + DAY_S,
      ),
    );
    expect(without.filter((key) => four.includes(key))).toEqual(four.filter((key) => key !== four[1]));
    expect(chosen(directoryOf(KEEPERS, 101 * MONTH_S))).not.toEqual(four);
    expect(chosen(directoryOf(KEEPERS, 100 * MONTH_S), 2)).not.toEqual(four);
  });

  it("are each chosen as often as the others", () => {
    const counts = new Map<string, number>();
    const directory = directoryOf(KEEPERS, 100 * MONTH_S);
    for (let n = 0; n < 240; n += 1) for (const key of chosen(directory, n)) counts.set(key, (counts.get(key) ?? 0) + 1);
    // 40 expected of each.
    expect([counts.size, Math.min(...counts.values()) >= 20, Math.max(...counts.values()) <= 65]).toEqual([24, true, true]);
  });

  it("are of different networks and wallets, never the node itself, and able to carry", () => {
    const [first, second, ...rest] = KEEPERS.slice(0, 6) as [Keeper, Keeper, ...Keeper[]];
    const alike = { ...second, wallet: first.wallet };
    const some = directoryOf([first, alike, ...rest], 100 * MONTH_S);
    const { chosen: four, standingIn } = carriersOf(some, {
      ...contextOf(1),
      ownKey: rest[0]?.key ?? "",
      isUnable: (key) => key === rest[1]?.key,
    });
    const all = keysOf([...four, ...standingIn]);
    expect([all.includes(rest[0]?.key ?? ""), all.includes(rest[1]?.key ?? ""), all.length]).toEqual([false, false, 3]);
  });
});

describe("the carrier of a box", () => {
  const directory = directoryOf(KEEPERS, 100 * MONTH_S);
  const carriers = carriersOf(directory, contextOf(1));
  const keeper = KEEPERS.find(({ key }) => !keysOf([...carriers.chosen, ...carriers.standingIn]).includes(key)) as Keeper;
  const none = { secret: secretOf(1), isKeeper: (): boolean => false, place: 0 };

  it("is always the same one, of boxes that are spread over the four; those that stand in come behind", () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 400; n += 1) {
      const order = keysOf(carriersFor(boxOf(n), keeper, carriers, none));
      expect(order).toEqual(keysOf(carriersFor(boxOf(n), keeper, carriers, none)));
      expect(new Set(order.slice(0, 4))).toEqual(new Set(keysOf(carriers.chosen)));
      counts.set(order[0] ?? "", (counts.get(order[0] ?? "") ?? 0) + 1);
    }
    expect([counts.size, Math.min(...counts.values()) >= 70]).toEqual([4, true]);
    // Who does not know the secret cannot tell.
    const other = { ...none, secret: secretOf(2) };
    const isSame = (n: number): boolean =>
      carriersFor(boxOf(n), keeper, carriers, none)[0] === carriersFor(boxOf(n), keeper, carriers, other)[0];
    expect(Array.from({ length: 400 }, (_, n) => n).filter(isSame).length).toBeLessThan(150);
  });

  it("is another one for each of its three keepers, and the one that takes their place that of none", () => {
    for (let n = 0; n < 50; n += 1) {
      const orders = [0, 1, 2, 3, 4, 5].map((place) => keysOf(carriersFor(boxOf(n), keeper, carriers, { ...none, place })));
      const firsts = orders.map(([first]) => first);
      expect([new Set(firsts.slice(0, 3)).size, new Set(firsts).size]).toEqual([3, 4]);
      // Of six, with those that stand in, a carrier has two at most.
      expect(Math.max(...firsts.map((first) => firsts.filter((other) => other === first).length))).toBe(2);
      expect(orders.slice(0, 3).map(([, second]) => second)).toEqual([firsts[3], firsts[3], firsts[3]]);
      for (const order of orders) expect([new Set(order).size, order.length]).toEqual([8, 8]);
    }
  });

  it("is the same for two keepers only where too few are none of the box, and the way of one keeper moves no other", () => {
    const orderAt = (place: number, few: number, of = keeper): readonly string[] => {
      const isKeeper = (key: string): boolean => keysOf(carriers.chosen.slice(0, few)).includes(key);
      return keysOf(carriersFor(boxOf(5), of, carriers, { ...none, isKeeper, place }));
    };
    const firsts = (few: number): number => new Set([0, 1, 2].map((place) => orderAt(place, few)[0])).size;
    expect([firsts(1), firsts(2), firsts(3)]).toEqual([3, 2, 1]);
    const barred = carriersFor(boxOf(5), keeper, carriers, none)[0]?.network ?? "";
    expect(orderAt(0, 0, { ...keeper, network: barred })[0]).toBe(orderAt(3, 0)[0]);
    expect(orderAt(1, 0)[0]).not.toBe(orderAt(0, 0)[0]);
  });

  it("is not the keeper that is asked, nor of its network or wallet, and another keeper of the box only at last", () => {
    const [first, second, third] = carriers.chosen as [Keeper, Keeper, Keeper];
    const relative = { ...keeper, network: second.network, wallet: third.wallet };
    const order = carriersFor(boxOf(1), relative, carriers, none);
    expect(order.filter(({ key }) => key === second.key || key === third.key)).toEqual([]);
    expect(keysOf(carriersFor(boxOf(1), first, carriers, none))).not.toContain(first.key);
    for (let n = 0; n < 20; n += 1) {
      const isKeeper = (key: string): boolean => key === first.key || key === second.key;
      const ordered = keysOf(carriersFor(boxOf(n), keeper, carriers, { ...none, isKeeper }));
      expect(new Set(ordered.slice(2, 4))).toEqual(new Set([first.key, second.key]));
    }
  });
});
