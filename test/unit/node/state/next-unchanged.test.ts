// Searching between changes: the memory of what was passed over must never show in a result, and must keep repeated searches cheap.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasPrefix, Journal } from "#node/ledger/journal.ts";
import type { StateEntry, StateReader, StateView } from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { compareBytes, fromHex, toHex } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";

const key = fc.uint8Array({ maxLength: 3 }).map((bytes) => bytes.map((byte) => [0, 1, 0x7f, 0xff][byte % 4] ?? 0));
const step = fc.record({
  key,
  action: fc.constantFrom("set", "delete", "restore", "find", "get"),
  prefix: fc.uint8Array({ maxLength: 1 }).map((bytes) => bytes.map((byte) => [0, 0xff][byte % 2] ?? 0)),
});

const LAYERS = {
  journal: (base: StateReader): StateView => new Journal(base),
  overlay: (base: StateReader): StateView => new OverlayStateView(base),
  "journal over overlay": (base: StateReader): StateView => new Journal(new OverlayStateView(base)),
};

interface Step {
  readonly key: Uint8Array;
  readonly action: string;
  readonly prefix: Uint8Array;
  readonly original: Uint8Array | undefined;
}

function check(view: StateView, present: Set<string>, { key: name, action, prefix, original }: Step): void {
  if (action === "find") expect(hexOf(view.next("contract_state", prefix, name))).toBe(nextOf(present, prefix, name));
  else if (action === "get") expect(view.get("contract_state", name) !== undefined).toBe(present.has(toHex(name)));
  else write(view, present, name, { set: Uint8Array.of(2), restore: original }[action]);
}

function hexOf(entry: StateEntry | undefined): string | undefined {
  return entry === undefined ? undefined : toHex(entry.key);
}

function write(view: StateView, present: Set<string>, name: Uint8Array, value: Uint8Array | undefined): void {
  if (value === undefined) {
    view.delete("contract_state", name);
    present.delete(toHex(name));
  } else {
    view.set("contract_state", name, value);
    present.add(toHex(name));
  }
}

function nextOf(present: ReadonlySet<string>, prefix: Uint8Array, after: Uint8Array): string | undefined {
  const keys = [...present].map(fromHex).filter((name) => hasPrefix(name, prefix) && compareBytes(name, after) > 0);
  return keys.sort(compareBytes).map(toHex)[0];
}

describe.each(Object.entries(LAYERS))("searching in a %s", (_name, create) => {
  it("agrees with a sorted list after every change", () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 10 }), fc.array(step, { maxLength: 40 }), (first, steps) => {
        const store = new MemoryStateStore();
        store.apply(
          first.map((name) => ({ namespace: "contract_state", key: name, value: Uint8Array.of(1) })),
          [],
        );
        const view = create(store);
        const present = new Set(first.map(toHex));
        for (const item of steps) check(view, present, { ...item, original: store.get("contract_state", item.key) });
      }),
      { seed: 7, numRuns: extent(500, 2_000) },
    );
  });

  it("asks the base once for each record that it passes over, however often it is searched", () => {
    const store = new MemoryStateStore();
    const names = Array.from({ length: 500 }, (_, index) => Uint8Array.of(1, index >> 8, index & 0xff));
    store.apply(
      names.map((name) => ({ namespace: "contract_state", key: name, value: name })),
      [],
    );
    let asked = 0;
    const counted: StateReader = {
      get: (...args) => store.get(...args),
      next: (...args) => {
        asked += 1;
        return store.next(...args);
      },
    };
    const view = create(counted);
    for (const name of names.slice(0, 499)) view.delete("contract_state", name);
    for (let times = 0; times < 100; times += 1) expect(hexOf(view.next("contract_state", Uint8Array.of(1)))).toBe("0101f3");
    expect(asked).toBeLessThan(700);
  });
});
