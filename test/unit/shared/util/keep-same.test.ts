import { describe, expect, it } from "vitest";
import { keepSame } from "#shared/util/keep-same.ts";

interface Shown {
  readonly count: number;
  readonly list: readonly { readonly id: string; readonly last?: { readonly at: number } | null }[];
  readonly names?: Readonly<Record<string, string>>;
}

const before: Shown = { count: 1, list: [{ id: "a", last: { at: 1 } }, { id: "b" }], names: { a: "Ann" } };

describe("what was built again", () => {
  it("is what was before where all of it is the same", () => {
    expect(keepSame(before, { count: 1, list: [{ id: "a", last: { at: 1 } }, { id: "b" }], names: { a: "Ann" } })).toBe(before);
  });

  it.each<[string, Shown, (keyof Shown)[]]>([
    ["a number", { ...before, count: 2 }, ["list", "names"]],
    ["what an item holds", { ...before, list: [{ id: "a", last: { at: 2 } }, { id: "b" }] }, ["count", "names"]],
    ["an item more", { ...before, list: [...before.list, { id: "c" }] }, ["count", "names"]],
    ["an item less", { ...before, list: before.list.slice(1) }, ["count", "names"]],
    ["the order", { ...before, list: before.list.toReversed() }, ["count", "names"]],
    ["a field of a record", { ...before, names: { a: "Anna" } }, ["count", "list"]],
    ["the name of a field", { ...before, names: { b: "Ann" } }, ["count", "list"]],
    ["a field less", { count: 1, list: before.list }, ["count", "list"]],
    ["nothing in its place", { ...before, list: [{ id: "a", last: null }, { id: "b" }] }, ["count", "names"]],
  ])("keeps all but %s", (_, after, same) => {
    const kept = keepSame(before, after);
    expect(kept).toEqual(after);
    expect(kept).not.toBe(before);
    for (const name of same) expect(kept[name]).toBe(before[name]);
    for (const name of ["list", "names"] as const) if (!same.includes(name)) expect(kept[name]).toBe(after[name]);
  });

  it("is another one where what cannot be compared is another one", () => {
    const set = { all: new Set([1]) };
    expect(keepSame(set, { all: new Set([1]) })).not.toBe(set);
    expect(keepSame(set, { all: set.all })).toBe(set);
  });
});
