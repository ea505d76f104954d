// Requests in lanes: never more than so many under way, in their order, whatever becomes of one.
import { expect, it } from "vitest";
import { createLanes } from "#renderer/lib/node/lists/in-lanes.ts";

it("runs so many tasks at once, in the order in which they came, past those that fail", async () => {
  const inLane = createLanes(3);
  const begun: number[] = [];
  let underWay = 0;
  let most = 0;
  const results = Array.from({ length: 10 }, (_, index) =>
    inLane(async () => {
      begun.push(index);
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      if (index % 3 === 0) throw new Error(`task ${index}`);
      return index;
    }),
  );
  const settled = await Promise.allSettled(results);
  expect(settled.map(({ status }) => status === "rejected")).toEqual(Array.from({ length: 10 }, (_, index) => index % 3 === 0));
  expect([most, begun]).toEqual([3, Array.from({ length: 10 }, (_, index) => index)]);
});
