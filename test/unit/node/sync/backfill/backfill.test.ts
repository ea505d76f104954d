// Older blocks of a node that joined without them: whatever peers do, it has in the end what a node has that executed every block.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { joinReceipts, splitReceipts } from "#node/storage/history/records/block-parts.ts";
import type { BackfillDependencies } from "#node/sync/backfill/backfill.ts";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";
import type { BackfillThread } from "#node/sync/backfill/backfill-thread.ts";
import { snapshotResponseCodec } from "#node/sync/snapshots/wire/snapshot-messages.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import type { Timers } from "#shared/util/clock.ts";
import { explorerResponses } from "#test/support/chain/explorer-responses.ts";
import { bindingOf } from "#test/support/chain/ledger-payloads.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import type { TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type BackfillWorld, createBackfillWorld, openBackfillWorld, type PlayedPeer } from "#test/support/worlds/backfill-world.ts";
import { actor, alice, bob, carol, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const BEFORE = 40;
const AFTER = 20;
const SEALED = { depth: 5, maxBlocks: 6, maxBytes: 1_000_000 };

/** Has entries in two blocks alone. */
const rested = actor(30);

let folder: TemporaryFolder;
/** Of which each test has a copy, and what its whole chain answers. */
let made: string;
let answers: unknown;
let world: BackfillWorld;
let runs = 0;
const limits = { ...BACKFILL_LIMITS };

beforeAll(async () => {
  Object.assign(BACKFILL_LIMITS, { segmentBlocks: 7, batchBlocks: 3, bytesPerSecond: 1e9, restShare: 0 });
  folder = await createTemporaryFolder();
  made = join(folder.path, "made");
  world = createBackfillWorld(
    made,
    Array.from({ length: BEFORE }, (_, index) => transactionsOf(index + 1)),
  );
  for (let height = BEFORE + 1; height <= BEFORE + AFTER; height += 1)
    await world.commit([...mixedBlock(height, createRandom(height)), payment(height)]);
  answers = answersOf(world.whole);
  world.close();
});
afterAll(async () => {
  Object.assign(BACKFILL_LIMITS, limits);
  await folder.remove();
});
afterEach(() => world.close());

/** Wallets of the validator change with some blocks. */
function transactionsOf(height: number): readonly Transaction[] {
  const nowMs = START_MS + 1_000 * height;
  const transactions = [
    ...mixedBlock(height, createRandom(height)),
    ...(height === 4 || height === 5 ? [paymentTo(rested.pub, nowMs)] : []),
  ];
  if (height === 10) return [...transactions, signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, alice), nowMs })];
  if (height === 24) return [...transactions, signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, bob), nowMs })];
  return transactions;
}

function makeWorld(): void {
  runs += 1;
  const path = join(folder.path, `run-${runs}`);
  cpSync(made, path, { recursive: true });
  world = openBackfillWorld(path);
}

/** One that is taken in at any time: a block without any would be made at another time. */
function payment(amount: number, to = bob.pub): Transaction {
  return paymentTo(to, world.whole.executor.tip().timeMs, amount);
}

function paymentTo(to: string, nowMs: number, amount = 7): Transaction {
  return signed(alice, { type: "TRANSFER", to, amount, payload: {}, fee: 1_000, nowMs });
}

async function fillAll(over: Partial<BackfillDependencies> = {}): Promise<void> {
  const backfill = world.open(over);
  backfill.start();
  await pollUntil(() => backfill.view() === undefined, { what: `older blocks; ${world.said.join("\n")}` });
  await backfill.stop();
}

/** Everything that is read. */
function answersOf(chain: TestChain): unknown {
  return [readAll(chain.database, BEFORE + AFTER), explorerResponses(chain, BEFORE + AFTER)];
}

/** Everything as the whole chain answers it. */
function expectSame(): void {
  const joined = world.joined();
  expect(joined.database.blocks.firstHeight()).toBe(0);
  expectEqual(answersOf(joined), answers);
}

