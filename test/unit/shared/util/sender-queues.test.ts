import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SenderQueues } from "#shared/util/sender-queues.ts";

const LIMITS = { messages: 4, bytes: 1_000_000, totalBytes: 3_000_000 };

function drain(queues: SenderQueues<string>): readonly string[] {
  const items: string[] = [];
  for (let item = queues.shift(); item !== undefined; item = queues.shift()) items.push(item);
  return items;
}

describe("queues of senders", () => {
  it("are served in turn, each in its order", () => {
    const queues = new SenderQueues<string>(LIMITS);
    for (const item of ["a1", "a2", "a3"]) queues.push("a", item, 0);
    for (const item of ["b1", "b2"]) queues.push("b", item, 0);
    expect(drain(queues)).toEqual(["a1", "b1", "a2", "b2", "a3"]);
    expect(queues.size).toBe(0);
  });

  it("let one that was silent begin level with the others: it neither waits nor has saved turns", () => {
    const queues = new SenderQueues<string>({ ...LIMITS, messages: 100 });
    for (let n = 0; n < 50; n += 1) queues.push("flood", `f${n}`, 0);
    for (let n = 0; n < 20; n += 1) queues.shift();
    for (let n = 0; n < 5; n += 1) queues.push("quiet", `q${n}`, 0);
    expect(drain(queues).slice(0, 10)).toEqual(expect.arrayContaining(["q0", "q1", "q2", "q3", "q4"]));
  });

  it("count the bytes of a message, so that large ones take the turns of many", () => {
    const queues = new SenderQueues<string>({ messages: 100, bytes: 10_000_000, totalBytes: 20_000_000 });
    for (let n = 0; n < 3; n += 1) queues.push("large", `large${n}`, 655_360);
    for (let n = 0; n < 30; n += 1) queues.push("small", `s${n}`, 0);
    expect(drain(queues).indexOf("large1")).toBeGreaterThan(10);
  });

  it("drop the oldest of their sender alone, by number and by bytes", () => {
    const queues = new SenderQueues<string>(LIMITS);
    queues.push("b", "b1", 10);
    for (let n = 1; n <= 6; n += 1) queues.push("a", `a${n}`, 0);
    for (const item of ["c1", "c2"]) queues.push("c", item, 600_000);
    expect(drain(queues).toSorted()).toEqual(["a3", "a4", "a5", "a6", "b1", "c2"]);
  });

  it("drop from the largest when there is no more room in all", () => {
    const queues = new SenderQueues<string>(LIMITS);
    queues.push("small", "s", 10);
    for (const sender of ["a", "b", "c", "d"]) queues.push(sender, sender, 900_000);
    const left = drain(queues);
    expect(left).toContain("s");
    expect(left).toHaveLength(4);
  });

  it("drop from the longest when there are too many in all, and say which went", () => {
    const dropped: string[] = [];
    const queues = new SenderQueues<string>({ ...LIMITS, totalMessages: 4 }, (item) => dropped.push(item));
    for (const item of ["a1", "a2", "a3"]) queues.push("a", item, 0);
    for (const item of ["b1", "b2"]) queues.push("b", item, 0);
    queues.drop("b");
    expect(dropped).toEqual(["a1", "b1", "b2"]);
    expect(drain(queues)).toEqual(["a2", "a3"]);
  });

  it("can be dropped whole", () => {
    const queues = new SenderQueues<string>(LIMITS);
    queues.push("a", "a1", 10);
    queues.push("b", "b1", 10);
    queues.drop("a");
    expect([queues.size, queues.bytes, drain(queues)]).toEqual([1, 10, ["b1"]]);
  });

  it("serve a sender that has few messages within one turn of each other, whatever those do", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.boolean()), { maxLength: 200 }), (steps) => {
        const queues = new SenderQueues<string>({ messages: 50, bytes: 1e9, totalBytes: 1e9 });
        for (const [sender, count, serves] of steps) {
          for (let n = 0; n < count; n += 1) queues.push(`flood ${sender}`, "flood", 0);
          if (serves) queues.shift();
        }
        queues.push("honest", "honest", 0);
        let before = 0;
        while (queues.shift() !== "honest") before += 1;
        expect(before).toBeLessThanOrEqual(5);
      }),
      { numRuns: 200, seed: 11 },
    );
  });
});
