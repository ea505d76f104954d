// How much is fetched at once, how long the node rests from it, and what it does when something inside is wrong.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";
import { BackfillPace } from "#node/sync/backfill/backfill-pace.ts";
import type { BackfillThread } from "#node/sync/backfill/backfill-thread.ts";
import { nextSegmentBlocks, shorterFrom } from "#node/sync/backfill/segment-plan.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Timers } from "#shared/util/clock.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type BackfillWorld, createBackfillWorld } from "#test/support/worlds/backfill-world.ts";

const BEFORE = 26;
const MIB = 1_048_576;

let folder: TemporaryFolder;
let world: BackfillWorld;
let closeWorld = (): void => undefined;
let runs = 0;
const limits = { ...BACKFILL_LIMITS };

beforeAll(async () => {
  folder = await createTemporaryFolder();
});
afterAll(() => folder.remove());
afterEach(() => {
  Object.assign(BACKFILL_LIMITS, limits);
  closeWorld();
});

/** A node that joined after a block, and one that has all blocks. */
function makeWorld(changed: Partial<Record<keyof typeof BACKFILL_LIMITS, number>>): void {
  closeWorld();
  runs += 1;
  Object.assign(BACKFILL_LIMITS, { batchBlocks: 3, bytesPerSecond: 1e9, restShare: 0, ...changed });
  const before = Array.from({ length: BEFORE }, (_, index) => mixedBlock(index + 1, createRandom(index + 1)));
  world = createBackfillWorld(join(folder.path, `run-${runs}`), before);
  world.peers.set("honest", world.honest());
  closeWorld = (): void => {
    world.close();
    closeWorld = (): void => undefined;
  };
}

async function fillAll(): Promise<void> {
  const backfill = world.open();
  backfill.start();
  await pollUntil(() => backfill.view() === undefined, { what: `older blocks; ${world.said.join("\n")}` });
  await backfill.stop();
  expectEqual(readAll(world.joined().database, BEFORE), readAll(world.whole.database, BEFORE));
}

/** Bytes of blocks and receipts from one height to another one. */
function bytesOf(first: number, last: number): number {
  const { blocks } = world.whole.database;
  let bytes = 0;
  for (let height = Math.max(1, first); height <= last; height += 1)
    bytes += (blocks.encodedBlock(height)?.length ?? 0) + (blocks.encodedReceipts(height)?.length ?? 0);
  return bytes;
}

describe("a segment of older blocks", () => {
  it("has no more bytes than it may, but for a block that is larger alone, and none is fetched again and again", async () => {
    makeWorld({ segmentBlocks: 20 });
    const largest = Math.max(...Array.from({ length: BEFORE }, (_, index) => bytesOf(index, index)));
    for (const segmentBytes of [3 * largest, Math.ceil(largest / 2), 1]) {
      makeWorld({ segmentBlocks: 20, segmentBytes });
      await fillAll();
      const segments = world.joined().database.history.all();
      for (const { first, last } of segments)
        expect(first === last || bytesOf(first, last) <= segmentBytes, `${first} to ${last}`).toBe(true);
      expect(segments.length).toBeGreaterThan(BEFORE / 20);
      expect(world.requested).toBeLessThan(4 * BEFORE);
      if (segmentBytes === 1) expect(segments.every(({ first, last }) => last - first < 2)).toBe(true);
    }
  });

  it("begins again with fewer blocks, and the next ones have more of them once they are small", () => {
    const plan = { last: 1_000 };
    expect([1_000, 400, 4, 1, 0].map((taken) => shorterFrom(plan, taken))).toEqual([251, 701, 998, 1_000, 1_000]);
    const { segmentBlocks } = limits;
    expect([0, 31 * MIB, 32 * MIB, 64 * MIB].map((bytes) => nextSegmentBlocks(100, bytes))).toEqual([200, 200, 100, 100]);
    expect(nextSegmentBlocks(segmentBlocks, 0)).toBe(segmentBlocks);
  });
});

