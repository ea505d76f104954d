// Snapshots of a node whose old blocks are damaged: they cost no block, whatever their heights are read from.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Chain } from "#node/composition/chain.ts";
import { openSnapshots } from "#node/composition/network/snapshots.ts";
import { dataFolderPaths } from "#node/config/files/data-folder.ts";
import type { NodeConfig } from "#node/config/node-config.ts";
import { createLog } from "#node/observability/log.ts";
import { HISTORY_FOLDER } from "#node/storage/history/sealing/sealed-history.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { sealTestChain } from "#test/support/chain/sealed-chain.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { GENESIS } from "#test/support/worlds/ledger-world.ts";

const HEARTBEAT_MS = GENESIS.params.heartbeat_interval_ms;

function grow(chain: TestChain, to: number, endMs: number): void {
  for (let { height } = chain.executor.tip(); height < to; height += 1) chain.commit([], endMs - (to - height) * HEARTBEAT_MS);
}

it("a damaged old block keeps a node neither from its blocks nor from its start", async () => {
  await using folder = await createTemporaryFolder();
  using chain = openTestChain(folder.path);
  const nowMs = Date.now();
  grow(chain, 9, nowMs - HEARTBEAT_MS);
  await sealTestChain(chain, { depth: 1, maxBlocks: 8, maxBytes: 1_000_000 });
  expect(chain.database.blocks.sealedTo()).toBe(7);
  chain.database.inTransaction(() => chain.database.blocks.removeSealed());
  const file = join(folder.path, HISTORY_FOLDER, "0-7.seg");
  const bytes = readFileSync(file);
  // Every byte of the blocks; header, index and footer are as they were.
  bytes.fill(0, 58, bytes.length - 50 - 8 * 46);
  writeFileSync(file, bytes);
  expect(() => chain.database.blocks.header(5)).toThrow(/0-7\.seg is damaged at byte/);
  const dependencies = {
    folder: { paths: dataFolderPaths(folder.path), genesis: GENESIS, genesisHash: genesisHash(GENESIS) } as never,
    database: chain.database,
    chain: { executor: chain.executor } as unknown as Chain,
    reads: { readSnapshot: (): never => expect.fail("nothing is read") },
    log: createLog("json", { write: () => undefined } as never),
    rule: { every: 5, periodMs: 1 },
  };
  await using opened = new AsyncDisposableStack();
  const snapshots = openSnapshots({ p2p: { makesSnapshots: true } } as unknown as NodeConfig, dependencies, opened);
  // The height of the first one is missed at the start; it is made up for.
  await pollUntil(() => snapshots.figures().height === 5);
  grow(chain, 10, nowMs);
  await pollUntil(() => snapshots.figures().height === 10);
  expect(snapshots.figures()).toMatchObject({ made: 2, failed: 0 });
});
