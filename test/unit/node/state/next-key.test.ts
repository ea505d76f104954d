// Walking keys in order: the database, the store in memory and every layer of changes on top agree with a sorted list.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasPrefix, Journal } from "#node/ledger/journal.ts";
import type { StateChange, StateReader } from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { compareBytes, toHex } from "#shared/util/bytes.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";

/** Short keys of few and extreme bytes, so that they meet and nest. */
const key = fc.uint8Array({ maxLength: 3 }).map((bytes) => bytes.map((byte) => [0, 1, 0x7f, 0x80, 0xfe, 0xff][byte % 6] ?? 0));
const change = fc.record({ key, isSet: fc.boolean(), isOther: fc.boolean() });
const changes = fc.array(change, { maxLength: 12 });
const query = fc.record({ prefix: key, after: fc.option(key, { nil: undefined }) });

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const changeOf = ({ key: name, isSet, isOther }: Change): StateChange => ({
  namespace: isOther ? "contract" : "contract_state",
  key: name,
  value: isSet ? Uint8Array.of(1) : undefined,
});

function write(view: Journal | OverlayStateView, list: readonly Change[]): void {
  for (const { namespace, key: name, value } of list.map(changeOf)) {
    if (value === undefined) view.delete(namespace, name);
    else view.set(namespace, name, value);
  }
}

/** The result, from a plain list of what is there. */
function expected(lists: readonly (readonly Change[])[], prefix: Uint8Array, after: Uint8Array | undefined): string | undefined {
  const present = new Map<string, Uint8Array>();
  for (const { namespace, key: name, value } of lists.flat().map(changeOf)) {
    if (namespace !== "contract_state") continue;
    if (value === undefined) present.delete(toHex(name));
    else present.set(toHex(name), name);
  }
  const fitting = [...present.values()].filter((name) => hasPrefix(name, prefix) && (after === undefined || compareBytes(name, after) > 0));
  const first = fitting.sort(compareBytes)[0];
  return first === undefined ? undefined : toHex(first);
}

function found(reader: StateReader, prefix: Uint8Array, after: Uint8Array | undefined): string | undefined {
  const entry = reader.next("contract_state", prefix, after);
  return entry === undefined ? undefined : toHex(entry.key);
}

describe("next key", () => {
  it("is the same in the database and in memory", async () => {
    await using folder = await createTemporaryFolder();
    const database = openChainDatabase(folder.path, { chainId: "x", genesisHash: "00".repeat(32) });
    const store = new MemoryStateStore();
    const written: Change[] = [];
    fc.assert(
      fc.property(changes, fc.array(query, { minLength: 1, maxLength: 6 }), (list, queries) => {
        for (const target of [database.state, store]) target.apply(list.map(changeOf), []);
        written.push(...list);
        for (const { prefix, after } of queries) {
          const result = expected([written], prefix, after);
          expect([found(database.state, prefix, after), found(store, prefix, after)]).toEqual([result, result]);
        }
      }),
      { seed: 11, numRuns: 100 },
    );
    database.close();
  });

  it("sees through layers of changes, before and after it was asked the first time", () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 4, maxLength: 4 }), fc.array(query, { minLength: 1, maxLength: 4 }), (lists, queries) => {
        const store = new MemoryStateStore();
        const [base = [], middle = [], top = [], late = []] = lists;
        store.apply(base.map(changeOf), []);
        const overlay = new OverlayStateView(store);
        write(overlay, middle);
        for (const { prefix } of queries) overlay.get("contract_state", prefix);
        const journal = new Journal(overlay);
        write(journal, top);
        for (const { prefix, after } of queries) {
          expect(found(overlay, prefix, after)).toBe(expected([base, middle], prefix, after));
          expect(found(journal, prefix, after)).toBe(expected([base, middle, top], prefix, after));
        }
        write(journal, late);
        for (const { prefix, after } of queries) expect(found(journal, prefix, after)).toBe(expected([...lists], prefix, after));
        journal.commitTo(overlay);
        for (const { prefix, after } of queries) expect(found(overlay, prefix, after)).toBe(expected([...lists], prefix, after));
      }),
      { seed: 12, numRuns: 400 },
    );
  });
});
