import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#node/config/system-clock.ts";
import type { PeerName, PeerView } from "#node/network/peer-network.ts";
import { type JoinGoal, type JoinStore, openJoinStore } from "#node/storage/snapshots/join-store.ts";
import { makeSnapshot } from "#node/storage/snapshots/make-snapshot.ts";
import { type FetchedState, type FetchStateDependencies, fetchState } from "#node/sync/snapshots/joining/fetch-state.ts";
import type { JoinStep } from "#node/sync/snapshots/joining/join-steps.ts";
import { SnapshotPeers } from "#node/sync/snapshots/joining/snapshot-peers.ts";
import { SNAPSHOT_LIMITS } from "#node/sync/snapshots/snapshot-limits.ts";
import { SnapshotReads } from "#node/sync/snapshots/snapshot-reads.ts";
import { SnapshotServer } from "#node/sync/snapshots/snapshot-server.ts";
import {
  type SnapshotRequest,
  type SnapshotResponse,
  snapshotRequestCodec,
  snapshotResponseCodec,
} from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Timers } from "#shared/util/clock.ts";
import { hostTimers } from "#shared/util/host.ts";
import { openGrownChain } from "../../../../../support/chain/grown-chain.ts";
import type { TestChain } from "../../../../../support/chain/test-chain.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../../../../support/host/temporary-folder.ts";
import { CHAIN_ID, GENESIS } from "../../../../../support/worlds/ledger-world.ts";

const TIP = 30;
const [OLD, NEW] = [10, 20];
const IDENTITY = { chainId: CHAIN_ID, genesisHash: genesisHash(GENESIS) };

/** Pauses are short, times for responses are not. */
const TIMERS: Timers = { setTimer: (ms, work) => hostTimers.setTimer(ms < 10_000 ? 2 : ms, work) };

/** What a peer makes of an honest response. */
type Bend = (response: SnapshotResponse, request: SnapshotRequest) => SnapshotResponse | undefined;

let folder: TemporaryFolder;
let chain: TestChain;
let reads: SnapshotReads;
let offences: string[];
let stores: JoinStore[];

beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openGrownChain(folder.path, TIP, 5);
  for (const height of [OLD, NEW]) {
    const file = join(folder.path, `${height}.db`);
    makeSnapshot({ directory: folder.path, identity: IDENTITY, height, file, logBytes: 1e9, reservedBytes: 0 }, () => false);
  }
  reads = new SnapshotReads(folder.path, chain.database.blocks);
  offences = [];
  stores = [];
});

afterEach(async () => {
  for (const store of stores) store.close();
  reads.close();
  chain.close();
  await folder.remove();
});

function viewOf(name: PeerName): PeerView {
  const status = { height: TIP, tipHash: "", firstHeight: 1 };
  const view = { name, nodeKey: null, address: "", direction: "inbound", isRelayed: false, version: null, apiVersion: null, status };
  return { ...view, connectedAtMs: 0, latencyMs: null, score: 0 } as PeerView;
}

/** Peers that serve heights, each in its way. */
function peersOf(
  all: Readonly<Record<PeerName, { readonly heights: readonly number[]; readonly bend?: Bend; readonly delayMs?: number }>>,
): SnapshotPeers {
  return new SnapshotPeers({
    network: {
      peers: (): readonly PeerView[] => Object.keys(all).map(viewOf),
      requestSnapshot: async (name, { bytes }): Promise<Uint8Array> => {
        const peer = all[name];
        const server = new SnapshotServer({
          heights: (): readonly number[] => peer?.heights ?? [],
          read: (request): Promise<Uint8Array> => Promise.resolve(reads.respond(request)),
          onDamaged: (_height, error): never => expect.fail(error.message),
          clock: systemClock,
          log: { error: (_fields, text): never => expect.fail(text) },
        });
        const response = await server.respond(bytes, "party");
        if (peer?.delayMs !== undefined) await setTimeout(peer.delayMs);
        if (response === undefined) throw new CodedError("UPSTREAM_FAILED", "malformed");
        const bent = (peer?.bend ?? ((same): SnapshotResponse => same))(
          decode(snapshotResponseCodec, response),
          decode(snapshotRequestCodec, bytes),
        );
        return bent === undefined ? new Uint8Array([1]) : encode(snapshotResponseCodec, bent);
      },
      report: (name, offence): void => void offences.push(`${name} ${offence}`),
    },
    clock: systemClock,
    timers: TIMERS,
  });
}

function trusted(height: number): TrustedBlock {
  const header = chain.database.blocks.header(height);
  if (header === undefined) throw new Error("No such block");
  return { header, hash: headerHash(header), commit: null, validators: [] } as unknown as TrustedBlock;
}

async function fetchFrom(
  peers: SnapshotPeers,
  signal: AbortSignal = new AbortController().signal,
  over: Partial<FetchStateDependencies> = {},
): Promise<FetchedState> {
  const openStore = (goal: JoinGoal): JoinStore => {
    const store = openJoinStore(join(folder.path, `join-${goal.height}.db`), goal, IDENTITY);
    stores.push(store);
    return store;
  };
  const log = { info: (): void => undefined, warn: (): void => undefined };
  const light = {
    tip: (): TrustedBlock => trusted(TIP),
    blockAt: (height: number): Promise<TrustedBlock> => Promise.resolve(trusted(height)),
  };
  return await fetchState({ chain: light, peers, openStore, clock: systemClock, timers: TIMERS, log, ...over }, signal);
}

