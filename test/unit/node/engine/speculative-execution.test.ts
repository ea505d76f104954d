// Decided blocks that are executed before those under them are durable, and become durable together: the same chain as block by block.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { createBlockWriter } from "#node/storage/chain/block-writer.ts";
import { rootHex } from "#shared/protocol/chain/block.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { dumpState, expectIndexComplete, expectReplayable, expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { blocksArbitrary, transactionOf } from "#test/support/chain/chain-traffic.ts";
import { databaseRows } from "#test/support/chain/database-rows.ts";
import { commitOf, openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { alice, bob, GENESIS, START_MS, signed } from "#test/support/worlds/ledger-world.ts";

const identity = { chainId: GENESIS.chain_id, genesisHash: genesisHash(GENESIS) };
const pay = (id: string, amount: number, nowMs = START_MS): Transaction => ({
  ...signed(alice, { type: "TRANSFER", to: bob.pub, amount, payload: {}, nowMs }),
  id,
});

interface TwoChains {
  readonly source: TestChain;
  readonly target: TestChain;
  /** Compares every row of both. */
  expectSameRows(): void;
}

/** A chain, and an empty one of the same network, whose blocks another thread writes if wanted. */
async function twoChains(run: (chains: TwoChains) => Promise<void>, isThreaded = false): Promise<void> {
  await using sourceFolder = await createTemporaryFolder();
  await using targetFolder = await createTemporaryFolder();
  const directory = targetFolder.path;
  const writer = createBlockWriter({ directory, identity, leastTransactions: isThreaded ? 1 : Number.POSITIVE_INFINITY });
  using source = openTestChain(sourceFolder.path, { verify: () => true });
  using target = openTestChain(directory, { verify: () => true, writer });
  if (isThreaded) await pollUntil(() => Promise.resolve(writer.takes(1) || undefined));
  try {
    await run({ source, target, expectSameRows: () => expect(databaseRows(directory)).toEqual(databaseRows(sourceFolder.path)) });
  } finally {
    await writer.stop();
  }
}

describe("blocks executed speculatively", () => {
  it("leave the same rows as blocks that are committed one by one, however they are cut into batches", async () => {
    const batches = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat({ max: 4 })), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(blocksArbitrary, batches, async (blocks, cuts) => {
        await twoChains(async ({ source, target, expectSameRows }) => {
          // A block that holds nothing is none, so each holds a payment.
          for (const [n, steps] of blocks.entries())
            source.commit([pay(`payment-${n}`, n + 1), ...steps.map((step) => transactionOf(step))]);
          const decided = source.decidedAfter(0);
          for (const [count, further] of cuts) {
            const from = target.executor.tip().height;
            // What comes after it is executed on top of what is not durable yet, and again when its turn comes.
            target.executor.executeSpeculatively(decided.slice(from, from + count + further));
            expect(await target.applyBatch(decided.slice(from, from + count))).toBe(Math.min(count, decided.length - from));
            expect(target.executor.tip().hash).toBe(source.database.blocks.summary(target.executor.tip().height)?.hash);
            expectStateConsistent(target.database);
          }
          expect(await target.applyBatch(decided.slice(target.executor.tip().height))).toBeGreaterThanOrEqual(0);
          expectSameRows();
          expectReplayable(target.database, GENESIS);
          target.database.rollback(Math.max(0, decided.length - 3));
          source.database.rollback(Math.max(0, decided.length - 3));
          expect(dumpState(target.database)).toEqual(dumpState(source.database));
        });
      }),
      { seed: 20_261_121, numRuns: extent(3, 8) },
    );
  });

  it("become durable together on another thread, and are reported in order afterwards", async () => {
    await twoChains(async ({ source, target, expectSameRows }) => {
      for (let n = 0; n < 6; n += 1) source.commit([pay(`first-${n}`, 1), pay(`second-${n}`, 2)]);
      const decided = source.decidedAfter(0);
      const reported: string[] = [];
      target.executor.onCommit(({ block }) => reported.push(`${block.header.height} on ${target.executor.tip().height}`));
      const storing = target.applyBatch(decided.slice(0, 4));
      expect(target.executor.executeSpeculatively(decided.slice(4))).toHaveLength(2);
      expect([target.executor.tip().height, [...reported]]).toEqual([0, []]);
      await storing;
      expect([target.executor.tip().height, target.database.blocks.tipHeight()]).toEqual([4, 4]);
      expect(reported).toEqual(["1 on 4", "2 on 4", "3 on 4", "4 on 4"]);
      expect([target.executor.hasSeenId("first-3"), target.executor.hasSeenId("first-4")]).toEqual([true, false]);
      await target.applyBatch(decided.slice(4));
      expectIndexComplete(target.database);
      expectSameRows();
    }, true);
  });

  it("end at a block that its commit does not prove, or that follows none of them", async () => {
    await twoChains(async ({ source, target }) => {
      for (let n = 0; n < 4; n += 1) source.commit([pay(`tx-${n}`, 1)]);
      const [first, second, third, fourth] = source.decidedAfter(0) as [DecidedBlock, DecidedBlock, DecidedBlock, DecidedBlock];
      const unproven = { ...third, commit: { ...third.commit, bitmap: Uint8Array.of(0), signatures: [] } };
      expect(target.executor.executeSpeculatively([first, second, unproven, fourth])).toHaveLength(2);
      expect(target.executor.executeSpeculatively([fourth])).toHaveLength(0);
      expect(target.executor.executeSpeculatively([{ ...second, block: third.block }, third])).toHaveLength(0);
      expect(await target.applyBatch([first, second, third, fourth])).toBe(4);
    });
  });

  it("stop a node that finds a proven block invalid, and change nothing", async () => {
    await twoChains(async ({ source, target }) => {
      for (let n = 0; n < 2; n += 1) source.commit([pay(`tx-${n}`, 1)]);
      const [first, second] = source.decidedAfter(0) as [DecidedBlock, DecidedBlock];
      const block = { ...second.block, header: { ...second.block.header, stateRoot: "ee".repeat(32) } };
      const before = dumpState(target.database);
      expect(() => target.executor.executeSpeculatively([first, { block, commit: commitOf(block) }])).toThrow(/More than two thirds/u);
      expect([target.executor.tip().height, dumpState(target.database)]).toEqual([0, before]);
    });
  });

  it("see an id of an earlier one for two hours of block time, durable or not", async () => {
    await twoChains(async ({ source, target }) => {
      const { timeMs } = source.commit([pay("same", 1)]).header;
      const laterMs = timeMs + SEEN_WINDOW_MS;
      source.commit([pay("same", 2, laterMs)], laterMs);
      expect(await target.applyBatch(source.decidedAfter(0))).toBe(2);
    });
    await twoChains(async ({ source, target }) => {
      source.commit([pay("one", 1)]);
      source.commit([pay("two", 2)]);
      const [first, second] = source.decidedAfter(0) as [DecidedBlock, DecidedBlock];
      const transactions = [pay("one", 2)];
      const header = { ...second.block.header, txRoot: rootHex(transactions.map(encodeTransaction)) };
      const block = { ...second.block, header, transactions };
      expect(() => target.executor.executeSpeculatively([first, { block, commit: commitOf(block) }])).toThrow(
        /the id one is known already/u,
      );
    });
  });

  it("leave alone what is being stored, though its thread has stored it already and another copy of it arrives", async () => {
    await twoChains(async ({ source, target, expectSameRows }) => {
      for (let n = 0; n < 5; n += 1) source.commit([pay(`tx-${n}`, 1)]);
      const decided = source.decidedAfter(0);
      const storing = target.executor.apply(decided.slice(0, 1));
      target.executor.executeSpeculatively(decided.slice(1, 3));
      await storing;
      const storingNext = target.executor.apply(decided.slice(1, 3));
      expect(target.executor.tip().height).toBe(1);
      // This thread sees the rows of the other one, whose message it cannot have read.
      const signal = new Int32Array(new SharedArrayBuffer(4));
      for (let n = 0; n < 10_000 && target.database.blocks.tipHeight() !== 3; n += 1) Atomics.wait(signal, 0, 0, 1);
      expect(target.database.blocks.tipHeight()).toBe(3);
      const copies = source.decidedAfter(1);
      expect(target.executor.executeSpeculatively(copies.slice(0, 2))).toHaveLength(0);
      expect(target.executor.executeSpeculatively(copies.slice(2))).toHaveLength(2);
      await storingNext;
      await target.executor.apply(copies.slice(2));
      expectStateConsistent(target.database);
      expectSameRows();
    }, true);
  });

  it("are forgotten when another way leads to their height", async () => {
    await twoChains(async ({ source, target }) => {
      for (let n = 0; n < 3; n += 1) source.commit([pay(`tx-${n}`, 1)]);
      const decided = source.decidedAfter(0);
      const [first] = decided as [DecidedBlock];
      expect(target.executor.executeSpeculatively(decided)).toHaveLength(3);
      await target.executor.apply([{ ...first, block: { ...first.block } }]);
      await expect(target.executor.apply([first])).rejects.toMatchObject({ code: "INVARIANT" });
      expect(await target.applyBatch(decided.slice(1))).toBe(2);
      expectStateConsistent(target.database);
    });
  });
});
