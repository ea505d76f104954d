// The explorer in PostgreSQL against the one of a node over SQLite: the same requests over the same chain get the same answers, and what the
// database cannot say is left to the node.
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { createExplorerQueries } from "#node/explorer/queries/explorer-queries.ts";
import { DatabaseExplorer } from "#node/gateway/public/explorer/database-explorer.ts";
import { ElsewhereError } from "#node/gateway/public/explorer/elsewhere-error.ts";
import { ExplorerFeeder } from "#node/gateway/public/explorer/explorer-feeder.ts";
import { blocksOfPage } from "#node/gateway/public/explorer/fed-blocks.ts";
import { GuardedReads } from "#node/gateway/public/explorer/guarded-reads.ts";
import { NODE_RESPONSE_BYTES } from "#node/gateway/public/gateway-limits.ts";
import type { ExplorerQueries } from "#node/queries/read-queries.ts";
import { type ChainFeed, type ChainFeedPage, openChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import type { ChainPosition } from "#node/storage/explorer/block-summary.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { withExplorer } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-writer.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { openPostgres, type PostgresDatabase } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { rewardId } from "#shared/protocol/transactions/transaction-id.ts";
import { PEOPLE, transactionOf } from "#test/support/chain/chain-traffic.ts";
import { CONTRACTS_GENESIS } from "#test/support/chain/contract-calls.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { answerFeed } from "#test/support/postgres/explorer-stores.ts";
import { runStatement, startTestPostgres, type TestPostgres } from "#test/support/postgres/test-postgres.ts";
import { alice, bob, CHAIN_ID, carol, START_MS, validator } from "#test/support/worlds/ledger-world.ts";

/** More than a page of the feed has. */
const BLOCKS = 90;
const STILL = { monotonicMs: (): number => 0 };
const EVERYONE = [...new Set([...PEOPLE, alice, bob, carol, validator].map(({ pub }) => pub))];

/** A chain with the feed that its node would give. */
interface FedChain {
  readonly chain: TestChain;
  readonly feed: ChainFeed;
  readonly queries: ExplorerQueries;
}

let postgres: TestPostgres;
let one: FedChain;
let fork: FedChain;
const opened: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  [postgres, one, fork] = await Promise.all([startTestPostgres(), openFedChain(1, BLOCKS), openFedChain(2, BLOCKS + 20)]);
});
afterAll(async () => {
  for (const close of opened.reverse()) await close();
  await postgres?.stop();
});

async function openFedChain(seed: number, blocks: number): Promise<FedChain> {
  const folder = await createTemporaryFolder();
  const chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
  const feed = openChainFeed(folder.path);
  opened.push(
    folder.remove,
    () => chain.close(),
    () => feed.close(),
  );
  const random = createRandom(seed);
  for (let height = 1; height <= blocks; height += 1) chain.commit(mixedBlock(height, random), START_MS + 1_000 * height);
  return { chain, feed, queries: createExplorerQueries(new Explorer(chain.database)) };
}

interface World {
  readonly address: string;
  readonly database: PostgresDatabase;
  readonly explorer: DatabaseExplorer;
  /** A process that feeds the database from what a node says. */
  feeder(read?: ChainFeed["read"]): ExplorerFeeder;
}

let world: World;

beforeEach(async () => {
  const address = await postgres.createDatabase();
  const database = openPostgres([address], () => undefined);
  await prepareMail(database, CHAIN_ID, new Uint8Array(32).fill(1));
  onTestFinished(() => database.close());
  const fail = (error: unknown): never => {
    throw error;
  };
  const reads = new ExplorerReads(database);
  world = {
    address,
    database,
    explorer: new DatabaseExplorer({
      reads,
      states: async () => [await reads.state()],
      guard: new GuardedReads({ clock: STILL, onError: fail }),
    }),
    feeder: (read = one.feed.read) =>
      new ExplorerFeeder({
        database,
        chainId: CHAIN_ID,
        links: { request: (path, { mostBytes = 0 }) => answerFeed(mostBytes > NODE_RESPONSE_BYTES ? path : "", read) },
        timers: systemTimers,
        onError: fail,
        onProgress: () => undefined,
      }),
  };
});

