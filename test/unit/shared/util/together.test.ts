import { expect, it } from "vitest";
import { type Outcome, together } from "#shared/util/together.ts";

const EVEN = new Error("even");

it("makes one request of what is asked for in a turn, and of what comes while others are under way", async () => {
  const requests: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const ask = together<number, string>({
    maxItems: 3,
    send: async (items) => {
      requests.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map((item): Outcome<string> => (item % 2 === 0 ? { error: EVEN } : { result: `<${item}>` }));
    },
  });
  const settled = (numbers: readonly number[]): Promise<unknown> =>
    Promise.all(numbers.map((n) => ask(n).catch((error: unknown) => error)));
  const first = settled([1, 2]);
  await Promise.resolve();
  const others = [3, 5, 7].map(async (n) => {
    await Promise.resolve();
    return settled([n]);
  });
  await expect
    .poll(() => requests)
    .toEqual([
      [1, 2],
      [3, 5, 7],
    ]);
  const more = [settled([9]), settled([11, 13, 15, 17])];
  await expect.poll(() => requests.length).toBe(4);
  const rest = settled([19]);
  for (const end of ends.splice(0)) end();
  expect(await first).toEqual(["<1>", EVEN]);
  expect((await Promise.all(others)).flat()).toEqual(["<3>", "<5>", "<7>"]);
  await expect
    .poll(() => {
      for (const end of ends.splice(0)) end();
      return requests.flat().length;
    })
    .toBe(11);
  for (const end of ends.splice(0)) end();
  await Promise.all([...more, rest]);
  expect(Math.max(...requests.map((items) => items.length))).toBe(3);
});

it("bounds a request by the sizes of its items, of which a larger one goes alone", async () => {
  const requests: (readonly number[])[] = [];
  const ask = together<number, number>({
    maxItems: 10,
    maxSize: 10,
    sizeOf: (item) => item,
    send: async (items) => {
      requests.push(items);
      return items.map((result) => ({ result }));
    },
  });
  expect(await Promise.all([6, 4, 1, 30, 2].map(ask))).toEqual([6, 4, 1, 30, 2]);
  expect(requests.map((items) => [...items])).toEqual([[6, 4], [1], [30], [2]]);
});

it("fails each of a request that fails, and what has no outcome; what comes later is asked for", async () => {
  let answer: "throws" | "short" | "right" = "throws";
  const ask = together<number, number>({
    maxItems: 10,
    send: async (items) => {
      if (answer === "throws") throw EVEN;
      return items.slice(answer === "short" ? 1 : 0).map((result) => ({ result }));
    },
  });
  const outcomes = async (): Promise<unknown> => Promise.all([1, 2].map((n) => ask(n).catch((error: Error) => error.name)));
  expect(await outcomes()).toEqual(["Error", "Error"]);
  answer = "short";
  expect(await outcomes()).toEqual([2, "RangeError"]);
  answer = "right";
  expect(await outcomes()).toEqual([1, 2]);
});