/** Busy at the first request of each kind, so that others are asked. */
function busyOnce(): Bend {
  const seen = new Set<string>(["heights"]);
  return (response) => {
    if (seen.has(response.kind)) return response;
    seen.add(response.kind);
    return { kind: "busy" };
  };
}

const BOTH = { heights: [NEW, OLD] };

describe("fetching what a node joins with", () => {
  it("says what it does at each step, with amounts that reach their totals", async () => {
    const steps: JoinStep[] = [];
    await fetchFrom(peersOf({ a: BOTH, b: { heights: [] } }), undefined, { onStep: (step): void => void steps.push(step) });
    const names = steps.map(({ name }) => name).filter((name, index, all) => name !== all[index - 1]);
    expect(names).toEqual(["peers", "header", "sort", "headers", "receipts"]);
    expect(steps.find(({ name }) => name === "peers")).toEqual({ name: "peers", done: 1, total: 2 });
    expect(steps.find(({ name }) => name === "header")).toEqual({ name: "header", height: NEW });
    const last = (name: JoinStep["name"]): JoinStep | undefined => steps.findLast((step) => step.name === name);
    expect(last("sort")).toMatchObject({ total: 64 });
    for (const name of ["headers", "receipts"] as const) {
      const { done, total, bytes = 0 } = last(name) ?? {};
      expect(done).toBeGreaterThan(0);
      expect(done).toBe(total);
      expect(bytes).toBeGreaterThan(done ?? 0);
      expect(steps.find((step) => step.name === name)).toMatchObject({ done: 0, bytes: 0 });
    }
  });

  it("gives the newest state, the headers before it and the ids of two hours", async () => {
    const { block, window, store } = await fetchFrom(peersOf({ a: BOTH, b: BOTH }));
    expect(block.header.height).toBe(NEW);
    expect(store.isComplete()).toBe(true);
    const blocks = Array.from({ length: NEW + 1 }, (_, height) => chain.database.blocks.get(height)?.block);
    expect(window.headers).toEqual(blocks.slice(0, NEW).map((each) => each?.header));
    const since = block.header.timeMs - SEEN_WINDOW_MS;
    const expected = blocks.flatMap((each) =>
      each === undefined || each.header.timeMs <= since || each.transactions.length === 0
        ? []
        : [{ height: each.header.height, timeMs: each.header.timeMs, ids: each.transactions.map(({ id }) => id) }],
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(window.ids).toEqual(expected);
    expect(offences).toEqual([]);
  });

  it("takes what two peers have rather than what one says", async () => {
    const { block } = await fetchFrom(peersOf({ a: { heights: [OLD] }, b: { heights: [OLD] }, c: BOTH }));
    expect(block.header.height).toBe(OLD);
  });

  it("takes another height when the first is gone", async () => {
    const gone: Bend = (response) => (response.kind === "chunk" ? { kind: "unknown" } : response);
    const { block } = await fetchFrom(
      peersOf({ a: { heights: [NEW], bend: gone }, b: { heights: [NEW], bend: gone }, c: { heights: [OLD] } }),
    );
    expect(block.header.height).toBe(OLD);
    expect(offences).toEqual([]);
  });

  it("is held up once by peers that announce whatever height they are asked for", async () => {
    const gone: Bend = (response) => (response.kind === "chunk" ? { kind: "unknown" } : response);
    const heights = Array.from({ length: 8 }, (_, index) => NEW - index);
    const many = { heights, bend: gone };
    const { block } = await fetchFrom(peersOf({ x: many, y: many, z: many, a: { heights: [OLD] }, b: { heights: [OLD] } }));
    expect(block.header.height).toBe(OLD);
    expect(stores.map(({ goal }) => goal.height)).toEqual([NEW, OLD]);
    expect(offences).toEqual([]);
  });

  const first = <T>(list: readonly T[], change: (item: T) => T): readonly T[] =>
    list.map((item, index) => (index === 0 ? change(item) : item));
  it.each<[string, Bend]>([
    [
      "a header",
      (bent): SnapshotResponse =>
        bent.kind === "headers" ? { ...bent, headers: first(bent.headers, (header) => ({ ...header, timeMs: 1 })) } : bent,
    ],
    [
      "the order of headers",
      (bent): SnapshotResponse => (bent.kind === "headers" ? { ...bent, headers: bent.headers.toReversed() } : bent),
    ],
    ["too few headers", (bent): SnapshotResponse => (bent.kind === "headers" ? { ...bent, headers: bent.headers.slice(1) } : bent)],
    [
      "receipts",
      (bent): SnapshotResponse => (bent.kind === "receipts" ? { ...bent, blocks: bent.blocks.map(() => Uint8Array.of(0x80)) } : bent),
    ],
    ["receipts that are none", (bent): SnapshotResponse => (bent.kind === "receipts" ? { ...bent, blocks: [Uint8Array.of(1)] } : bent)],
    ["no receipts", (bent): SnapshotResponse => (bent.kind === "receipts" ? { ...bent, blocks: [] } : bent)],
    ["a chunk", (bent): SnapshotResponse => (bent.kind === "chunk" ? { ...bent, records: bent.records.slice(1) } : bent)],
  ])("finds a peer that bends %s", async (_what, bend) => {
    const { block, store, window } = await fetchFrom(peersOf({ liar: { ...BOTH, bend }, a: { ...BOTH, bend: busyOnce() } }));
    expect(block.header.height).toBe(NEW);
    expect(store.isComplete()).toBe(true);
    expect(window.headers).toHaveLength(NEW);
    expect(offences).toEqual(["liar lie"]);
  });

  it.each<[string, Bend]>([
    ["bytes that are no response", (): SnapshotResponse | undefined => undefined],
    [
      "a response to another request",
      (response): SnapshotResponse => (response.kind === "heights" ? response : { kind: "heights", heights: [] }),
    ],
  ])("lets a peer pay for %s", async (_what, bend) => {
    const { block } = await fetchFrom(peersOf({ noise: { ...BOTH, bend }, a: { ...BOTH, bend: busyOnce() } }));
    expect(block.header.height).toBe(NEW);
    expect(new Set(offences)).toEqual(new Set(["noise malformed"]));
  });

  it("passes over peers that know nothing of snapshots, at no cost to them", async () => {
    const silent = peersOf({ a: { heights: [] }, b: { heights: [] } });
    const waits: number[] = [];
    const givesUp = (waitedMs: number): boolean => waits.push(waitedMs) > 3;
    const unknown = new SnapshotPeers({
      network: {
        peers: (): readonly PeerView[] => ["a", "b"].map(viewOf),
        requestSnapshot: (name): Promise<Uint8Array> =>
          Promise.reject(new CodedError("UPSTREAM_FAILED", `Peer ${name} speaks no such protocol`)),
        report: (name, offence): void => void offences.push(`${name} ${offence}`),
      },
      clock: systemClock,
      timers: TIMERS,
    });
    for (const peers of [silent, unknown]) {
      waits.length = 0;
      await expect(fetchFrom(peers, undefined, { givesUp })).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    }
    expect(offences).toEqual([]);
  });

  it("gives up when there are announcements alone, however many heights they name", async () => {
    let nowMs = 0;
    // Each of them holds up the node for as long as it can.
    const gone: Bend = (response) => {
      if (response.kind !== "chunk") return response;
      nowMs += SNAPSHOT_LIMITS.stallMs;
      return { kind: "unknown" };
    };
    const heights = Array.from({ length: 8 }, (_, index) => NEW - index);
    const stopping = new AbortController();
    const givesUp = (waitedMs: number): boolean => {
      if (nowMs > 3_600_000) stopping.abort();
      return waitedMs >= 60_000;
    };
    const over = { clock: { monotonicMs: () => nowMs }, givesUp };
    await expect(fetchFrom(peersOf({ x: { heights, bend: gone } }), stopping.signal, over)).rejects.toMatchObject({
      code: "UPSTREAM_FAILED",
    });
    expect(nowMs).toBeLessThan(200_000);
  });

  it("does not wait for ever for a state that comes a little at a time", async () => {
    let nowMs = 0;
    let given = 0;
    // Split into 4,096 places, of which one comes every ten seconds.
    const slow: Bend = (response, request) => {
      if (request.kind !== "chunk") return response;
      if (request.place.depth < 12) return { kind: "split", levels: 6 };
      nowMs += 10_000;
      given += 1;
      return response;
    };
    const peers = peersOf({ slow: { heights: [NEW], bend: slow, delayMs: 5 }, a: { heights: [OLD] } });
    const { block } = await fetchFrom(peers, undefined, { clock: { monotonicMs: () => nowMs } });
    expect(block.header.height).toBe(OLD);
    expect(given).toBeLessThan(40);
  });

  it("begins once more at the next start when the disk lost something", async () => {
    const openStore = (goal: JoinGoal): JoinStore => {
      const store = openJoinStore(join(folder.path, `join-${goal.height}.db`), goal, IDENTITY);
      stores.push(store);
      return new Proxy(store, {
        get: (target, name) => (name === "isComplete" ? (): boolean => false : (Reflect.get(target, name).bind?.(target) ?? target.goal)),
      });
    };
    const running = fetchFrom(peersOf({ a: BOTH }), undefined, { openStore });
    await expect(running).rejects.toMatchObject({ code: "STORAGE_CORRUPT" });
    expect(existsSync(join(folder.path, `join-${NEW}.db`))).toBe(false);
    expect((await fetchFrom(peersOf({ a: BOTH }))).store.isComplete()).toBe(true);
  });

  it("waits until a peer serves a state, and ends with its node", async () => {
    const stopping = new AbortController();
    const running = fetchFrom(peersOf({ a: { heights: [] } }), stopping.signal);
    stopping.abort();
    await expect(running).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
