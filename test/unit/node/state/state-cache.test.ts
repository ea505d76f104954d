import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StateChange } from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { StateCache } from "#node/state/state-cache.ts";

const keyOf = (n: number): Uint8Array => Uint8Array.of(n >> 1, n);
const change = fc.record({
  namespace: fc.constantFrom("account", "identity"),
  key: fc.nat({ max: 23 }).map(keyOf),
  value: fc.option(fc.uint8Array({ minLength: 0, maxLength: 60 }), { nil: undefined }),
});
/** A block of changes that is executed on the cache, and then committed or dropped for another one. */
const candidate = fc.record({ changes: fc.array(change, { maxLength: 12 }), isCommitted: fc.boolean() });

function execute(cache: StateCache, changes: readonly StateChange[]): readonly StateChange[] {
  const view = new OverlayStateView(cache);
  for (const { namespace, key, value } of changes) {
    if (value === undefined) view.delete(namespace, key);
    else view.set(namespace, key, value);
  }
  return view.changes();
}

function expectSame(cache: StateCache, store: MemoryStateStore): void {
  for (const namespace of ["account", "identity"] as const) {
    for (let n = 0; n < 24; n += 1) expect(cache.get(namespace, keyOf(n))).toEqual(store.get(namespace, keyOf(n)));
    expect(cache.next(namespace, new Uint8Array(0))).toEqual(store.next(namespace, new Uint8Array(0)));
  }
}

describe("StateCache", () => {
  it.each([0, 1_500, 1_000_000])("answers as its store through blocks that are committed or dropped (%i bytes)", (maxBytes) => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 30 }), (candidates) => {
        const store = new MemoryStateStore();
        const cache = new StateCache(store, maxBytes);
        for (const { changes, isCommitted } of candidates) {
          const executed = execute(cache, changes as readonly StateChange[]);
          if (isCommitted) {
            store.apply(executed, []);
            cache.committed(executed);
          }
          expectSame(cache, store);
        }
      }),
      { seed: 8_112, numRuns: 60 },
    );
  });

  it("asks its store once for a record, and for one that is absent", () => {
    const asked: string[] = [];
    const store = new MemoryStateStore();
    store.apply([{ namespace: "account", key: keyOf(1), value: Uint8Array.of(7) }], []);
    const cache = new StateCache({
      get: (namespace, key) => {
        asked.push(`${namespace} ${key.join()}`);
        return store.get(namespace, key);
      },
      next: (...input) => store.next(...input),
    });
    for (const _ of [1, 2]) expect([cache.get("account", keyOf(1)), cache.get("account", keyOf(2))]).toEqual([Uint8Array.of(7), undefined]);
    expect(asked).toEqual(["account 0,1", "account 1,2"]);
  });
});
