// A chain on disk through a change of its parameters: headers, limits of blocks, a restart, a second execution, a rollback.
import { expect, it } from "vitest";
import { replayFromGenesis } from "#node/engine/execution/replay-from-genesis.ts";
import { readParams, readPendingUpgrade } from "#node/ledger/records/params-records.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { firstParams, type ParamChanges, paramsHash, upgradedParams, upgradeOf } from "#shared/protocol/primitives/params.ts";
import type { PayloadOf } from "#shared/protocol/transactions/payload.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { type Actor, alice, bob, type Draft, GENESIS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const DAY_MS = 86_400_000;
const FIRST = firstParams(GENESIS.params);
const SET: ParamChanges = {
  min_fee_ut: 2_000,
  max_block_txs: 2_048,
  max_block_bytes: 1_048_576,
  max_block_gas: 50_000_000,
  heartbeat_interval_ms: 30_000,
  block_reward_ut: 40_000,
};
const CHANGED = upgradedParams(FIRST, upgradeOf(SET, undefined, 1));

const pay = (chain: TestChain, fee: number, sender: Actor = alice, to = bob.pub): Transaction =>
  signed(sender, { type: "TRANSFER", to, amount: 1, fee, payload: {}, nowMs: nextMs(chain) });
const nextMs = ({ executor }: TestChain): number => executor.tip().timeMs + 1_000;

/** Funds the only validator and has it approve a change: pending after block 2. */
function approve(chain: TestChain, change: Pick<PayloadOf<"UPGRADE">, "set" | "version"> = { set: SET }): Block {
  const fund: Draft<"TRANSFER"> = { type: "TRANSFER", to: validator.pub, amount: 1_000_000, payload: {}, nowMs: nextMs(chain) };
  chain.commit([signed(alice, fund)], nextMs(chain));
  const wish: Draft<"UPGRADE"> = { type: "UPGRADE", fee: 2_000, payload: { ...change, at_height: 4 }, nowMs: nextMs(chain) };
  return chain.commit([signed(validator, wish)], nextMs(chain));
}

it("a chain changes with the first block after a day, an empty one too, and every execution agrees", async () => {
  await using folder = await createTemporaryFolder();
  await using other = await createTemporaryFolder();
  const chain = openTestChain(folder.path);
  using follower = openTestChain(other.path);
  const approved = approve(chain);
  expect(approved.header).toMatchObject({ height: 2, paramsHash: paramsHash(FIRST) });
  expect(readPendingUpgrade(chain.executor.state)?.upgrade.atHeight).toBe(4);
  const late = chain.commit([], approved.header.timeMs + DAY_MS);
  expect(late.header.paramsHash).toBe(paramsHash(FIRST));
  expect(chain.executor.params).toEqual(CHANGED);
  const changed = chain.commit([], late.header.timeMs + CHANGED.heartbeat_interval_ms);
  expect(changed.header).toMatchObject({ height: 4, txCount: 0, paramsHash: paramsHash(CHANGED) });
  expect(changed.header.stateRoot).not.toBe(late.header.stateRoot);
  const block = chain.commit([pay(chain, 1_999), pay(chain, 2_000)], nextMs(chain));
  expect(block.transactions.map(({ fee }) => fee)).toEqual([2_000]);
  expect(chain.database.explorer.transaction("reward-5")?.amountUt).toBe(40_000 + 2_000);
  expect(await follower.applyBatch(chain.decidedAfter(0))).toBe(5);
  expect(follower.executor.tip().hash).toBe(chain.executor.tip().hash);
  for (const { isSame } of replayFromGenesis(chain.database, GENESIS)) expect(isSame).toBe(true);
  chain.close();
  using again = openTestChain(folder.path);
  expect(again.executor.params).toEqual(CHANGED);
  expect(readParams(again.executor.state, FIRST)).toEqual(CHANGED);
});

it("limits of the height hold for proposals of others too", async () => {
  await using folder = await createTemporaryFolder();
  await using other = await createTemporaryFolder();
  using chain = openTestChain(folder.path);
  using follower = openTestChain(other.path);
  const { header } = approve(chain);
  chain.commit([], header.timeMs + DAY_MS);
  await follower.applyBatch(chain.decidedAfter(0));
  const few = chain.executor.params.max_block_txs;
  expect(few).toBe(2_048);
  chain.source.pending.push(...Array.from({ length: few + 1 }, () => pay(chain, 2_000)));
  const { block } = chain.executor.buildBlock({ timeMs: nextMs(chain), proposer: validator.pub });
  expect(block.transactions).toHaveLength(few);
  expect(follower.executor.validateBlock(block)).toEqual({ isValid: true });
  const crowded = { ...block, transactions: [...block.transactions, pay(chain, 2_000)] };
  expect(follower.executor.validateBlock(crowded)).toEqual({ isValid: false, reason: "the block holds more than 2048 transactions" });
  const cheap = { ...block, transactions: [pay(chain, 1_000)] };
  expect(follower.executor.validateBlock(cheap)).toMatchObject({
    isValid: false,
    reason: expect.stringContaining("must be at least 2000"),
  });
  const early = follower.executor.buildBlock({ timeMs: nextMs(chain) + 28_000, proposer: validator.pub }).block;
  expect(chain.executor.validateBlock(early)).toEqual({ isValid: false, reason: "the block is empty and no heartbeat is due" });
}, 60_000);

it("a program that lacks the version of a height executes nothing of it, and one that has it continues in the same folder", async () => {
  await using folder = await createTemporaryFolder();
  await using other = await createTemporaryFolder();
  const version = Math.max(...KNOWN_VERSIONS) + 1;
  using chain = openTestChain(folder.path, { knownVersions: [...KNOWN_VERSIONS, version] });
  const { header } = approve(chain, { set: {}, version });
  const last = chain.commit([], header.timeMs + DAY_MS);
  expect(chain.executor.missingVersion?.()).toBeUndefined();
  const first = chain.commit([pay(chain, 1_000)], nextMs(chain));
  expect([last, first].map((block) => block.header.version)).toEqual([FIRST.version, version]);
  const behind = openTestChain(other.path);
  expect(await behind.applyBatch(chain.decidedAfter(0))).toBe(3);
  expect(behind.executor.missingVersion?.()).toBe(version);
  const refusal = { isValid: false, reason: `this program lacks version ${version} of the rules` };
  expect(behind.executor.validateBlock(first)).toEqual(refusal);
  behind.close();
  using updated = openTestChain(other.path, { knownVersions: [...KNOWN_VERSIONS, version] });
  expect(await updated.applyBatch(chain.decidedAfter(3))).toBe(1);
  expect(updated.executor.tip().hash).toBe(chain.executor.tip().hash);
  for (const { isSame } of replayFromGenesis(updated.database, GENESIS)) expect(isSame).toBe(true);
});
