import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StateChange } from "#node/ledger/state-view.ts";
import { MemoryStateStore } from "#node/state/memory-state-store.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { pageMemoryBytes } from "#node/state/page-edit.ts";
import { leafChanges, type PageChange, proveState, stateRoot, updateStateTree } from "#node/state/state-tree.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { type StateProof, statePath, stateProofCodec, verifyStateProof } from "#shared/protocol/chain/state-proof.ts";
import { sha256 } from "#shared/protocol/primitives/hash.ts";
import { fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { type NaiveEntry, naiveStateRoot } from "./naive-state-root.ts";

const SEED = 20_260_301;

interface Vector {
  readonly name: string;
  readonly entries: readonly { readonly namespace: string; readonly key: string; readonly value: string }[];
  readonly root: string;
}

const VECTORS = JSON.parse(readFileSync(new URL("../../../vectors/state-tree.json", import.meta.url), "utf8")) as readonly Vector[];

function change(key: string, value: string | undefined): StateChange {
  return { namespace: "account", key: utf8(key), value: value === undefined ? undefined : utf8(value) };
}

function apply(store: MemoryStateStore, changes: readonly StateChange[]): { root: string; pages: readonly PageChange[] } {
  const { root, pages } = updateStateTree(store, leafChanges(changes));
  store.apply(changes, pages);
  return { root: toHex(root), pages };
}

function entriesOf(model: ReadonlyMap<string, string>): readonly NaiveEntry[] {
  return [...model].map(([key, value]) => ({ namespace: "account", key: utf8(key), value: utf8(value) }));
}

/** Paths that share `length` bits: leaves far below the root. */
function leavesWithCommonPrefix(): readonly { readonly path: Uint8Array; readonly valueHash: Uint8Array }[] {
  const base = nativeSha256(utf8("base"));
  return [255, 254, 130, 9, 4, 3, 0].map((bit) => {
    const path = Uint8Array.from(base);
    path[bit >> 3] = (path[bit >> 3] ?? 0) ^ (1 << (7 - (bit & 7)));
    return { path, valueHash: nativeSha256(utf8(`value ${bit}`)) };
  });
}

const keyArbitrary = fc.nat({ max: 60 }).map((n) => `key ${n}`);
const batchArbitrary = fc.uniqueArray(fc.tuple(keyArbitrary, fc.option(fc.string(), { nil: undefined })), {
  maxLength: 60,
  selector: ([key]) => key,
});

describe("state tree", () => {
  it("has a root of zeros when empty", () => {
    expect(toHex(stateRoot(new MemoryStateStore()))).toBe("00".repeat(32));
  });

  it("is the leaf itself when it holds one", () => {
    const store = new MemoryStateStore();
    const { root } = apply(store, [change("a", "1")]);
    expect(root).toBe(naiveStateRoot([{ namespace: "account", key: utf8("a"), value: utf8("1") }]));
    expect(toHex(stateRoot(store))).toBe(root);
  });

  it.each(VECTORS)("gives the golden root: $name", ({ entries, root }) => {
    const decoded = entries.map(({ namespace, key, value }) => ({ namespace, key: fromHex(key), value: fromHex(value) }));
    const store = new MemoryStateStore();
    expect(apply(store, decoded as readonly StateChange[]).root).toBe(root);
    expect(naiveStateRoot(decoded)).toBe(root);
  });

  it("follows a map through batches of inserts, updates and deletions", () => {
    fc.assert(
      fc.property(fc.array(batchArbitrary, { maxLength: 12 }), (batches) => {
        const store = new MemoryStateStore();
        const model = new Map<string, string>();
        for (const batch of batches) {
          for (const [key, value] of batch) {
            if (value === undefined) model.delete(key);
            else model.set(key, value);
          }
          const { root } = apply(
            store,
            batch.map(([key, value]) => change(key, value)),
          );
          expect(root).toBe(naiveStateRoot(entriesOf(model)));
          expect(toHex(stateRoot(store))).toBe(root);
        }
      }),
      { seed: SEED, numRuns: extent(50, 150) },
    );
  });

  it("does not depend on the order or the batching of changes", () => {
    const keys = fc.uniqueArray(keyArbitrary, { minLength: 1, maxLength: 50 });
    const shuffled = keys.chain((chosen) => fc.tuple(fc.constant(chosen), fc.shuffledSubarray(chosen, { minLength: chosen.length })));
    fc.assert(
      fc.property(shuffled, fc.integer({ min: 1, max: 9 }), ([first, second], step) => {
        const inOne = new MemoryStateStore();
        const inSteps = new MemoryStateStore();
        const { root } = apply(
          inOne,
          first.map((key) => change(key, `of ${key}`)),
        );
        for (let i = 0; i < second.length; i += step)
          apply(
            inSteps,
            second.slice(i, i + step).map((key) => change(key, `of ${key}`)),
          );
        expect(toHex(stateRoot(inSteps))).toBe(root);
      }),
      { seed: SEED, numRuns: extent(50, 150) },
    );
  });

  it("gives the same pages whether it made those before itself or reads copies of them", () => {
    fc.assert(
      fc.property(fc.array(batchArbitrary, { minLength: 2, maxLength: 10 }), (batches) => {
        const [own, read] = [new MemoryStateStore(), new MemoryStateStore()];
        const copies = { getPage: (prefix: string): Uint8Array | undefined => read.getPage(prefix)?.slice() };
        for (const batch of batches) {
          const changes = leafChanges(batch.map(([key, value]) => change(key, value)));
          const [ofOwn, ofCopies] = [updateStateTree(own, changes), updateStateTree(copies, changes)];
          expect(ofOwn).toEqual(ofCopies);
          own.apply([], ofOwn.pages);
          read.apply([], ofCopies.pages);
        }
      }),
      { seed: SEED, numRuns: extent(34, 100) },
    );
  });

  it("counts what it remembers of a page", () => {
    const keys = Array.from({ length: 40 }, (_, n) => change(`key ${n}`, "1"));
    const pages = apply(new MemoryStateStore(), keys).pages.flatMap(({ after }) => after ?? []);
    const large = pages.filter((page) => page.length > 4 + 5 * 96);
    expect(large.length).toBeGreaterThan(0);
    for (const page of large) expect(pageMemoryBytes(page)).toBe(page.length + 15 * 32);
    expect(large.map((page) => pageMemoryBytes(page.slice()))).toEqual(large.map(({ length }) => length));
  });

  it("returns to the same pages when what was inserted is deleted", () => {
    const store = new MemoryStateStore();
    const before = apply(store, [change("a", "1"), change("b", "2"), change("c", "3")]);
    const many = Array.from({ length: 300 }, (_, n) => `new ${n}`);
    const inserted = apply(
      store,
      many.map((key) => change(key, "x")),
    );
    const removed = apply(
      store,
      many.map((key) => change(key, undefined)),
    );
    expect(removed.root).toBe(before.root);
    const created = inserted.pages.filter((page) => page.before === undefined).map((page) => page.prefix);
    const deleted = removed.pages.filter((page) => page.after === undefined).map((page) => page.prefix);
    expect(created.length).toBeGreaterThan(10);
    expect(deleted.sort()).toEqual(created.sort());
  });

  it("reports what each changed page was before, so that a batch can be undone", () => {
    const store = new MemoryStateStore();
    const first = apply(store, [change("a", "1"), change("b", "2")]);
    const changes = Array.from({ length: 40 }, (_, n) => change(`k${n}`, "v"));
    const { pages } = apply(store, [...changes, change("a", undefined)]);
    store.apply(
      [],
      pages.map(({ prefix, before, after }) => ({ prefix, before: after, after: before })),
    );
    expect(toHex(stateRoot(store))).toBe(first.root);
  });

  it("changes no page when nothing changes", () => {
    const store = new MemoryStateStore();
    apply(store, [change("a", "1"), change("b", "2")]);
    expect(apply(store, [change("a", "1"), change("absent", undefined)]).pages).toEqual([]);
  });

  it("splits and joins leaves that differ in the last bit only", () => {
    const store = new MemoryStateStore();
    const leaves = [...leavesWithCommonPrefix()].sort((a, b) => Buffer.compare(a.path, b.path));
    const all = updateStateTree(store, leaves);
    store.apply([], all.pages);
    expect(Math.max(...all.pages.map((page) => page.prefix.length))).toBe(63);
    for (const leaf of leaves) {
      const { root, pages } = updateStateTree(store, [{ path: leaf.path, valueHash: undefined }]);
      const without = updateStateTree(
        new MemoryStateStore(),
        leaves.filter((other) => other !== leaf),
      );
      expect(toHex(root)).toBe(toHex(without.root));
      expect(pages.length).toBeGreaterThan(0);
    }
  });

  it("refuses unsorted or repeated changes", () => {
    const leaves = [...leavesWithCommonPrefix()].sort((a, b) => Buffer.compare(a.path, b.path));
    expect(() => updateStateTree(new MemoryStateStore(), [...leaves].reverse())).toThrow("sorted");
    expect(() => updateStateTree(new MemoryStateStore(), [...leaves.slice(0, 1), ...leaves.slice(0, 1)])).toThrow("sorted");
  });
});

describe("state proof", () => {
  const store = new MemoryStateStore();
  const keys = Array.from({ length: 400 }, (_, n) => `key ${n}`);
  const root = fromHex(
    apply(
      store,
      keys.map((key) => change(key, `value of ${key}`)),
    ).root,
  );
  const claim = (key: string, value?: string): { namespace: string; key: Uint8Array; value: Uint8Array | undefined } => ({
    namespace: "account",
    key: utf8(key),
    value: value === undefined ? undefined : utf8(value),
  });
  const proof = (key: string): StateProof => proveState(store, statePath("account", utf8(key)));

  it("shows every key with its value, and no other value or absence", () => {
    for (const key of keys) {
      const own = proof(key);
      expect(verifyStateProof(root, claim(key, `value of ${key}`), own)).toBe(true);
      expect(verifyStateProof(root, claim(key, `value of ${key}.`), own)).toBe(false);
      expect(verifyStateProof(root, claim(key), own)).toBe(false);
    }
  });

  it("shows that absent keys are absent, and not present with any value", () => {
    const kinds = new Set<string>();
    for (let n = 0; n < 600; n += 1) {
      const own = proof(`absent ${n}`);
      kinds.add(own.otherLeaf === null ? "empty place" : "other leaf");
      expect(verifyStateProof(root, claim(`absent ${n}`), own)).toBe(true);
      expect(verifyStateProof(root, claim(`absent ${n}`, ""), own)).toBe(false);
    }
    expect([...kinds].sort()).toEqual(["empty place", "other leaf"]);
  });

  it("does not show one key with the proof of another", () => {
    const cases = keys.slice(0, 60).flatMap((key) => keys.slice(0, 60).map((other) => [key, other] as const));
    for (const [key, other] of cases) {
      if (key !== other) expect(verifyStateProof(root, claim(key, `value of ${key}`), proof(other))).toBe(false);
      expect(verifyStateProof(root, claim(key), proof(other))).toBe(false);
    }
  });

  it("verifies with the native hash as with the portable one", () => {
    expect(verifyStateProof(root, claim("key 7", "value of key 7"), proof("key 7"), nativeSha256)).toBe(true);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => toHex(nativeSha256(bytes)) === toHex(sha256(bytes))),
      { seed: SEED },
    );
  });

  it("survives its encoding, and no mutation of any of its bytes", () => {
    for (const key of ["key 0", "key 399", "absent 0", "absent 1", "absent 2", "absent 3"]) {
      const value = key.startsWith("key") ? `value of ${key}` : undefined;
      const bytes = encode(stateProofCodec, proof(key));
      expect(verifyStateProof(root, claim(key, value), decode(stateProofCodec, bytes))).toBe(true);
      for (let at = 0; at < bytes.length; at += 1) {
        for (const flip of [1, 0x80, 0xff]) {
          const mutated = Uint8Array.from(bytes);
          mutated[at] = (mutated[at] ?? 0) ^ flip;
          expect(isAccepted(mutated, claim(key, value)), `byte ${at} of ${key}`).toBe(false);
        }
      }
    }
  });

  it("refuses bytes that are not a proof", () => {
    for (const bytes of [new Uint8Array(0), fromHex("80"), fromHex("8280f5"), fromHex("828100f6"), fromHex("82814101f6")])
      expect(() => decode(stateProofCodec, bytes)).toThrow();
  });

  function isAccepted(bytes: Uint8Array, what: ReturnType<typeof claim>): boolean {
    let decoded: StateProof;
    try {
      decoded = decode(stateProofCodec, bytes);
    } catch {
      return false;
    }
    return verifyStateProof(root, what, decoded);
  }
});