async function fill(feeder: ExplorerFeeder): Promise<void> {
  while (await feeder.round());
}

type Ask = (explorer: ExplorerQueries | DatabaseExplorer) => unknown;
type Request = readonly [name: string, ask: Ask];

const request = (name: string, ask: Ask): Request => [name, ask];

/** Requests of all kinds, each by its name. */
function requests({ database }: TestChain): readonly Request[] {
  const tip = database.blocks.tipHeight() ?? 0;
  const heights = Array.from({ length: tip + 1 }, (_, height) => height);
  const rewards = heights.map(rewardId).filter((id) => database.explorer.transaction(id) !== undefined);
  const ids = [...database.explorer.recentTransactions(10_000).map(({ id }) => id), ...rewards];
  const pages = [
    ...[{ limit: 20 }, { limit: 500 }, { limit: 7, before: 30 }],
    ...[
      { limit: 7, before: 3 },
      { limit: 5, before: 0 },
      { limit: 5, before: tip + 9 },
    ],
  ];
  return [
    request("netStats", (explorer) => explorer.netStats()),
    request("hours", (explorer) => explorer.chart({ resolution: "hour", limit: 48 })),
    request("hour", (explorer) => explorer.chart({ resolution: "hour", limit: 1 })),
    request("days", (explorer) => explorer.chart({ resolution: "day", limit: 48 })),
    ...pages.map((page) => request(`blocks ${JSON.stringify(page)}`, (explorer) => explorer.listBlocks(page))),
    ...heights.map((height) => request(`block ${height}`, (explorer) => explorer.getBlock(height))),
    ...heights.map((height) =>
      request(`hash of ${height}`, (explorer) => explorer.getBlockByHash(database.blocks.summary(height)?.hash ?? "")),
    ),
    ...[1, 20, 1_000].map((limit) => request(`recent ${limit}`, (explorer) => explorer.recentTransactions(limit))),
    ...ids.map((id) => request(`transaction ${id}`, (explorer) => explorer.getTransaction(id))),
    ...ids.map((id) => request(`v2 ${id}`, (explorer) => explorer.chainTransaction(id))),
    ...EVERYONE.flatMap((key) => accountRequests(key, tip)),
  ];
}

function accountRequests(key: string, tip: number): readonly Request[] {
  const ranges = [{}, { afterBlock: 3, beforeBlock: 20 }, { beforeBlock: 12 }, { afterBlock: tip - 9 }, { beforeBlock: tip + 50 }];
  const orders = ["asc", "desc"] as const;
  return [
    ...[0, 5, 2_000].map((offset) =>
      request(`history ${key} ${offset}`, (explorer) => explorer.accountHistory(key, { limit: 50, offset })),
    ),
    ...orders
      .flatMap((order) => ranges.map((range) => ({ limit: 30, order, ...range })))
      .map((range) => request(`feed ${key} ${JSON.stringify(range)}`, (explorer) => explorer.accountFeed(key, range))),
  ];
}

/** Every request gets the same text from both. */
async function expectSame({ chain, queries }: FedChain): Promise<void> {
  // However long this takes.
  await runStatement(world.address, "UPDATE explorer_feed SET current_at = now() + interval '1 hour' WHERE NOT has_conflict");
  for (const [name, ask] of requests(chain)) {
    const [mine, own] = [await ask(world.explorer), await ask(queries)];
    expect(`${name}: ${JSON.stringify(mine)}`).toBe(`${name}: ${JSON.stringify(own)}`);
  }
}

