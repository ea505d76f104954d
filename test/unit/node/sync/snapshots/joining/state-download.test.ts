import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHUNK_BYTES, recordBytes } from "#node/state/state-chunk.ts";
import { partsOf } from "#node/state/tree-place.ts";
import { type JoinStore, openJoinStore } from "#node/storage/snapshots/join-store.ts";
import { StateDownload, type StateDownloadDependencies } from "#node/sync/snapshots/joining/state-download.ts";
import type { SnapshotRequest, SnapshotResponse } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { toHex, utf8 } from "#shared/util/bytes.ts";
import { hostTimers } from "#shared/util/host.ts";
import { createRandom } from "../../../../../support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../../../support/host/temporary-folder.ts";
import { honestResponse, type TestState, testRecords, testState } from "../../../../../support/worlds/snapshot-world.ts";

const IDENTITY = { chainId: "parley-test", genesisHash: "ab".repeat(32) };
const HEIGHT = 1_000;
const LARGE = testState(testRecords(9_000, 200));
const SMALL = testState(testRecords(40));

/** How a peer answers. */
type Manner = (request: SnapshotRequest, nth: number) => SnapshotResponse | Promise<SnapshotResponse>;

let folder: TemporaryFolder;
let opened: JoinStore[];
let offences: string[];
let asked: string[];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  opened = [];
  offences = [];
  asked = [];
});

afterEach(async () => {
  for (const store of opened) store.close();
  await folder.remove();
});

function openStore(state: TestState, name = "join.db"): JoinStore {
  const store = openJoinStore(join(folder.path, name), { height: HEIGHT, stateRoot: toHex(state.root) }, IDENTITY);
  opened.push(store);
  return store;
}

function download(store: JoinStore, peers: Readonly<Record<string, Manner>>, over: Partial<StateDownloadDependencies> = {}): StateDownload {
  const counts = new Map<string, number>();
  return new StateDownload({
    store,
    peers: () => Object.keys(peers),
    ask: async (peer, request): Promise<SnapshotResponse> => {
      asked.push(peer);
      const nth = counts.get(peer) ?? 0;
      counts.set(peer, nth + 1);
      const answered = peers[peer]?.(request, nth);
      if (answered === undefined) throw new CodedError("UPSTREAM_FAILED", "No such peer");
      return await answered;
    },
    report: (peer, offence) => void offences.push(`${peer} ${offence}`),
    isReading: () => false,
    timers: { setTimer: (_ms, work) => hostTimers.setTimer(1, work) },
    log: { warn: () => undefined },
    ...over,
  });
}

const honest =
  (state: TestState): Manner =>
  (request): SnapshotResponse =>
    honestResponse(state, request);

/** Leaves one record of each chunk out. */
const dropping =
  (state: TestState): Manner =>
  (request): SnapshotResponse => {
    const response = honestResponse(state, request);
    return response.kind === "chunk" ? { ...response, records: response.records.slice(1) } : response;
  };

/** Changes a value in each chunk. */
const changing =
  (state: TestState): Manner =>
  (request): SnapshotResponse => {
    const response = honestResponse(state, request);
    const [first, ...rest] = response.kind === "chunk" ? response.records : [];
    return response.kind === "chunk" && first !== undefined
      ? { ...response, records: [{ ...first, value: utf8("mine") }, ...rest] }
      : response;
  };

const never = new AbortController().signal;

function expectWhole(store: JoinStore, state: TestState): void {
  expect(store.isComplete()).toBe(true);
  while (store.sort());
  for (const { namespace, key, value } of state.records)
    expect(toHex(store.state.get(namespace, key) ?? new Uint8Array())).toBe(toHex(value));
}

