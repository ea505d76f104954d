// Taking blocks out of the index and putting them in again gives the same answers, whatever the blocks held.
import { describe, expect, it } from "vitest";
import { createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { ContractExplorer } from "#node/explorer/contract-explorer.ts";
import { Explorer } from "#node/explorer/explorer.ts";
import { NodeExplorer } from "#node/explorer/node-explorer.ts";
import { createChannelQueries } from "#node/explorer/queries/channel-queries.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { CONTRACTS_GENESIS, callNative, deployEmpty } from "#test/support/chain/contract-calls.ts";
import { claimOf } from "#test/support/chain/ledger-payloads.ts";
import { commitNow, commitOf, openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, carol, deviceKey, GENESIS, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";

const START_S = START_MS / 1000;
const CHANNEL = "c1".repeat(16);
const OTHER_CHANNEL = "c2".repeat(16);

function responses({ database }: TestChain): unknown {
  const [explorer, contracts, nodes] = [new Explorer(database), new ContractExplorer(database), new NodeExplorer(database)];
  const all = contracts.list({ limit: 100 }).items;
  return {
    stats: explorer.netStats(),
    charts: [explorer.chart(1, 48), explorer.chart(24, 48)],
    histories: [alice, bob, carol, validator].map(({ pub }) => explorer.accountHistory(pub, { limit: 100, offset: 0 })),
    channels: [alice, bob, carol].map(({ pub }) => createChannelQueries(database).channels(pub, { limit: 100 })),
    contracts: all,
    wellKnown: contracts.wellKnown(100),
    logs: all.map(({ id }) => contracts.logs(id, { limit: 100, order: "desc" })),
    tokens: contracts.tokens({ limit: 100 }),
    nodes: [validator, bob].map(({ pub }) => nodes.nodeStats(pub, 3)),
    relays: nodes.relays({ limit: 100 }),
  };
}

describe("the index", () => {
  it("gives the results of every height again after a rollback, and takes the same blocks once more", async () => {
    const blocks: readonly (readonly Transaction[])[] = [
      [
        signed(bob, { type: "REGISTER_RELAY", payload: { x25519_pub_key: deviceKey(30), fee_per_msg_ut: 1 } }),
        callNative(alice, "tokens", "issue", { args: ["tea", "Tea", "TEA", 0, 9] }),
        deployEmpty(alice),
        signed(bob, { type: "OPEN_PAY_CHAN", to: carol.pub, amount: 5, payload: { channel_id: CHANNEL, expires_at: START_S + 2 } }),
      ],
      // Touches alice's account, who is neither sender nor recipient.
      [
        signed(bob, { type: "RELAY_PROOF", payload: { claims: [claimOf(alice, "env-1")] } }),
        callNative(bob, "tokens", "burn", { args: ["tea", 1] }),
      ],
      [
        callNative(alice, "tokens", "transfer", { args: ["tea", carol.pub, 4] }),
        deployEmpty(bob, { contract: "inn" }),
        deployEmpty(alice),
        signed(bob, { type: "CLOSE_PAY_CHAN", to: carol.pub, payload: { channel_id: CHANNEL, paid_ut: 0 } }),
        signed(alice, { type: "OPEN_PAY_CHAN", to: bob.pub, amount: 5, payload: { channel_id: OTHER_CHANNEL, expires_at: START_S + 99 } }),
      ],
    ];
    await using folder = await createTemporaryFolder();
    const seen: unknown[] = [];
    {
      using chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
      seen.push(responses(chain));
      for (const [i, block] of blocks.entries()) {
        chain.commit(block, START_MS + 1_000 * (i + 1));
        seen.push(responses(chain));
      }
    }
    expect(
      seen.map(
        (value) =>
          JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item)).split('"open"').length - 1,
      ),
    ).toEqual([0, 2, 2, 2]);
    for (const height of [2, 0, 1, 0]) {
      {
        using chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
        chain.database.rollback(height);
        expect([height, responses(chain)]).toEqual([height, seen[height]]);
      }
      using chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
      for (let next = height; next < blocks.length; next += 1) {
        chain.commit(blocks[next], START_MS + 1_000 * (next + 1));
        expect([next, responses(chain)]).toEqual([next, seen[next + 1]]);
      }
    }
    expect(
      new Set(seen.map((value) => JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? String(item) : item)))).size,
    ).toBe(4);
  });

  it("names the block that holds a transaction now, when the one that held it was taken back", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path);
    const { database, source } = chain;
    const explorer = new Explorer(database);
    const tx = signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} });
    const commitAt = (timeMs: number): void => {
      // Its own executor: one does not follow a rollback.
      const executor = createBlockExecutor({ database, genesis: GENESIS, source, verify: verifyZip215 });
      source.pending.splice(0, source.pending.length, tx);
      const { block } = executor.buildBlock({ timeMs, proposer: validator.pub });
      commitNow(executor, block, commitOf(block));
      const { blockHash, blockTimeMs } = explorer.getTransaction(tx.id) ?? {};
      expect([blockTimeMs, blockHash]).toEqual([timeMs, headerHash(block.header)]);
    };
    commitAt(START_MS + 1_000);
    database.rollback(0);
    expect(explorer.getTransaction(tx.id)).toBeUndefined();
    expect(() =>
      database.inTransaction(() => {
        commitAt(START_MS + 2_000);
        throw new Error("taken back");
      }),
    ).toThrow("taken back");
    expect(explorer.getTransaction(tx.id)).toBeUndefined();
    commitAt(START_MS + 3_000);
  });

  it("names the earliest of several contracts of one name, in the order of the block", async () => {
    await using folder = await createTemporaryFolder();
    using chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
    const deployments = Array.from({ length: 12 }, (_, i) => deployEmpty(i % 2 === 0 ? alice : bob, { version: String(i) }));
    chain.commit(deployments);
    const contracts = new ContractExplorer(chain.database);
    expect(contracts.wellKnown(100).find(({ name }) => name === "shop")).toMatchObject({ version: "0", deployedAt: 1 });
    const versions = contracts
      .list({ limit: 100 })
      .items.slice(4)
      .map(({ abiJson }) => (JSON.parse(abiJson) as { version: string }).version);
    expect(versions).toEqual(deployments.map((_, i) => String(i)));
    expect(contracts.list({ limit: 100, after: "0".repeat(16) })).toEqual({ items: [], next: undefined, total: 16 });
  });
});