describe("a node that joined without older blocks", () => {
  it("fetches all of them, and answers as one that executed every block", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    await fillAll();
    expectSame();
    const rewards = Array.from({ length: BEFORE }, (_, height) => world.joined().database.explorer.transaction(`reward-${height}`)?.to);
    expect([9, 20, 30].map((height) => rewards[height])).toEqual([validator.pub, alice.pub, bob.pub]);
    expect(world.offences).toEqual([]);
    world.joined().close();
    const { count, findings } = checkFolder(world.joinedPath, { isFull: true, onProgress: () => undefined });
    expect(findings).toEqual([]);
    expect(count).toBe(0);
    world.reopen();
  });

  it("numbers the entries of accounts that rested since it joined as all others do, also when they move again", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    await fillAll();
    const histories = (): readonly unknown[] =>
      [world.joined(), world.whole].map(({ database: { explorer } }) => [
        explorer.historyPage(rested.pub, 10, 0),
        explorer.historyIds(rested.pub, 1, 9),
        explorer.hasWholeHistory(rested.pub),
      ]);
    const expectEntries = (entries: number): void => {
      const [joined, whole] = histories();
      expect(joined).toEqual(whole);
      expect(world.joined().database.explorer.historyIds(rested.pub, 1, 9)).toHaveLength(entries);
    };
    expectEntries(2);
    await world.commit([payment(1, rested.pub)]);
    expectEntries(3);
    // What is taken back and made again has the same number.
    const height = world.joined().executor.tip().height;
    world.joined().database.rollback(height - 1);
    const again = world.reopen();
    await again.applyBatch(world.whole.decidedAfter(height - 1));
    expectEntries(3);
    world.joined().close();
    expect(checkFolder(world.joinedPath, { isFull: true, onProgress: () => undefined }).findings).toEqual([]);
    world.reopen();
  });

  it("numbers them so too where all newer entries are taken back", async () => {
    makeWorld();
    await world.commit([payment(1, rested.pub)]);
    world.peers.set("honest", world.honest());
    await fillAll();
    const { height } = world.joined().executor.tip();
    world.joined().database.rollback(height - 1);
    const again = world.reopen();
    expect(again.database.explorer.historyPage(rested.pub, 10, 0)).toHaveLength(2);
    await again.applyBatch(world.whole.decidedAfter(height - 1));
    const idsOf = ({ database }: TestChain): readonly string[] => database.explorer.historyIds(rested.pub, 1, 9);
    expect(idsOf(again)).toEqual(idsOf(world.whole));
    expect(idsOf(again)).toHaveLength(3);
  });

  it("has the same where its own blocks are in files already, and where they come to be later", async () => {
    makeWorld();
    await sealTestChain(world.joined(), SEALED);
    world.joined().database.inTransaction(() => world.joined().database.blocks.removeSealed());
    world.peers.set("honest", world.honest());
    await fillAll();
    expectSame();
    await sealTestChain(world.joined(), { ...SEALED, depth: 1, maxBlocks: 3 });
    world.joined().database.inTransaction(() => world.joined().database.blocks.removeSealed());
    expectSame();
  });
});

/** What a peer that lies makes of what an honest one gives. */
const LIES: Readonly<Record<string, (honest: PlayedPeer) => Partial<PlayedPeer>>> = {
  "headers that do not lead to the own chain": ({ snapshot }) => ({
    snapshot: async (request) => {
      const response = decode(snapshotResponseCodec, await snapshot(request));
      if (response.kind !== "headers") return encode(snapshotResponseCodec, response);
      const headers = response.headers.map((header) => ({ ...header, timeMs: header.timeMs + 1 }));
      return encode(snapshotResponseCodec, { ...response, headers });
    },
  }),
  "fewer headers": ({ snapshot }) => ({
    snapshot: async (request) => {
      const response = decode(snapshotResponseCodec, await snapshot(request));
      return encode(snapshotResponseCodec, response.kind === "headers" ? { ...response, headers: response.headers.slice(1) } : response);
    },
  }),
  "receipts of other blocks": ({ snapshot }) => ({
    snapshot: async (request) => {
      const response = decode(snapshotResponseCodec, await snapshot(request));
      return encode(snapshotResponseCodec, response.kind === "receipts" ? { ...response, blocks: response.blocks.toReversed() } : response);
    },
  }),
  "receipts in another order": ({ snapshot }) => ({
    snapshot: async (request) => {
      const response = decode(snapshotResponseCodec, await snapshot(request));
      if (response.kind !== "receipts") return encode(snapshotResponseCodec, response);
      const blocks = response.blocks.map((receipts) => joinReceipts(splitReceipts(receipts).toReversed()));
      return encode(snapshotResponseCodec, { ...response, blocks });
    },
  }),
  "blocks that are cut off": ({ blocks }) => ({
    blocks: async (from, count) => (await blocks(from, count)).map((block) => ({ ...block, encoded: block.encoded.subarray(0, -1) })),
  }),
  "blocks with bytes behind them": ({ blocks }) => ({
    blocks: async (from, count) =>
      (await blocks(from, count)).map((block) => ({ ...block, encoded: concatBytes(block.encoded, Uint8Array.of(0)) })),
  }),
  "other blocks": ({ blocks }) => ({ blocks: (from, count) => blocks(from + 1, count) }),
  "a wallet with a made-up history": ({ light }) => ({
    light: async (request) => {
      if (request.kind === "told") return { kind: "told", json: JSON.stringify({ to: carol.pub }) };
      const response = await light(request);
      if (response.kind !== "history" || request.kind !== "history") return response;
      return { ...response, entryIds: response.entryIds.map((_, index) => `reward-${index + 1}`) };
    },
  }),
};

