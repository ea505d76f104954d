// A gateway names its readers to its node: each once, all again to one that was started again or after a while, and not without end.
import { expect, it, onTestFinished } from "vitest";
import { NAMED_A_REQUEST, NAMED_READERS, NAMING_AGAIN_MS, NAMING_CHECK_MS, NAMING_PAUSE_MS } from "#node/gateway/public/gateway-limits.ts";
import { NamedReaders } from "#node/gateway/public/named-readers.ts";
import type { NodeResponse } from "#node/gateway/public/node-links.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

interface World {
  readonly readers: NamedReaders;
  /** Readers of each request. */
  readonly named: string[][];
  readonly said: unknown[];
  readonly errors: string[];
  node: { scope: string; room: number; isAway: boolean; isOther: boolean };
  pass(durationMs: number): Promise<void>;
}

function world(): World {
  const time = new VirtualTime();
  const named: string[][] = [];
  const said: unknown[] = [];
  const errors: string[] = [];
  const node = { scope: "first", room: Number.POSITIVE_INFINITY, isAway: false, isOther: false };
  const readers = new NamedReaders({
    links: {
      request: (_path, { body = "" }): Promise<NodeResponse> => {
        if (node.isAway) return Promise.reject(new CodedError("UNAVAILABLE", "away"));
        const some = (JSON.parse(body) as { readonly readers: string[] }).readers;
        named.push(some);
        said.push(JSON.parse(body));
        if (node.isOther) return Promise.resolve({ status: 200, text: "<html>", at: 0 });
        return Promise.resolve({
          status: 200,
          text: JSON.stringify({ taken: Math.min(some.length, node.room), scope: node.scope }),
          at: 0,
        });
      },
    },
    clock: time.clock(0),
    timers: time,
    onError: (_error, what): void => void errors.push(what),
  });
  onTestFinished(() => readers.close());
  readers.start();
  const pass = async (durationMs: number): Promise<void> => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += NAMING_PAUSE_MS) {
      time.advance(NAMING_PAUSE_MS);
      for (let turn = 0; turn < 40; turn += 1) await Promise.resolve();
    }
  };
  return { readers, named, said, errors, node, pass };
}

const flat = (named: readonly string[][]): readonly string[] => named.flat();

it("names each reader soon, and all of them to a node that was started again, to another one, and after a while", async () => {
  const { readers, named, node, pass } = world();
  readers.note("a");
  readers.note("b");
  readers.note("a");
  await pass(NAMING_PAUSE_MS);
  expect(flat(named)).toEqual(["a", "b"]);
  readers.note("c");
  await pass(NAMING_PAUSE_MS);
  expect(named.at(-1)).toEqual(["c"]);
  const { length } = named;
  await pass(NAMING_CHECK_MS + NAMING_PAUSE_MS);
  expect(named.slice(length)).toEqual([[]]);
  node.scope = "second";
  await pass(NAMING_CHECK_MS + NAMING_PAUSE_MS);
  expect(named.at(-1)?.toSorted()).toEqual(["a", "b", "c"]);
  const before = flat(named).length;
  await pass(NAMING_AGAIN_MS);
  expect(flat(named).length).toBe(before + 3);
});

it("goes on after the node was away or something else answered in its place, and says once that it was", async () => {
  const { readers, named, errors, node, pass } = world();
  node.isAway = true;
  readers.note("a");
  await pass(3 * NAMING_CHECK_MS);
  expect([named, errors.length]).toEqual([[], 1]);
  node.isAway = false;
  node.isOther = true;
  await pass(3 * NAMING_CHECK_MS);
  const { length } = named;
  expect([length < 5, errors.length]).toEqual([true, 1]);
  node.isOther = false;
  await pass(2 * NAMING_CHECK_MS);
  expect(flat(named.slice(length))).toEqual(["a"]);
});

it("names no more of a hundred thousand readers than it may, the latest, and says once that the node has no room", async () => {
  const { readers, named, errors, node, pass } = world();
  node.room = 10;
  for (let n = 0; n < 100_000; n += 1) readers.note(`reader ${n}`);
  await pass(20 * NAMING_PAUSE_MS);
  expect(new Set(flat(named)).size).toBe(NAMED_READERS);
  expect(flat(named)).toContain("reader 99999");
  expect(Math.max(...named.map(({ length }) => length))).toBe(NAMED_A_REQUEST);
  expect(errors).toHaveLength(1);
});

it("gives up readers of the network that has most of them, and none of others", async () => {
  const { readers, named, pass } = world();
  readers.note("person", "home");
  for (let n = 0; n < 2 * NAMED_READERS; n += 1) readers.note(`flood ${n}`, "flood");
  readers.note("late", "home");
  await pass(20 * NAMING_PAUSE_MS);
  expect(flat(named)).toHaveLength(NAMED_READERS);
  expect(flat(named)).toEqual(expect.arrayContaining(["person", "late", `flood ${2 * NAMED_READERS - 1}`]));
});

it("says of each reader its network, and how long ago it read", async () => {
  const { readers, said, pass } = world();
  readers.note("a", "", 86_400_000);
  readers.note("b", "home");
  await pass(NAMING_PAUSE_MS);
  expect(said.at(-1)).toEqual({ readers: ["a", "b"], parties: ["", "home"], idle_s: [86_400, 0] });
});
