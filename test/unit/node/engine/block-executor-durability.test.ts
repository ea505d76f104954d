import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NAMESPACES } from "#node/ledger/state-view.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import { toHex } from "#shared/util/bytes.ts";
import {
  dumpState,
  expectIndexComplete,
  expectReplayable,
  expectStateConsistent,
  expectSupplyConserved,
} from "#test/support/chain/chain-invariants.ts";
import { blocksArbitrary, transactionOf } from "#test/support/chain/chain-traffic.ts";
import { openTestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { extent, isWhole } from "#test/support/host/test-extent.ts";
import { alice, bob, GENESIS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const WRITER = fileURLToPath(new URL("./crash-writer.ts", import.meta.url));
const SEED = 4_711;
/** Blocks that a writer reports before it is killed, one writer after the other. */
const KILLS = isWhole ? [1, 19, 8, 15, 12, 5] : [1, 29, 40];

describe("chain on disk", () => {
  it("conserves the supply, keeps pages, records and index in step, and is the same when executed again", async () => {
    await fc.assert(
      fc.asyncProperty(blocksArbitrary, async (blocks) => {
        await using folder = await createTemporaryFolder();
        using chain = openTestChain(folder.path, { verify: () => true });
        for (const steps of blocks) chain.commit(steps.map((step) => transactionOf(step)));
        expectSupplyConserved(chain.database);
        expectStateConsistent(chain.database);
        expectIndexComplete(chain.database);
        expectReplayable(chain.database, GENESIS);
      }),
      { seed: SEED, numRuns: extent(8, 25) },
    );
  });

  it("has in memory what is on disk, whichever of several candidates was committed", async () => {
    await fc.assert(
      fc.asyncProperty(blocksArbitrary, async (blocks) => {
        await using folder = await createTemporaryFolder();
        using chain = openTestChain(folder.path, { verify: () => true });
        for (const steps of blocks) {
          const transactions = steps.map((step) => transactionOf(step));
          chain.source.pending.push(...transactions);
          chain.executor.buildBlock({ timeMs: chain.executor.tip().timeMs + 1, proposer: validator.pub });
          chain.source.remove(transactions.map((tx) => tx.id));
          chain.commit(transactions.slice(1));
          for (const namespace of NAMESPACES) {
            for (const { key, value } of chain.database.state.scan(namespace))
              expect(toHex(chain.executor.state.get(namespace, key) ?? new Uint8Array(0))).toBe(toHex(value));
          }
        }
        expectStateConsistent(chain.database);
      }),
      { seed: SEED, numRuns: extent(5, 15) },
    );
  });

  it("is after a rollback what it was before the blocks, and continues from there", async () => {
    await fc.assert(
      fc.asyncProperty(blocksArbitrary, fc.nat({ max: 8 }), async (blocks, depth) => {
        await using folder = await createTemporaryFolder();
        const chain = openTestChain(folder.path, { verify: () => true });
        const states = [dumpState(chain.database)];
        const committed = blocks.map((steps) => {
          const block = chain.commit(steps.map((step) => transactionOf(step)));
          states.push(dumpState(chain.database));
          return block;
        });
        const target = Math.max(0, committed.length - depth);
        chain.database.rollback(target);
        chain.close();
        using reopened = openTestChain(folder.path, { verify: () => true });
        expect(dumpState(reopened.database)).toEqual(states[target]);
        expect(reopened.executor.tip().height).toBe(target);
        expectStateConsistent(reopened.database);
        expectIndexComplete(reopened.database);
        for (const block of committed.slice(target)) {
          expect(reopened.commit(block.transactions, block.header.timeMs).header).toEqual(block.header);
        }
        expectIndexComplete(reopened.database);
      }),
      { seed: SEED, numRuns: extent(7, 20) },
    );
  });

  it("can be rolled back a hundred blocks and no further", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path, { verify: () => true });
    const states: (readonly string[])[] = [dumpState(chain.database)];
    for (let n = 0; n < 105; n += 1) {
      chain.commit([signed(alice, { type: "TRANSFER", to: bob.pub, amount: n, payload: {} })]);
      states.push(dumpState(chain.database));
    }
    expect(() => chain.database.rollback(4)).toThrow("Block 5 is too old to be rolled back");
    expect(dumpState(chain.database)).toEqual(states[105]);
    chain.database.rollback(5);
    expect(dumpState(chain.database)).toEqual(states[5]);
  });

  it("forgets ids two hours of block time later, but never those that a rollback can bring back", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path, { verify: () => true });
    const first = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });
    const { timeMs } = chain.commit([first]).header;
    chain.commit([], timeMs + SEEN_WINDOW_MS);
    expect(chain.executor.hasSeenId(first.id)).toBe(false);
    chain.database.rollback(1);
    expect(chain.database.seenIds.has(first.id, timeMs + 1)).toBe(true);
    chain.database.rollback(0);
    expect(chain.database.seenIds.has(first.id, timeMs + 1)).toBe(false);
  });

  it.each([
    ["survives a kill at any moment", "here"],
    ["survives one while another thread writes", "worker"],
    ["survives one while batches of blocks are written and the next is executed", "speculative"],
  ])("%s: every block that was reported is there, and the rest is whole", async (_name, mode) => {
    await using folder = await createTemporaryFolder();
    const reported = new Map<number, string>();
    let asMeant = 0;
    for (const killAfter of KILLS) {
      const writer = spawn(process.execPath, [WRITER, folder.path, mode], { stdio: ["ignore", "pipe", "inherit"] });
      const exited = once(writer, "exit");
      let lines = 0;
      for await (const line of createInterface({ input: writer.stdout })) {
        const [height = "", root = "", where] = line.split(" ");
        asMeant += Number(where === mode);
        reported.set(Number(height), root);
        lines += 1;
        if (lines === killAfter) writer.kill("SIGKILL");
      }
      await exited;
      using chain = openTestChain(folder.path, { verify: () => true });
      expect(chain.executor.tip().height).toBeGreaterThanOrEqual(Math.max(...reported.keys()));
      for (const [height, root] of reported) expect(chain.database.blocks.summary(height)?.stateRoot).toBe(root);
      expectStateConsistent(chain.database);
      expectIndexComplete(chain.database);
      expectSupplyConserved(chain.database);
    }
    using chain = openTestChain(folder.path, { verify: () => true });
    expectReplayable(chain.database, GENESIS);
    expect(reported.size).toBeGreaterThan(50);
    expect(asMeant).toBeGreaterThan(50);
  });
});
