import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GenerationCache } from "#node/state/generation-cache.ts";

const MAX_BYTES = 3_000;
const step = fc.record({
  kind: fc.constantFrom("get", "set", "delete"),
  name: fc.constantFrom(..."abcdefghijklmnop"),
  size: fc.nat({ max: 400 }),
});

describe("GenerationCache", () => {
  it("gives what was set last or nothing, and stays within its bound", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = new GenerationCache<Uint8Array>(MAX_BYTES, (value) => value.length);
        const all = new Map<string, Uint8Array>();
        for (const { kind, name, size } of steps) {
          if (kind === "delete") {
            cache.delete(name);
            all.delete(name);
          } else if (kind === "set") {
            const value = new Uint8Array(size);
            cache.set(name, value);
            all.set(name, value);
            expect(cache.get(name)).toBe(value);
          } else expect([undefined, all.get(name)]).toContain(cache.get(name));
          expect(cache.bytes).toBeGreaterThanOrEqual(0);
          expect(cache.bytes).toBeLessThanOrEqual(MAX_BYTES);
        }
        for (const name of all.keys()) cache.delete(name);
        expect(cache.bytes).toBe(0);
      }),
      { seed: 8_111, numRuns: 300 },
    );
  });

  it("keeps a value that is used more often than a generation fills", () => {
    const cache = new GenerationCache<number>(10_000, () => 100);
    cache.set("used", 1);
    for (let n = 0; n < 1_000; n += 1) {
      cache.set(`name ${n}`, n);
      expect(cache.get("used")).toBe(1);
    }
    expect(cache.get("name 0")).toBeUndefined();
    expect(cache.get("name 999")).toBe(999);
  });

  it("holds one value that is larger than the bound", () => {
    const cache = new GenerationCache<number>(10, (value) => value);
    cache.set("a", 1_000);
    expect(cache.get("a")).toBe(1_000);
    cache.set("b", 1_000);
    cache.set("c", 1_000);
    expect([cache.get("a"), cache.get("c")]).toEqual([undefined, 1_000]);
  });
});
