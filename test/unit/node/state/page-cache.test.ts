import { describe, expect, it } from "vitest";
import { PageCache } from "#node/state/page-cache.ts";

function countingStore(): { getPage(prefix: string): Uint8Array | undefined; reads: string[] } {
  const reads: string[] = [];
  return {
    reads,
    getPage: (prefix): Uint8Array | undefined => {
      reads.push(prefix);
      return prefix === "absent" ? undefined : new Uint8Array(100).fill(prefix.length);
    },
  };
}

describe("page cache", () => {
  it("reads a page once while it is kept", () => {
    const store = countingStore();
    const cache = new PageCache(store);
    cache.getPage("ab");
    expect(cache.getPage("ab")).toEqual(new Uint8Array(100).fill(2));
    expect(store.reads).toEqual(["ab"]);
  });

  it("keeps what is used and forgets the rest", () => {
    const store = countingStore();
    const cache = new PageCache(store, 1_800);
    for (const prefix of ["a", "b", "a", "c", "a", "d", "a", "e", "a", "b"]) cache.getPage(prefix);
    expect(store.reads).toEqual(["a", "b", "c", "d", "e", "b"]);
    expect(cache.bytes).toBeLessThanOrEqual(1_800);
  });

  it("takes over committed pages and deletions", () => {
    const store = countingStore();
    const cache = new PageCache(store);
    cache.getPage("a");
    cache.committed([
      { prefix: "a", before: Uint8Array.of(1), after: Uint8Array.of(9) },
      { prefix: "b", before: undefined, after: Uint8Array.of(8) },
      { prefix: "absent", before: Uint8Array.of(1), after: undefined },
    ]);
    expect([cache.getPage("a"), cache.getPage("b"), cache.getPage("absent")]).toEqual([Uint8Array.of(9), Uint8Array.of(8), undefined]);
    expect(store.reads).toEqual(["a", "absent"]);
  });
});
