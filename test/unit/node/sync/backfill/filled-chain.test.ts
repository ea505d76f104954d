// What is done with a chain whose older blocks came from others: its index is made again, it is copied while they come, and it serves light
// nodes, all as one that executed every block.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { backupFolder } from "#node/engine/recovery/backup-folder.ts";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { reindexFolder } from "#node/explorer/reindex/reindex-folder.ts";
import { type ChainRequest, LightReads } from "#node/light/server/light-reads.ts";
import { openChainReader } from "#node/storage/chain/chain-reader.ts";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import { PEOPLE } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { explorerResponses } from "#test/support/chain/explorer-responses.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type BackfillWorld, createBackfillWorld, openBackfillWorld, type PlayedPeer } from "#test/support/worlds/backfill-world.ts";
import { alice, bob, signed, validator } from "#test/support/worlds/ledger-world.ts";

const BEFORE = 28;
const AFTER = 12;
const TIP = BEFORE + AFTER;
/** Blocks of a light node's request. */
const SERVED = 8;

let folder: TemporaryFolder;
let world: BackfillWorld;
let runs = 0;
const limits = { ...BACKFILL_LIMITS };

beforeAll(async () => {
  Object.assign(BACKFILL_LIMITS, { segmentBlocks: 7, batchBlocks: 3, bytesPerSecond: 1e9, restShare: 0 });
  folder = await createTemporaryFolder();
  await makeOriginal();
});
afterAll(async () => {
  Object.assign(BACKFILL_LIMITS, limits);
  await folder.remove();
});
afterEach(() => world.close());

/** Made once; each test has a copy of it. */
async function makeOriginal(): Promise<void> {
  const before = Array.from({ length: BEFORE }, (_, index) => mixedBlock(index + 1, createRandom(index + 1)));
  world = createBackfillWorld(join(folder.path, "made"), before);
  for (let height = BEFORE + 1; height <= TIP; height += 1) await world.commit([...mixedBlock(height, createRandom(height)), pay(height)]);
  world.close();
}

function makeWorld(): void {
  runs += 1;
  const path = join(folder.path, `run-${runs}`);
  cpSync(join(folder.path, "made"), path, { recursive: true });
  world = openBackfillWorld(path);
}

/** One that is taken in at any time: a block without any would be made at another time. */
function pay(amount: number): Transaction {
  const { timeMs: nowMs } = world.whole.executor.tip();
  return signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {}, fee: 1_000, nowMs });
}

async function fillAll(peer: PlayedPeer = world.honest()): Promise<void> {
  world.peers.set("peer", peer);
  const backfill = world.open();
  backfill.start();
  await pollUntil(() => backfill.view() === undefined, { what: `older blocks; ${world.said.join("\n")}` });
  await backfill.stop();
}

const findings = (path: string): unknown => checkFolder(path, { isFull: true, onProgress: () => undefined }).findings;

/** Everything that is read, as the whole chain answers it. */
function expectSame(): void {
  const [joined, whole] = [world.joined(), world.whole];
  expectEqual(readAll(joined.database, TIP), readAll(whole.database, TIP));
  expectEqual(explorerResponses(joined, TIP), explorerResponses(whole, TIP));
}

/** What light nodes ask for of every block, transaction and history. */
function requestsOfAll(): readonly ChainRequest[] {
  const heights = Array.from({ length: TIP + 1 }, (_, height) => height);
  const ofBlocks = heights.flatMap((height): readonly ChainRequest[] => [
    { kind: "block", height, knownSet: null },
    { kind: "header", height },
    { kind: "body", height },
    { kind: "blocks", from: height, count: SERVED },
  ]);
  const ids = heights.flatMap((height) => world.whole.database.blocks.get(height)?.block.transactions.map(({ id }) => id) ?? []);
  const accounts = [...PEOPLE, alice, bob, validator].map(({ pub }) => pub);
  const ofHistories = accounts.flatMap((account) =>
    [1, 2, 5, 30].map((last): ChainRequest => ({ kind: "history", account, last, count: Math.min(last, 3) })),
  );
  return [...ofBlocks, ...ids.map((id): ChainRequest => ({ kind: "transaction", id })), ...ofHistories];
}

describe("a chain whose older blocks came from others", () => {
  it("has its index made again, and the files that find old blocks behind it", async () => {
    makeWorld();
    await fillAll();
    world.joined().close();
    expect(reindexFolder(world.joinedPath).blocks).toBe(TIP + 1);
    expect(findings(world.joinedPath)).toEqual([]);
    world.reopen();
    expectSame();
    const { history } = world.joined().database;
    expect(history.runs.runs("ids")).toEqual([]);
    await sealTestChain(world.joined(), { depth: 5, maxBlocks: 6, maxBytes: 1_000_000 });
    world.joined().database.inTransaction(() => world.joined().database.blocks.removeSealed());
    expect(history.runs.runs("ids")[0]?.first).toBe(0);
    expectSame();
    world.joined().close();
    expect(findings(world.joinedPath)).toEqual([]);
    world.reopen();
  });

  it("is copied at any moment while they come, and each copy is a folder that fetches the rest", async () => {
    makeWorld();
    const honest = world.honest();
    const copies: string[] = [];
    const copy = (): void => {
      const out = join(folder.path, `copy-${runs}-${copies.length}`);
      expect(backupFolder(world.joinedPath, out, { hasKeys: false })).toEqual({ height: TIP });
      copies.push(out);
    };
    // With each request a segment is under way, or was named a moment ago.
    const blocks: PlayedPeer["blocks"] = (from, count) => {
      if (from % 4 === 0) copy();
      return honest.blocks(from, count);
    };
    await fillAll({ ...honest, blocks });
    copy();
    const firsts = copies.map((path) => {
      expect(findings(path)).toEqual([]);
      const reader = openChainReader(path);
      const first = reader.blocks.firstHeight();
      for (let height = first; height <= TIP; height += 1)
        expect(reader.blocks.encodedBlock(height)).toEqual(world.whole.database.blocks.encodedBlock(height));
      reader.close();
      return first;
    });
    expect(new Set(firsts).size).toBeGreaterThan(3);
    expect(firsts.at(-1)).toBe(0);
    using last = openTestChain(copies.at(-1) ?? "", { genesis: CONTRACTS_GENESIS });
    expectEqual(readAll(last.database, TIP), readAll(world.whole.database, TIP));
  });

  it("serves light nodes what one serves that executed every block, also through a connection that was there before", async () => {
    makeWorld();
    const requests = requestsOfAll();
    const [joined, whole] = [world.joinedPath, world.wholePath].map((path) => openChainReader(path));
    if (joined === undefined || whole === undefined) throw new Error("There are two folders");
    const [own, other] = [new LightReads(joined), new LightReads(whole)];
    const lacking = requests.filter((request) => !equalBytes(own.respond(request), other.respond(request)));
    expect(lacking.length).toBeGreaterThan(BEFORE);
    await fillAll();
    for (const request of requests) expect(own.respond(request), JSON.stringify(request)).toEqual(other.respond(request));
    expect(requests.length).toBeGreaterThan(200);
    joined.close();
    whole.close();
  });
});