describe("the rest from it", () => {
  it("is as long as the thread worked, or as the bytes ask for, and not as long as peers took", async () => {
    let nowMs = 0;
    const pace = new BackfillPace({ monotonicMs: () => nowMs });
    const work = async (ms: number): Promise<void> => {
      await pace.worked(() => {
        nowMs += ms;
        return Promise.resolve();
      });
    };
    nowMs += 10_000;
    pace.received(1_000);
    await work(100);
    expect(pace.rest()).toBe(100);
    nowMs += 100 + 200;
    pace.received(4 * MIB);
    await work(50);
    expect(pace.rest()).toBe(750);
    nowMs += 750;
    expect(pace.rest()).toBe(0);
    await expect(pace.worked(() => Promise.reject(new Error("planted")))).rejects.toThrow("planted");
    expect(pace.rest()).toBe(0);
  });

  it("does not grow with slow peers", async () => {
    makeWorld({ restShare: 1 });
    const honest = world.honest();
    let nowMs = 0;
    const slowly = <T>(work: () => Promise<T>): Promise<T> => {
      nowMs += 5_000;
      return work();
    };
    world.peers.set("honest", {
      ...honest,
      blocks: (from, count) => slowly(() => honest.blocks(from, count)),
      snapshot: (request) => slowly(() => honest.snapshot(request)),
    });
    const pauses: number[] = [];
    const dependencies = world.dependencies();
    const { thread } = dependencies;
    const call: BackfillThread["call"] = (method, ...input) => {
      if (method === "add" || method === "finish") nowMs += 30;
      return thread.call(method, ...input);
    };
    const timers: Timers = {
      setTimer: (ms, callback) => {
        pauses.push(ms);
        return dependencies.timers.setTimer(ms, callback);
      },
    };
    const backfill = world.open({ clock: { monotonicMs: () => nowMs }, timers, thread: { ...thread, call } });
    backfill.start();
    await pollUntil(() => backfill.view() === undefined, { what: "older blocks" });
    await backfill.stop();
    const rests = pauses.filter((ms) => ms !== BACKFILL_LIMITS.responseMs);
    expect(Math.max(...rests)).toBe(30);
    expect(rests.filter((ms) => ms === 30).length).toBeGreaterThan(7);
  });
});

describe("something that is wrong inside", () => {
  it.each([
    ["in the work of the thread", "finish"],
    ["in what is read first", "plan"],
  ] as const)("is said and counted, and it is tried again after a pause: %s", async (_, where) => {
    makeWorld({ segmentBlocks: 20 });
    let resume: (() => void) | undefined;
    const dependencies = world.dependencies();
    const { thread, database } = dependencies;
    let left = 1;
    const isTurn = (what: string): boolean => {
      if (what !== where) return false;
      left -= 1;
      return left >= 0;
    };
    const call: BackfillThread["call"] = (method, ...input) =>
      isTurn(method) ? Promise.reject(new TypeError("planted")) : thread.call(method, ...input);
    const history = new Proxy(database.history, {
      get: (target, name): unknown => {
        if (name === "droppedTo" && isTurn("plan")) throw new CodedError("STORAGE_FAILED", "planted");
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const timers: Timers = {
      setTimer: (ms, callback) => {
        if (ms !== BACKFILL_LIMITS.storagePauseMs) return dependencies.timers.setTimer(ms, callback);
        resume = callback;
        return () => undefined;
      },
    };
    const { blocks, validatorSets } = database;
    const backfill = world.open({ timers, thread: { ...thread, call }, database: { blocks, validatorSets, history } });
    backfill.start();
    await pollUntil(() => resume !== undefined, { what: "the pause" });
    const reason = where === "plan" ? "planted" : "inside the program";
    expect(backfill.view()).toMatchObject({ state: "paused", reason: expect.stringContaining(reason) });
    expect(backfill.figures()).toMatchObject({ state: "paused", segments: { failed: 1 } });
    expect(world.said.filter((line) => line.includes("could not be stored"))).toHaveLength(1);
    resume?.();
    await pollUntil(() => backfill.view() === undefined, { what: "older blocks" });
    expect(backfill.figures()).toMatchObject({ state: "done", segments: { stored: 2, unserved: 0, failed: 1 } });
    expect(backfill.figures().bytes).toBeGreaterThanOrEqual(bytesOf(1, BEFORE - 1));
    await backfill.stop();
    expectEqual(readAll(world.joined().database, BEFORE), readAll(world.whole.database, BEFORE));
  });
});