describe("peers that lie", () => {
  it.each(Object.keys(LIES))("are found, and believed in nothing: %s", async (name) => {
    makeWorld();
    const honest = world.honest();
    world.peers.set("liar", { ...honest, ...LIES[name]?.(honest) });
    const alone = world.open();
    alone.start();
    await pollUntil(() => world.offences.length > 0, { what: "the lie to be found" });
    await pollUntil(() => alone.view()?.state === "waiting", { what: "the node to wait for others" });
    expect(world.said.filter((line) => line.includes("once other nodes serve them"))).toHaveLength(1);
    await alone.stop();
    world.peers.set("honest", honest);
    await fillAll();
    expectSame();
    expect(new Set(world.offences)).toEqual(new Set(["liar lie"]));
  });

  it("do not hold it up where they do not answer, have nothing, or are gone", async () => {
    makeWorld();
    const honest = world.honest();
    const never = (): Promise<never> => new Promise(() => undefined);
    world.peers.set("silent", { ...honest, blocks: never, snapshot: never, light: never });
    world.peers.set("empty", {
      ...honest,
      blocks: () => Promise.resolve([]),
      snapshot: () => Promise.resolve(encode(snapshotResponseCodec, { kind: "unknown" })),
      light: () => Promise.resolve({ kind: "unknown" }),
    });
    world.peers.set("busy", { ...honest, snapshot: () => Promise.resolve(encode(snapshotResponseCodec, { kind: "busy" })) });
    world.peers.set("honest", honest);
    await fillAll();
    expectSame();
    expect(new Set(world.offences)).toEqual(new Set(["silent unresponsive"]));
  });

  it("are not asked without end where they give no receipts at all", async () => {
    makeWorld();
    const honest = world.honest();
    world.peers.set("empty", {
      ...honest,
      snapshot: async (request) => {
        const response = await honest.snapshot(request);
        return decode(snapshotResponseCodec, response).kind === "receipts"
          ? encode(snapshotResponseCodec, { kind: "receipts", blocks: [] })
          : response;
      },
    });
    const alone = world.open();
    alone.start();
    await pollUntil(() => alone.view()?.state === "waiting", { what: "the node to wait for others" });
    await alone.stop();
    world.peers.set("honest", honest);
    await fillAll();
    expectSame();
  });

  it("are asked for fewer blocks where they are too slow for so many", async () => {
    makeWorld();
    const honest = world.honest();
    const never = (): Promise<never> => new Promise(() => undefined);
    world.peers.set("slow", { ...honest, blocks: (from, count) => (count > 1 ? never() : honest.blocks(from, count)) });
    await fillAll();
    expectSame();
    expect(new Set(world.offences)).toEqual(new Set(["slow unresponsive"]));
  });

  it("are asked for what they do not prove ever more rarely", async () => {
    makeWorld();
    const honest = world.honest();
    world.peers.set("without wallets", { ...honest, light: () => Promise.resolve({ kind: "unknown" }) });
    const pauses: number[] = [];
    const { timers } = world.dependencies();
    const setTimer: Timers["setTimer"] = (ms, work) => {
      pauses.push(ms);
      return timers.setTimer(ms, work);
    };
    const alone = world.open({ timers: { setTimer } });
    alone.start();
    const longer = 8 * BACKFILL_LIMITS.lookMs;
    await pollUntil(() => pauses.includes(longer), { what: "longer pauses" });
    expect(pauses.indexOf(longer / 2)).toBeLessThan(pauses.indexOf(longer));
    await alone.stop();
    world.peers.set("honest", honest);
    await fillAll();
    expectSame();
  });

  it("are not asked for what their status does not announce", async () => {
    makeWorld();
    const honest = world.honest();
    const asked: number[] = [];
    const blocks: PlayedPeer["blocks"] = (from, count) => {
      asked.push(from);
      return honest.blocks(from, count);
    };
    world.peers.set("later", { ...honest, blocks, status: { ...honest.status, firstHeight: 20 } });
    const backfill = world.open();
    backfill.start();
    await pollUntil(() => backfill.view()?.state === "waiting", { what: "what the peer has" });
    // Nor for the header below its first block.
    expect(world.joined().database.blocks.firstHeight()).toBe(21);
    expect(Math.min(...asked)).toBe(21);
    for (const height of [21, 22, BEFORE])
      expect(world.joined().database.blocks.get(height)).toEqual(world.whole.database.blocks.get(height));
    expect(world.joined().database.blocks.get(20)).toBeUndefined();
    await backfill.stop();
  });
});

