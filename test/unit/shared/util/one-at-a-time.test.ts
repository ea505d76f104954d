import { expect, it } from "vitest";
import { OneAtATime } from "#shared/util/one-at-a-time.ts";

it("runs tasks in their order, one at a time, also after one that failed", async () => {
  const queue = new OneAtATime();
  const events: string[] = [];
  const task =
    (name: string, fails = false) =>
    async (): Promise<string> => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([queue.run(task("a")), queue.run(task("b", true)), queue.run(task("c"))]);
  expect(results).toEqual([
    { status: "fulfilled", value: "a" },
    { status: "rejected", reason: new Error("b") },
    { status: "fulfilled", value: "c" },
  ]);
  expect(events).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});
