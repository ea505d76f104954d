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
  const none = { secret: secretOf(1), isKeeper: (): boolean => false };

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
