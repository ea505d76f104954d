// Leaves of the state tree come in the order of their paths, whatever order they were added in, and give the same tree.
import { expect, it } from "vitest";
import { LeafList } from "#node/engine/genesis/leaf-list.ts";
import type { StateChange } from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { leafChanges, stateRoot, updateStateTree } from "#node/state/state-tree.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { createRandom } from "#test/support/host/random.ts";

const SEED = 20_260_104;

it.each([1, 7, 1_000, 20_000])("gives the tree of all changes at once, %i leaves at a time", (size) => {
  const random = createRandom(SEED);
  const records = Array.from(
    { length: 9_000 },
    (_, index): StateChange => ({ namespace: "account", key: utf8(`key ${index}`), value: utf8(`${index}`) }),
  );
  const changes = records
    .filter(() => random.between(0, 3) === 0)
    .map((record) => ({ ...record, value: random.between(0, 1) === 0 ? undefined : utf8("new") }));
  const [whole, stepwise] = [new MemoryStateStore(), new MemoryStateStore()];
  for (const some of [records, changes]) {
    whole.apply([], updateStateTree(whole, leafChanges(some)).pages);
    const leaves = new LeafList();
    for (let start = 0; start < some.length; start += 333) leaves.add(some.slice(start, start + 333));
    const paths: string[] = [];
    for (const step of leaves.inOrder(size)) {
      expect(step.length).toBeLessThanOrEqual(size);
      paths.push(...step.map(({ path }) => toHex(path)));
      stepwise.apply([], updateStateTree(stepwise, step).pages);
    }
    expect(paths).toEqual(leafChanges(some).map(({ path }) => toHex(path)));
    expect(toHex(stateRoot(stepwise)), `seed ${SEED}`).toBe(toHex(stateRoot(whole)));
  }
});

it("gives nothing of nothing", () => {
  expect([...new LeafList().inOrder(10)]).toEqual([]);
});