describe("fetching a state", () => {
  it("takes one chunk at a time while the node reads something else, and several again afterwards", async () => {
    let [underWay, isReading] = [0, true];
    const most = { reading: 0, alone: 0 };
    const manner: Manner = async (request) => {
      underWay += 1;
      const kind = isReading ? "reading" : "alone";
      most[kind] = Math.max(most[kind], underWay);
      if (asked.length > 8) isReading = false;
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return honestResponse(LARGE, request);
    };
    const store = openStore(LARGE);
    expect(await download(store, { a: manner, b: manner, c: manner }, { isReading: () => isReading }).run(never)).toBe("complete");
    expectWhole(store, LARGE);
    expect(most.reading).toBe(1);
    expect(most.alone).toBeGreaterThan(2);
  });

  it("gives the whole state, from several peers at once", async () => {
    const store = openStore(LARGE);
    const peers = { a: honest(LARGE), b: honest(LARGE), c: honest(LARGE) };
    const run = download(store, peers);
    expect(run.progress()).toEqual({ bytes: 0, share: 0 });
    expect(await run.run(never)).toBe("complete");
    expectWhole(store, LARGE);
    const bytes = LARGE.records.reduce((sum, record) => sum + recordBytes(record), 0);
    expect(run.progress()).toEqual({ bytes, share: 1 });
    expect(new Set(asked)).toEqual(new Set(Object.keys(peers)));
    expect(asked.length).toBeLessThan(40);
    expect(offences).toEqual([]);
  });

  it("fetches an empty state, and one in a single chunk", async () => {
    const empty = testState([]);
    const store = openStore(empty, "empty.db");
    expect(await download(store, { a: honest(empty) }).run(never)).toBe("complete");
    expectWhole(store, empty);
    const small = openStore(SMALL, "small.db");
    expect(await download(small, { a: honest(SMALL) }).run(never)).toBe("complete");
    expectWhole(small, SMALL);
  });

  it.each([
    ["leaves a record out", dropping],
    ["changes a record", changing],
    ["serves another state", (): Manner => honest(testState(testRecords(9_000, 201)))],
  ])("finds a peer that %s, and asks it no more", async (_what, lying) => {
    const store = openStore(LARGE);
    expect(await download(store, { liar: lying(LARGE), a: honest(LARGE), b: honest(LARGE) }).run(never)).toBe("complete");
    expectWhole(store, LARGE);
    expect(offences).toEqual(["liar lie"]);
    expect(asked.filter((peer) => peer === "liar").length).toBeLessThan(8);
  });

  it("finds a peer that splits what fits", async () => {
    const store = openStore(SMALL);
    const splitting: Manner = (request, nth) => (nth === 0 ? { kind: "split", levels: 3 } : honestResponse(SMALL, request));
    expect(await download(store, { splitter: splitting }).run(never)).toBe("complete");
    expectWhole(store, SMALL);
    expect(offences).toEqual(["splitter lie"]);
    expect(SMALL.records.reduce((sum, record) => sum + recordBytes(record), 0)).toBeLessThan(CHUNK_BYTES);
  });

  it("is not held up by one that splits without end", async () => {
    const store = openStore(SMALL);
    const splitting: Manner = () => ({ kind: "split", levels: 12 });
    expect(await download(store, { splitter: splitting }).run(never)).toBe("gone");
    expect(offences).toEqual(["splitter lie"]);
    const patient = download(store, { a: honest(SMALL) });
    const stopping = new AbortController();
    const running = patient.run(stopping.signal);
    stopping.abort();
    expect(await running).toBe("stopped");
  });

  it("is not slowed down much by one that splits whatever it is asked for", async () => {
    const store = openStore(LARGE);
    const splitting: Manner = () => ({ kind: "split", levels: 12 });
    const most = { missing: 0 };
    const noted: Manner = (request) => {
      most.missing = Math.max(most.missing, store.missing().length);
      return honestResponse(LARGE, request);
    };
    expect(await download(store, { splitter: splitting, a: noted, b: noted, c: noted }).run(never)).toBe("complete");
    expectWhole(store, LARGE);
    expect(offences).toEqual(["splitter lie"]);
    // Two splits of 64 parts and what honest peers find: where it is alone, an honest one is asked 30 times.
    expect(most.missing).toBeLessThan(300);
    expect(asked.length).toBeLessThan(400);
  });

  it("waits for peers that are busy or do not answer", async () => {
    const store = openStore(LARGE);
    const busy: Manner = (request, nth) => (nth % 3 === 0 ? { kind: "busy" } : honestResponse(LARGE, request));
    const failing: Manner = (request, nth) =>
      nth % 2 === 0 ? Promise.reject(new CodedError("UPSTREAM_FAILED", "late")) : honestResponse(LARGE, request);
    expect(await download(store, { busy, failing }).run(never)).toBe("complete");
    expectWhole(store, LARGE);
    expect(offences).toEqual([]);
  });

  it("says that a state is gone when no peer has it any more", async () => {
    const store = openStore(LARGE);
    const pruning: Manner = (request, nth) => (nth < 3 ? honestResponse(LARGE, request) : { kind: "unknown" });
    expect(await download(store, { a: pruning, liar: dropping(LARGE) }).run(never)).toBe("gone");
    expect(offences).toEqual(["liar lie"]);
  });

  it("waits while there are no peers at all", async () => {
    const store = openStore(SMALL);
    const peers: string[] = [];
    const running = download(store, { a: honest(SMALL) }, { peers: () => peers }).run(never);
    expect(await Promise.race([running, new Promise((resolve) => setImmediate(() => resolve("waits")))])).toBe("waits");
    peers.push("a");
    expect(await running).toBe("complete");
  });

  it("goes on where an earlier run ended", async () => {
    const stopping = new AbortController();
    const limited: Manner = (request, nth) => {
      if (nth === 6) stopping.abort();
      return honestResponse(LARGE, request);
    };
    const first = openStore(LARGE);
    expect(await download(first, { a: limited }).run(stopping.signal)).toBe("stopped");
    const missing = first.missing().length;
    first.close();
    const second = openStore(LARGE);
    expect(second.missing()).toHaveLength(missing);
    asked.length = 0;
    const run = download(second, { a: honest(LARGE) });
    expect(run.progress().share).toBeGreaterThan(0);
    expect(await run.run(never)).toBe("complete");
    expect(asked).toHaveLength(missing);
    expectWhole(second, LARGE);
    second.close();
  });

  it("begins again for another root", async () => {
    const first = openStore(SMALL);
    await download(first, { a: honest(SMALL) }).run(never);
    first.close();
    const second = openStore(LARGE);
    expect(second.missing()).toEqual([{ depth: 0, prefix: Buffer.alloc(0) }]);
    expect(await download(second, { a: honest(LARGE) }).run(never)).toBe("complete");
    expectWhole(second, LARGE);
  });

  it("fails when the storage does", async () => {
    const store = openStore(SMALL);
    const broken: JoinStore = { ...store, goal: store.goal, missing: () => store.missing(), store: () => expect.fail("disk") } as JoinStore;
    await expect(download(broken, { a: honest(SMALL) }).run(never)).rejects.toThrow("disk");
  });

  it("comes to the same state with any mixture of peers, one of them honest", async () => {
    const manners = [
      honest,
      dropping,
      changing,
      (): Manner => (): SnapshotResponse => ({ kind: "unknown" }),
      (): Manner => (): SnapshotResponse => ({ kind: "split", levels: 2 }),
    ];
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: manners.length - 1 }), { maxLength: 5 }), fc.nat(), async (chosen, seed) => {
        run += 1;
        const store = openStore(SMALL, `mixture-${run}.db`);
        const random = createRandom(seed);
        const peers = Object.fromEntries(chosen.map((index, n) => [`p${n}`, (manners[index] ?? honest)(SMALL)]));
        const all = random.between(0, 1) === 0 ? { honest: honest(SMALL), ...peers } : { ...peers, honest: honest(SMALL) };
        expect(await download(store, all).run(never)).toBe("complete");
        expectWhole(store, SMALL);
        expect(offences.filter((offence) => offence.startsWith("honest"))).toEqual([]);
        store.close();
      }),
      { seed: 20_261_123, numRuns: 25 },
    );
  });

  it("has places that are the whole tree", () => {
    const store = openStore(SMALL);
    const [root] = store.missing();
    if (root === undefined) throw new Error("Nothing is missing");
    store.split(root, partsOf(root, 2));
    expect(store.missing().map(({ depth }) => depth)).toEqual([2, 2, 2, 2]);
    expect(store.isComplete()).toBe(false);
  });
});