describe("the explorer of a database", () => {
  it("answers as the node does, after the first fill and block by block", async () => {
    const feeder = world.feeder();
    await fill(feeder);
    expect(feeder.added).toBe(BLOCKS + 1);
    const types = new Set(one.chain.database.explorer.typeTotals().keys());
    expect(types.size).toBeGreaterThan(15);
    expect(one.chain.database.explorer.recentTransactions(10_000).some(({ isOk }) => !isOk)).toBe(true);
    await expectSame(one);
    for (let n = 1; n <= 3; n += 1) {
      // Hours apart: charts get further buckets.
      const nowMs = START_MS + 7_200_000 * n;
      one.chain.commit([transactionOf([18, 0, 1, n], nowMs)], nowMs);
      expect(await feeder.round()).toBe(false);
    }
    expect(world.explorer.height).toBeLessThan(one.chain.database.blocks.tipHeight() ?? 0);
    await expectSame(one);
    expect(await world.explorer.currentHeight()).toBe(one.chain.database.blocks.tipHeight());
  });

  it("counts each block once, whoever of several processes adds it and is killed at it", async () => {
    // While one adds, another one asks its node nothing.
    const idle = world.feeder(() => expect.unreachable());
    const busy = world.feeder(async (position) => {
      expect(await idle.round()).toBe(false);
      return await one.feed.read(position);
    });
    await busy.round();
    expect(busy.added).toBeGreaterThan(0);
    // What has been added is not where the explorer ended before.
    const twice = withExplorer(world.database, async (explorer) => {
      const page = await one.feed.read(explorer.end);
      const addition = {
        blocks: blocksOfPage(page, CHAIN_ID, explorer.end),
        records: [],
        recordsHeight: page.tip.height,
        state: undefined,
      };
      await explorer.add(addition);
      await explorer.add(addition);
    });
    await expect(twice).rejects.toThrow("The explorer ends where it did when its lock was taken");
    const [first, second] = [world.feeder(), world.feeder()];
    await Promise.all([first.round(), second.round()]);
    expect(first.added + second.added).toBeGreaterThan(0);
    // The connection of one ends in the middle of its transaction.
    const killed = world.feeder(async (position) => {
      const page = await one.feed.read(position);
      await runStatement(
        world.address,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()",
      );
      return page;
    });
    await expect(killed.round()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await Promise.all([fill(first), fill(second)]);
    await fill(first);
    expect(killed.added).toBe(0);
    expect(first.added + second.added + busy.added).toBe((one.chain.database.blocks.tipHeight() ?? 0) + 1);
    await expectSame(one);
  });

  it("leaves the newest blocks to the node while it is behind, and nothing that is final", async () => {
    await fill(world.feeder());
    const tip = one.chain.database.blocks.tipHeight() ?? 0;
    const newest = (): readonly Promise<unknown>[] => [
      world.explorer.listBlocks({ limit: 3 }),
      world.explorer.netStats(),
      world.explorer.chart({ resolution: "hour", limit: 2 }),
      world.explorer.recentTransactions(3),
      world.explorer.accountHistory(alice.pub, { limit: 1, offset: 0 }),
      world.explorer.accountFeed(alice.pub, { limit: 3, order: "desc" }),
    ];
    const expectBehind = async (): Promise<void> => {
      expect(await placesOf(newest())).toEqual(new Set(["node"]));
      expect(await world.explorer.getBlock(tip)).toMatchObject({ index: tip });
      expect(await world.explorer.listBlocks({ limit: 3, before: tip + 1 })).toHaveLength(3);
      expect(await world.explorer.accountFeed(alice.pub, { limit: 3, order: "desc", beforeBlock: tip + 1 })).toHaveLength(3);
    };
    await runStatement(world.address, "UPDATE explorer_feed SET current_at = now() - interval '10 seconds'");
    await expectBehind();
    expect(await world.explorer.currentHeight()).toBeUndefined();
    await world.feeder().round();
    expect(await placesOf(newest())).toEqual(new Set(["database"]));
    world.explorer.noteShown(tip + 1);
    await expectBehind();
    await expect(world.explorer.getBlock(tip + 1)).rejects.toThrow(ElsewhereError);
    await expect(world.explorer.getTransaction("tx-unknown")).rejects.toThrow(ElsewhereError);
    await expect(world.explorer.accountHistory("ab".repeat(32), { limit: 1, offset: 0 })).rejects.toThrow(ElsewhereError);
  });

  it("says no balance of a node that was ahead of the blocks that are here", async () => {
    await world.feeder().round();
    await runStatement(world.address, "UPDATE explorer_feed SET current_at = now()");
    await expect(world.explorer.accountHistory(alice.pub, { limit: 1, offset: 0 })).rejects.toThrow(ElsewhereError);
    await expect(world.explorer.netStats()).rejects.toThrow(ElsewhereError);
  });

  it("shows nothing while the node has other blocks, be it ahead or behind", async () => {
    await fill(world.feeder());
    const forks = [fork.feed.read, async (): Promise<ChainFeedPage> => await behind(fork)];
    for (const read of forks) {
      await expect(world.feeder(read).round()).rejects.toMatchObject({ code: "STORAGE_FOREIGN" });
      await expect(world.explorer.getBlock(1)).rejects.toThrow(ElsewhereError);
      await world.feeder().round();
      expect(await world.explorer.getBlock(1)).toMatchObject({ index: 1 });
    }
    // One that says it agrees and gives blocks that do not follow changes nothing.
    const strange = (position: ChainPosition | undefined): Promise<ChainFeedPage> =>
      fork.feed.read(position && { ...position, hash: fork.chain.database.blocks.summary(position.height)?.hash ?? "" });
    await expect(world.feeder(strange).round()).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    await expectSame(one);
  });

  it("begins where the node does, says so of what is older, and of blocks that the node no longer has", async () => {
    const first = 20;
    const start = { height: first - 1, hash: one.chain.database.blocks.summary(first - 1)?.hash ?? "" };
    await fill(world.feeder(async (position) => ({ ...(await one.feed.read(position ?? start)), first })));
    const tip = one.chain.database.blocks.tipHeight() ?? 0;
    expect(await world.explorer.getBlock(first)).toEqual(await one.queries.getBlock(first));
    expect(await world.explorer.listBlocks({ limit: 20 })).toEqual(await one.queries.listBlocks({ limit: 20 }));
    const page = { limit: 5, offset: 0 };
    expect(await world.explorer.accountHistory(alice.pub, page)).toEqual(await one.queries.accountHistory(alice.pub, page));
    const [newest, above] = [
      { limit: 5, order: "desc" },
      { limit: 500, order: "asc", afterBlock: first - 1 },
    ] as const;
    for (const range of [newest, above])
      expect(await world.explorer.accountFeed(alice.pub, range)).toEqual(await one.queries.accountFeed(alice.pub, range));
    const missing = await placesOf([
      world.explorer.getBlock(first - 1),
      world.explorer.listBlocks({ limit: tip }),
      world.explorer.netStats(),
      world.explorer.chart({ resolution: "day", limit: 3 }),
      world.explorer.recentTransactions(10_000),
      world.explorer.accountHistory(alice.pub, { limit: 1_000, offset: 0 }),
      world.explorer.accountFeed(alice.pub, { limit: 1_000, order: "desc" }),
      world.explorer.accountFeed(alice.pub, { limit: 5, order: "asc" }),
      world.explorer.accountFeed(alice.pub, { limit: 5, order: "asc", beforeBlock: first }),
    ]);
    expect(missing).toEqual(new Set(["node"]));
    const pruned = async (): Promise<ChainFeedPage> => ({
      first: tip + 5,
      tip: { height: tip + 9, hash: "ab".repeat(32) },
      matches: true,
      blocks: [],
      records: [],
    });
    await expect(world.feeder(pruned).round()).rejects.toThrow(`holds the blocks from ${tip + 5} on`);
  });
});

/** Where each of these is answered. */
async function placesOf(asked: readonly Promise<unknown>[]): Promise<ReadonlySet<unknown>> {
  const outcomes = await Promise.allSettled(asked);
  return new Set(
    outcomes.map((outcome) => {
      if (outcome.status === "fulfilled") return "database";
      return outcome.reason instanceof ElsewhereError ? "node" : (outcome.reason as unknown);
    }),
  );
}

/** What a node with the first ten blocks of a chain says of what comes behind blocks that it does not have. */
async function behind({ chain }: FedChain): Promise<ChainFeedPage> {
  const tip = { height: 10, hash: chain.database.blocks.summary(10)?.hash ?? "" };
  return { first: 0, tip, matches: true, blocks: [], records: [] };
}
