// Sources take turns, the owner's programs come first, shares hold.
import { describe, expect, it } from "vitest";
import { FairQueue, type Queued } from "#node/queries/fair-queue.ts";

interface Named extends Queued {
  readonly name: string;
}

function queueOf(names: readonly string[], limits = { all: 100, perSource: 100 }): FairQueue<Named> {
  const queue = new FairQueue<Named>(limits);
  for (const name of names) queue.add(item(name));
  return queue;
}

/** `a1` is of the source `a`; capital letters are the owner's programs. */
function item(name: string): Named {
  return { name, source: name[0], isOwn: name.toUpperCase() === name };
}

function drain(queue: FairQueue<Named>, ownOnly = false): string {
  const names: string[] = [];
  for (let next = queue.next(ownOnly); next !== undefined; next = queue.next(ownOnly)) names.push(next.name);
  return names.join(" ");
}

describe("a fair queue", () => {
  it.each([
    [["a1", "a2", "a3", "b1", "c1", "b2"], "a1 b1 c1 a2 b2 a3"],
    [["a1", "a2", "X1", "b1", "X2"], "X1 X2 a1 b1 a2"],
    [[], ""],
  ])("%j is served as %s", (names, expected) => expect(drain(queueOf(names))).toBe(expected));

  it("serves a source that comes late before the rest of one that asked much", () => {
    const queue = queueOf(Array.from({ length: 50 }, (_, n) => `a${n}`));
    expect(queue.next()?.name).toBe("a0");
    queue.add(item("b0"));
    expect([queue.next()?.name, queue.next()?.name, queue.next()?.name]).toEqual(["a1", "b0", "a2"]);
  });

  it("has a share for each source and an end for all; the owner's programs have no share", () => {
    const queue = queueOf([], { all: 6, perSource: 2 });
    const refused = ["a1", "a2", "a3", "b1", "X1", "X2", "X3", "b2"].map((name) => queue.add(item(name))?.name);
    expect(refused).toEqual([undefined, undefined, "a3", undefined, undefined, undefined, undefined, "b2"]);
    expect(drain(queue)).toBe("X1 X2 X3 a1 b1 a2");
    expect(queue.add(item("a9"))).toBeUndefined();
  });

  it("makes room, when it is full, at the cost of the source that has most", () => {
    const queue = queueOf(["a1", "a2", "a3", "a4", "b1", "b2"], { all: 6, perSource: 6 });
    const refused = ["c1", "a5", "b3", "c2", "c3", "X1", "X2", "d1"].map((name) => queue.add(item(name))?.name);
    // The owner's programs displace whom they must; others only one that has more than they would have.
    expect(refused).toEqual(["a4", "a5", "b3", "a3", "c3", "a2", "b2", "c2"]);
    expect(drain(queue)).toBe("X1 X2 a1 b1 c1 d1");
    const own = queueOf(["X1", "X2"], { all: 2, perSource: 2 });
    expect([own.add(item("X3"))?.name, own.add(item("a1"))?.name]).toEqual(["X3", "a1"]);
  });

  it("gives the owner's alone when asked for that, and takes out what fits", () => {
    const queue = queueOf(["a1", "X1", "b1", "a2"]);
    expect(drain(queue, true)).toBe("X1");
    expect(queue.take(({ source }) => source === "a").map(({ name }) => name)).toEqual(["a1", "a2"]);
    expect([queue.items().length, drain(queue)]).toEqual([1, "b1"]);
  });
});
