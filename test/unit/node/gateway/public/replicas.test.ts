// The explorer read at a replica: never older than what clients know, and at the primary while the replica is behind or away.
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { systemTimers } from "#node/config/system-clock.ts";
import { DatabaseExplorer } from "#node/gateway/public/explorer/database-explorer.ts";
import { ExplorerFeeder } from "#node/gateway/public/explorer/explorer-feeder.ts";
import { GuardedReads } from "#node/gateway/public/explorer/guarded-reads.ts";
import { Replicas } from "#node/gateway/public/explorer/replicas.ts";
import { StateExplorer } from "#node/gateway/public/explorer/state-explorer.ts";
import { openChainFeed } from "#node/storage/chain/feed/chain-feed.ts";
import { ExplorerReads } from "#node/storage/mailbox/sharing/postgres/explorer/explorer-reads.ts";
import { StateReads } from "#node/storage/mailbox/sharing/postgres/explorer/state-reads.ts";
import { prepareMail } from "#node/storage/mailbox/sharing/postgres/mail/mail-settings.ts";
import { openPostgres } from "#node/storage/mailbox/sharing/postgres/postgres-database.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { answerFeed } from "#test/support/postgres/explorer-stores.ts";
import { runStatement, startTestPair, type TestPair } from "#test/support/postgres/test-postgres.ts";
import { alice, CHAIN_ID, START_MS } from "#test/support/worlds/ledger-world.ts";

let pair: TestPair;

beforeAll(async () => {
  pair = await startTestPair();
});
afterAll(() => pair.stop());

it("serves blocks, contracts and tokens, and no client sees it end, fall behind or come back", async () => {
  const folder = await createTemporaryFolder();
  const chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
  const feed = openChainFeed(folder.path);
  onTestFinished(async () => {
    feed.close();
    chain.close();
    await folder.remove();
  });
  const address = await pair.primary.createDatabase();
  const follower = pair.standby.addressOf(new URL(address).pathname.slice(1));
  const database = openPostgres([address], () => undefined);
  onTestFinished(() => database.close());
  await prepareMail(database, CHAIN_ID, new Uint8Array(32).fill(1));
  const errors: string[] = [];
  const onError = (error: unknown): never => {
    throw error;
  };
  const feeder = new ExplorerFeeder({
    ...{ database, chainId: CHAIN_ID, timers: systemTimers, onError, onProgress: (): void => undefined },
    links: { request: (path) => answerFeed(path, feed.read) },
  });
  const guard = new GuardedReads({ clock: { monotonicMs: (): number => 0 }, onError });
  const replicas = new Replicas({
    ...{ chainId: CHAIN_ID, primary: database, addresses: [follower], timers: systemTimers, shown: (): number => guard.shown },
    onError: (_, what) => void errors.push(what),
  });
  onTestFinished(() => replicas.close());
  const reads = new ExplorerReads(replicas);
  const explorer = new DatabaseExplorer({ reads, states: () => replicas.states(), guard });
  const state = new StateExplorer({ sources: { reads, state: new StateReads(replicas) }, guard });
  let height = 0;
  const commit = async (): Promise<void> => {
    height += 1;
    chain.commit([callNative(alice, "nfts", "mint", { args: [`thing-${height}`, "Thing", ""] })], START_MS + 1_000 * height);
    while (await feeder.round());
  };
  /** All reads give the newest block; where the statements ran. */
  const placesOfReads = async (): Promise<readonly string[]> => {
    // Of a test that stands still the node has no newer block. The standby that this would wait for may be away.
    await runStatement(
      address,
      "SET synchronous_commit = off; UPDATE explorer_feed SET current_at = clock_timestamp() + interval '10 minutes'",
    );
    const before = { ...replicas.counts };
    expect((await explorer.listBlocks({ limit: 1 }))[0]?.index).toBe(height);
    expect(await explorer.getBlock(height)).toMatchObject({ index: height });
    expect(await state.contracts.nft(`thing-${height}`)).toMatchObject({ name: "Thing" });
    expect((await state.contracts.nfts({ limit: 500 })).items).toHaveLength(height);
    return (["replica", "primary"] as const).filter((place) => replicas.counts[place] > before[place]);
  };
  const expectPlace = (place: string, what: string): Promise<unknown> =>
    pollUntil(async () => (await placesOfReads()).join() === place, { what });

  await commit();
  await expectPlace("replica", "the replica to be read");
  expect([replicas.usable, errors]).toEqual([1, []]);

  // It stands still: pushes wait for it as long as it is read, and what clients know already is read at the primary.
  await runStatement(follower, "SELECT pg_wal_replay_pause()");
  const shown = height;
  await commit();
  const seen = await explorer.currentHeight();
  expect([shown, height]).toContain(seen);
  guard.noteShown(height);
  expect(await placesOfReads()).toContain("primary");
  await runStatement(follower, "SELECT pg_wal_replay_resume()");
  await pollUntil(async () => (await explorer.currentHeight()) === height, { what: "the replica to follow" });
  await expectPlace("replica", "the replica to be read again");

  await pair.standby.kill();
  expect(await placesOfReads()).toContain("primary");
  await expectPlace("primary", "the primary to be read alone");
  expect(replicas.usable).toBe(0);
  expect(errors).toContain("A replica is away: what it would say is read at the primary");
  expect(await explorer.currentHeight()).toBe(height);
  await pair.standby.restart();
  await expectPlace("replica", "the replica to be back");
  await commit();
  await pollUntil(async () => (await explorer.currentHeight()) === height, { what: "the replica to have the next block" });
  await expectPlace("replica", "the replica to be read with it");
});

it("never is a database of another chain, however current its blocks are", async () => {
  const [mine, others] = [await pair.primary.createDatabase(), await pair.primary.createDatabase()];
  for (const [address, chainId] of [
    [mine, CHAIN_ID],
    [others, "another-chain"],
  ] as const) {
    const database = openPostgres([address], () => undefined);
    await prepareMail(database, chainId, new Uint8Array(32).fill(1));
    await database.close();
  }
  await runStatement(others, "UPDATE explorer_feed SET first = 0, height = 7, hash = '\\x07', current_at = now() + interval '10 minutes'");
  const primary = openPostgres([mine], () => undefined);
  onTestFinished(() => primary.close());
  const errors: unknown[] = [];
  const replicas = new Replicas({
    ...{ chainId: CHAIN_ID, primary, addresses: [others], timers: systemTimers, shown: (): number => 0 },
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => replicas.close());
  await pollUntil(() => errors.length > 0, { what: "the database to be refused" });
  expect(errors).toEqual([expect.objectContaining({ code: "STORAGE_FOREIGN" })]);
  expect([replicas.usable, await new ExplorerReads(replicas).state(), replicas.counts]).toEqual([0, undefined, { replica: 0, primary: 1 }]);
});
