// Older blocks of a node that joined without them: whatever peers do, it has in the end what a node has that executed every block.
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkFolder } from "#node/engine/recovery/check/check-folder.ts";
import { BACKFILL_LIMITS } from "#node/sync/backfill/backfill-limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { explorerResponses } from "#test/support/chain/explorer-responses.ts";
import { bindingOf } from "#test/support/chain/ledger-payloads.ts";
import { mixedBlock } from "#test/support/chain/mixed-blocks.ts";
import { readAll } from "#test/support/chain/read-all.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createRandom } from "#test/support/host/random.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type BackfillWorld, createBackfillWorld } from "#test/support/worlds/backfill-world.ts";
import { alice, bob, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const BEFORE = 40;
const AFTER = 20;
const SEALED = { depth: 5, maxBlocks: 6, maxBytes: 1_000_000 };

let folder: TemporaryFolder;
let world: BackfillWorld;
let runs = 0;
const limits = { ...BACKFILL_LIMITS };

beforeAll(async () => {
  Object.assign(BACKFILL_LIMITS, { segmentBlocks: 7, batchBlocks: 3, bytesPerSecond: 1e9, restShare: 0 });
  folder = await createTemporaryFolder();
});
afterAll(async () => {
  Object.assign(BACKFILL_LIMITS, limits);
  await folder.remove();
});
afterEach(() => world.close());

/** Wallets of the validator change with some blocks. */
function transactionsOf(height: number): readonly Transaction[] {
  const nowMs = START_MS + 1_000 * height;
  const transactions = mixedBlock(height, createRandom(height));
  if (height === 10) return [...transactions, signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, alice), nowMs })];
  if (height === 24) return [...transactions, signed(validator, { type: "BIND_WALLET", payload: bindingOf(validator, bob), nowMs })];
  return transactions;
}

async function makeWorld(): Promise<void> {
  runs += 1;
  world = createBackfillWorld(
    join(folder.path, `run-${runs}`),
    Array.from({ length: BEFORE }, (_, index) => transactionsOf(index + 1)),
  );
  for (let height = BEFORE + 1; height <= BEFORE + AFTER; height += 1)
    await world.commit([...mixedBlock(height, createRandom(height)), payment(height)]);
}

/** One that is taken in at any time: a block without any would be made at another time. */
function payment(height: number): Transaction {
  const nowMs = world.whole.executor.tip().timeMs;
  return signed(alice, { type: "TRANSFER", to: bob.pub, amount: height, payload: {}, fee: 1_000, nowMs });
}

async function fillAll(): Promise<void> {
  const backfill = world.open();
  backfill.start();
  await pollUntil(() => backfill.view() === undefined, { what: `older blocks; ${world.said.join("\n")}` });
  await backfill.stop();
}

/** Everything that is read, as the whole chain answers it. */
function expectSame(): void {
  const [joined, tip] = [world.joined(), BEFORE + AFTER];
  expect(joined.database.blocks.firstHeight()).toBe(0);
  expect(readAll(joined.database, tip)).toEqual(readAll(world.whole.database, tip));
  expect(explorerResponses(joined, tip)).toEqual(explorerResponses(world.whole, tip));
}

describe("a node that joined without older blocks", () => {
  it("fetches all of them, and answers as one that executed every block", async () => {
    await makeWorld();
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

  it("has the same where its own blocks are in files already, and where they come to be later", async () => {
    await makeWorld();
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
