import { beforeEach, describe, expect, it } from "vitest";
import { type ListPage, listUpTo } from "#node/cli/session/printing/list-up-to.ts";

const ALL = Array.from({ length: 25 }, (_, index) => index);

let asked: { readonly limit: number; readonly after?: string }[];

beforeEach(() => {
  asked = [];
});

/** A list of numbers whose cursors are the numbers. */
async function read(query: { readonly limit: number; readonly after?: string }): Promise<ListPage<number>> {
  asked.push(query);
  const from = query.after === undefined ? 0 : Number(query.after) + 1;
  const items = ALL.slice(from, from + query.limit);
  return await Promise.resolve({ items, next: from + query.limit < ALL.length ? String(items.at(-1)) : undefined });
}

const isEven = (number: number): boolean => number % 2 === 0;

describe("a list up to a number", () => {
  it("reads page after page, and no more than is wanted", async () => {
    expect(await listUpTo(read, { limit: 12, pageSize: 10 })).toEqual({ found: ALL.slice(0, 12), next: "11" });
    expect(asked).toEqual([{ limit: 10 }, { limit: 2, after: "9" }]);
  });

  it("continues behind a cursor to the end, and names no further one there", async () => {
    expect(await listUpTo(read, { limit: 100, after: "11", pageSize: 10 })).toEqual({ found: ALL.slice(12), next: undefined });
    expect(await listUpTo(read, { limit: 25, pageSize: 25 })).toEqual({ found: ALL, next: undefined });
  });

  it.each([1, 2, 3, 5, 12, 13])("gives what fits in pieces of %i, none twice and none left out", async (limit) => {
    const found: number[] = [];
    for (let after: string | undefined; ; ) {
      const page = await listUpTo(read, { limit, after, pageSize: 10, filter: isEven });
      expect(page.found.length).toBeLessThanOrEqual(limit);
      found.push(...page.found);
      if (page.next === undefined) break;
      after = page.next;
    }
    expect(found).toEqual(ALL.filter(isEven));
  });

  it("does not ask entry by entry for what fits seldom", async () => {
    expect((await listUpTo(read, { limit: 1, pageSize: 10, filter: (number) => number === 23 })).found).toEqual([23]);
    expect(asked.length).toBeLessThanOrEqual(4);
  });
});