describe("how far it goes", () => {
  it("is what the node keeps: so many blocks, or days of the chain", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    const { blocks } = world.joined().database;
    const tip = blocks.tipHeight() ?? 0;
    await fillAll({ retain: { blocks: tip - 30 + 1 } });
    expect(blocks.firstHeight()).toBeGreaterThan(30 - 7);
    expect(blocks.firstHeight()).toBeLessThanOrEqual(30);
    const spanMs = (blocks.summary(tip)?.timeMs ?? 0) - (world.whole.database.blocks.summary(12)?.timeMs ?? 0);
    await fillAll({ retain: { days: spanMs / 86_400_000 } });
    expect(blocks.firstHeight()).toBeGreaterThan(12 - 7);
    expect(blocks.firstHeight()).toBeLessThanOrEqual(12);
    await fillAll();
    expectSame();
  });

  it("pauses while the node catches up", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    let isBusy = true;
    const backfill = world.open({ isBusy: () => isBusy });
    backfill.start();
    await pollUntil(() => backfill.view()?.state === "paused", { what: "the pause" });
    expect(world.requested).toBe(0);
    isBusy = false;
    await pollUntil(() => backfill.view() === undefined, { what: "older blocks" });
    await backfill.stop();
    expectSame();
  });

  it("leaves the room on the disk that the chain needs, and continues once there is more", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    const { reservedBytes } = BACKFILL_LIMITS;
    Object.assign(BACKFILL_LIMITS, { reservedBytes: Number.MAX_SAFE_INTEGER });
    const backfill = world.open();
    backfill.start();
    await pollUntil(() => backfill.view()?.reason?.includes("too little room"), { what: "the pause" });
    expect(backfill.view()?.state).toBe("paused");
    expect(world.requested).toBe(0);
    Object.assign(BACKFILL_LIMITS, { reservedBytes });
    await pollUntil(() => backfill.view() === undefined, { what: "older blocks" });
    await backfill.stop();
    expectSame();
  });

  it("waits for room on a full disk, says so once for each attempt, and continues", async () => {
    makeWorld();
    world.peers.set("honest", world.honest());
    const { thread } = world.dependencies();
    let full = 3;
    const call: BackfillThread["call"] = (method, ...input) => {
      if (method === "finish" && full > 0) {
        full -= 1;
        return Promise.reject(new CodedError("STORAGE_FULL", "The disk is full"));
      }
      return thread.call(method, ...input);
    };
    await fillAll({ thread: { ...thread, call } });
    expect(world.said.filter((line) => line.includes("could not be stored"))).toHaveLength(3);
    expectSame();
  });
});
