// Blocks written on another thread: the same rows as when they are written here, an end in order, and failures that are reported.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockMessage, blockOfMessage } from "#node/storage/chain/block-message.ts";
import { type BlockWriter, type BlockWriterDependencies, createBlockWriter } from "#node/storage/chain/block-writer.ts";
import type { StoredBlock } from "#node/storage/chain/stored-block.ts";
import { genesisHash } from "#shared/protocol/chain/genesis.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { expectIndexComplete, expectReplayable, expectStateConsistent } from "#test/support/chain/chain-invariants.ts";
import { databaseRows } from "#test/support/chain/database-rows.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { expectEqual } from "#test/support/host/expect-equal.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { workerOf } from "#test/support/host/worker-source.ts";
import { alice, bob, carol, GENESIS, signed } from "#test/support/worlds/ledger-world.ts";

const identity = { chainId: GENESIS.chain_id, genesisHash: genesisHash(GENESIS) };
const writerOf = (directory: string, parts: Partial<BlockWriterDependencies> = {}): BlockWriter =>
  createBlockWriter({ directory, identity, leastTransactions: 2, ...parts });
const transfers = (count: number, first: number): readonly Transaction[] =>
  Array.from({ length: count }, (_, i) => {
    const [from, to] = (first + i) % 2 === 0 ? [alice, carol] : [bob, alice];
    return { ...signed(from, { type: "TRANSFER", to: to.pub, amount: 1 + i, payload: {} }), id: `t-${first}-${i}` };
  });

/** The thread is there to take a block. */
async function untilReady(writer: BlockWriter): Promise<void> {
  await pollUntil(() => Promise.resolve(writer.takes(1_000) || undefined));
}

describe("the message of a block", () => {
  it("gives the block again", () => {
    const bytes = fc.uint8Array({ maxLength: 20 });
    const perhaps = fc.option(bytes, { nil: undefined });
    const change = fc.record({ namespace: fc.constantFrom("account", "supply"), key: bytes, before: perhaps, value: perhaps });
    const page = fc.record({ prefix: fc.stringMatching(/^[0-9a-f]{0,4}$/), before: fc.constant(undefined), after: perhaps });
    const block = fc.record({
      front: bytes,
      tail: bytes,
      commitRecord: bytes,
      groups: fc.array(bytes, { maxLength: 5 }),
      changes: fc.array(change, { maxLength: 60 }),
      pages: fc.array(page, { maxLength: 60 }),
      newValidators: fc.constantFrom(undefined, []),
      summary: fc.constant({ height: 1 }),
      index: fc.constant({}),
    }) as unknown as fc.Arbitrary<StoredBlock>;
    const property = fc.property(block, (stored) => {
      const { changes, pages, ...rest } = blockOfMessage(structuredClone(blockMessage(stored)));
      expect({ ...rest, changes: changes.map((one) => ({ ...one })), pages: pages.map((one) => ({ ...one })) }).toEqual(stored);
    });
    fc.assert(property, { seed: 20_261_123 });
  });
});

describe("blocks written on another thread", () => {
  it("leave the same rows as blocks written here, in any mixture", async () => {
    await using here = await createTemporaryFolder();
    await using there = await createTemporaryFolder();
    const writer = writerOf(there.path);
    const mixed = openTestChain(there.path, { verify: () => true, writer });
    const plain = openTestChain(here.path, { verify: () => true });
    await untilReady(writer);
    const inWorker: boolean[] = [];
    for (const [block, count] of [5, 1, 3, 3, 1, 1, 20, 2].entries()) {
      const transactions = transfers(count, block * 100);
      inWorker.push((await mixed.commitInWorker(transactions)).isInWorker);
      expect(plain.commit(transactions).header).toEqual(mixed.executor.tip().height === block + 1 ? tipHeader(mixed) : undefined);
    }
    expect(inWorker).toEqual([true, false, true, true, false, false, true, true]);
    expectStateConsistent(mixed.database);
    expectIndexComplete(mixed.database);
    expectReplayable(mixed.database, GENESIS);
    expect(mixed.executor.hasSeenId("t-600-19")).toBe(true);
    expect(mixed.executor.hasSeenId("t-600-20")).toBe(false);
    await writer.stop();
    mixed.close();
    plain.close();
    expectEqual(databaseRows(there.path), databaseRows(here.path));
  });

  it("are read by others only once they are durable, and the tip stays the old one until then", async () => {
    await using folder = await createTemporaryFolder();
    const writer = writerOf(folder.path);
    using chain = openTestChain(folder.path, { verify: () => true, writer });
    await untilReady(writer);
    const reported: number[] = [];
    chain.executor.onCommit(({ block }) => reported.push(block.header.height));
    const storing = chain.commitInWorker(transfers(4, 0));
    expect([chain.executor.tip().height, reported]).toEqual([0, []]);
    await storing;
    expect([chain.executor.tip().height, chain.database.blocks.tipHeight(), reported]).toEqual([1, 1, [1]]);
    await writer.stop();
  });

  it("end with a thread that rests, and begin again with the next large block", async () => {
    await using folder = await createTemporaryFolder();
    const diary = join(folder.path, "diary");
    const writer = writerOf(folder.path, {
      idleMs: 1,
      workerFile: workerOf(`
      import { appendFileSync } from "node:fs";
      const note = (word) => appendFileSync(${JSON.stringify(diary)}, word);
      note("begins ");
      parentPort.on("message", (request) => {
        if (request !== undefined) return;
        note("ends ");
        parentPort.close();
      });
    `),
    });
    const says = (text: string): Promise<unknown> =>
      pollUntil(() => existsSync(diary) && readFileSync(diary, "utf8") === text, { what: text });
    using chain = openTestChain(folder.path, { verify: () => true, writer });
    expect((await chain.commitInWorker(transfers(3, 0))).isInWorker).toBe(false);
    await says("begins ends ");
    expect(writer.takes(1)).toBe(false);
    expect(writer.takes(1_000)).toBe(false);
    await says("begins ends begins ends ");
    expect(chain.commit(transfers(1, 100)).header.height).toBe(2);
    await writer.stop();
    expect(writer.takes(1_000)).toBe(false);
    expect((await chain.commitInWorker(transfers(3, 200))).isInWorker).toBe(false);
  });

  it("fail as the storage says", async () => {
    await using folder = await createTemporaryFolder();
    const writer = writerOf(folder.path);
    using chain = openTestChain(folder.path, { verify: () => true, writer });
    await untilReady(writer);
    using other = openTestChain(folder.path, { verify: () => true });
    other.commit(transfers(1, 500));
    await expect(chain.commitInWorker(transfers(3, 0))).rejects.toMatchObject({ code: "INVARIANT" });
    expect(chain.executor.tip().height).toBe(0);
    await writer.stop();
  });

  it.each([
    ["throws", "parentPort.postMessage('ready'); parentPort.on('message', () => { throw new Error('boom'); });"],
    ["ends", "parentPort.postMessage('ready'); parentPort.on('message', () => process.exit(3));"],
  ])("fail when the thread %s", async (_name, source) => {
    await using folder = await createTemporaryFolder();
    const writer = writerOf(folder.path, { workerFile: workerOf(source) });
    using chain = openTestChain(folder.path, { verify: () => true, writer });
    await untilReady(writer);
    await expect(chain.commitInWorker(transfers(3, 0))).rejects.toMatchObject({ code: "INVARIANT" });
    expect(chain.executor.tip().height).toBe(0);
    await writer.stop();
  });
});

function tipHeader({ database, executor }: TestChain): unknown {
  return database.blocks.header(executor.tip().height);
}
