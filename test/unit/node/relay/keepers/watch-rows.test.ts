// Rows of watches in typed arrays: the same as a simple model of them, after any changes, and small.
import { expect, it } from "vitest";
import { WatchRows } from "#node/relay/keepers/serving/watch-rows.ts";
import { createRandom } from "#test/support/host/random.ts";

const boxOf = (n: number): string => n.toString(16).padStart(64, "0");

it("hold what a simple list holds, in its order, while rows come and go and room grows", () => {
  const random = createRandom(5);
  const rows = new WatchRows();
  const model: { readonly row: number; readonly box: string; readonly owner: number; readonly isProven: boolean }[] = [];
  for (let step = 0; step < 20_000; step += 1) {
    if (model.length > 0 && random.chance(0.4)) {
      const [gone] = model.splice(random.between(0, model.length - 1), 1);
      rows.remove(gone?.row ?? 0);
      // Once more changes nothing.
      rows.remove(gone?.row ?? 0);
    } else {
      const [box, owner, isProven] = [boxOf(random.between(0, 400)), random.between(1, 9), random.chance(0.3)];
      model.push({ row: rows.add(box, owner, isProven), box, owner, isProven });
    }
  }
  expect([rows.size, rows.capacity]).toEqual([model.length, 4_096]);
  for (let n = 0; n <= 400; n += 1)
    expect(rows.ofBox(boxOf(n)).toSorted()).toEqual(rowsOf(model.filter(({ box }) => box === boxOf(n))).toSorted());
  for (let owner = 1; owner <= 9; owner += 1) {
    const own = model.filter((each) => each.owner === owner);
    for (const isProven of [false, true])
      expect(rows.oldestOf(owner, 9_999, isProven)).toEqual(rowsOf(own.filter((each) => each.isProven === isProven)));
    expect(rows.countOf(owner).proven).toBe(own.filter(({ isProven }) => isProven).length);
  }
});

it("take 57 bytes each, and as many as that where there is room for more", () => {
  const rows = new WatchRows();
  for (let n = 0; n < 65_536; n += 1) rows.add(boxOf(n), (n % 500) + 1, false);
  expect(rows.capacity).toBe(65_536);
  expect(Math.floor(rows.bytes / rows.capacity)).toBe(57);
  rows.add(boxOf(65_536), 1, false);
  expect(rows.capacity).toBe(131_072);
  expect(Math.floor(rows.bytes / rows.capacity)).toBe(57);
  expect(rows.ofBox(boxOf(65_535))).toHaveLength(1);
});

function rowsOf(rows: readonly { readonly row: number }[]): number[] {
  return rows.map(({ row }) => row);
}
