// Large transactions beside payments: what the pool takes, and what the blocks of a real chain hold of it over time.
import { describe, expect, it } from "vitest";
import { type BlockExecutor, createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import { LARGE_BYTES_BURST, LARGE_BYTES_PER_S, largeBytes } from "#node/engine/execution/selection/payload-budget.ts";
import { Mempool } from "#node/mempool/mempool.ts";
import { MEMPOOL_LIMITS } from "#node/mempool/mempool-limits.ts";
import { openChainDatabase } from "#node/storage/chain/chain-database.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { MAX_WASM_BYTES } from "#shared/protocol/primitives/limits.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import { verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { deployPadded } from "#test/support/chain/contract-calls.ts";
import { commitNow, commitOf } from "#test/support/chain/test-chain.ts";
import { createTemporaryFolder } from "#test/support/host/temporary-folder.ts";
import {
  type Actor,
  actor,
  alice,
  bob,
  CHAIN_ID,
  GENESIS,
  START_MS,
  signed,
  TEST_VM,
  validator,
} from "#test/support/worlds/ledger-world.ts";

const AUTHORS = Array.from({ length: 12 }, (_, index) => actor(100 + index));
const RICH: Genesis = {
  ...GENESIS,
  accounts: [...GENESIS.accounts, ...AUTHORS.map(({ pub }) => ({ pub_key: pub, balance_ut: 100_000_000 }))],
};
const NOW = START_MS + 1_000;
const pay = (from: Actor, amount: number, fee = 1_000): Transaction =>
  signed(from, { type: "TRANSFER", to: bob.pub, amount, payload: {}, fee });
const author = (index: number): Actor => AUTHORS[index] ?? alice;

/** A node's pool on its chain, of which it is the sole validator. */
class Node implements Disposable {
  readonly executor: BlockExecutor;
  readonly pool: Mempool;
  readonly #close: () => void;

  constructor(folder: string) {
    const database = openChainDatabase(folder, { chainId: CHAIN_ID, genesisHash: genesisHash(RICH) });
    const node = this;
    this.pool = new Mempool(
      {
        chainId: CHAIN_ID,
        params: firstParams(RICH.params),
        vm: TEST_VM,
        get state() {
          return node.executor.state;
        },
        tip: (): ReturnType<BlockExecutor["tip"]> => node.executor.tip(),
        hasSeenId: (id): boolean => node.executor.hasSeenId(id),
      },
      { verify: verifyZip215 },
    );
    this.executor = createBlockExecutor({ database, genesis: RICH, source: this.pool, verify: verifyZip215, vm: TEST_VM });
    this.executor.onCommit((committed) => this.pool.removeCommitted(committed, committed.block.header.timeMs));
    this.#close = (): void => database.close();
  }

  async submit(...transactions: readonly Transaction[]): Promise<void> {
    for (const tx of transactions) await this.pool.submit(tx, NOW);
  }

  /** Code and status of the refusal of a submission. */
  async refusal(tx: Transaction): Promise<string> {
    const error: unknown = await this.pool.submit(tx, NOW).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return error instanceof CodedError ? `${error.code} ${error.status}` : "accepted";
  }

  commit(timeMs: number): Block {
    const { block } = this.executor.buildBlock({ timeMs, proposer: validator.pub });
    commitNow(this.executor, block, commitOf(block));
    return block;
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}

async function withNode(work: (node: Node) => Promise<void>): Promise<void> {
  await using folder = await createTemporaryFolder();
  using node = new Node(folder.path);
  await work(node);
}

const ids = (transactions: readonly Transaction[]): readonly string[] => transactions.map(({ id }) => id);
const largeOf = (block: Block): number => block.transactions.reduce((sum, tx) => sum + largeBytes(tx), 0);

describe("blocks", () => {
  it("hold the deployment of an author on a quiet network at once", () =>
    withNode(async (node) => {
      const deployment = deployPadded(author(0), MAX_WASM_BYTES);
      await node.submit(deployment);
      expect(node.executor.hasWork(NOW)).toBe(true);
      expect(ids(node.commit(NOW).transactions)).toEqual([deployment.id]);
    }));

  it("hold large transactions at a rate, payments at once, and in the end all of it", () =>
    withNode(async (node) => {
      const deployments = Array.from({ length: 5 }, (_, index) => deployPadded(author(index), MAX_WASM_BYTES, { times: 1 + index / 10 }));
      await node.submit(...deployments);
      const blocks: Block[] = [];
      let [timeMs, paid] = [NOW, 0];
      while (node.pool.size > 0) {
        paid += 1;
        const payment = pay(alice, paid);
        await node.submit(payment);
        const block = node.commit(timeMs);
        expect(ids(block.transactions)).toContain(payment.id);
        blocks.push(block);
        const usedBytes = blocks.reduce((sum, each) => sum + largeOf(each), 0);
        const gatheredBytes = ((timeMs - START_MS) * LARGE_BYTES_PER_S) / 1_000;
        expect(usedBytes).toBeLessThan(gatheredBytes + largeBytes(deployments[0] ?? payment));
        timeMs += 500;
      }
      // The best fee first, each in a block of its own.
      const order = blocks.flatMap(({ transactions }) => transactions.filter((tx) => largeBytes(tx) > 0));
      expect(ids(order)).toEqual(ids(deployments.toReversed()));
      expect(blocks.length).toBeGreaterThan(40);
    }));

  it("are not wanted while only large transactions wait, and are when their time has come", () =>
    withNode(async (node) => {
      const [first, second] = [deployPadded(author(0), MAX_WASM_BYTES), deployPadded(author(1), MAX_WASM_BYTES)];
      const [later, other] = [pay(author(1), 1), pay(author(2), 1)];
      await node.submit(first, second, later);
      node.commit(NOW);
      expect(node.executor.hasWork(NOW + 1)).toBe(false);
      const waitMs = node.executor.waitMs(NOW + 1) ?? 0;
      expect(waitMs).toBeGreaterThan(4_000);
      expect(ids(node.pool.ready(NOW + 1, false))).toEqual([]);
      await node.submit(other);
      expect(node.executor.hasWork(NOW + 1)).toBe(true);
      expect(ids(node.pool.ready(NOW + 1, false))).toEqual([other.id]);
      expect(ids(node.commit(NOW + 1).transactions)).toEqual([other.id]);
      const dueMs = NOW + 1 + waitMs;
      expect([node.executor.hasWork(dueMs - 1), node.executor.hasWork(dueMs), node.executor.waitMs(dueMs)]).toEqual([false, true, null]);
      expect(ids(node.commit(dueMs).transactions)).toEqual(ids([second, later]));
      expect([node.executor.hasWork(dueMs + 1), node.executor.waitMs(dueMs + 1)]).toEqual([false, null]);
    }));

  it("hold nothing that a sender sent after a deployment that waits, however much it pays", () =>
    withNode(async (node) => {
      await node.submit(deployPadded(author(0), MAX_WASM_BYTES, { times: 2 }), deployPadded(author(1), 20_000), pay(author(1), 1, 90_000));
      expect(node.commit(NOW).transactions).toHaveLength(1);
      const block = node.commit(NOW + 60_000);
      expect(block.transactions.map(({ type }) => type)).toEqual(["DEPLOY_CONTRACT", "TRANSFER"]);
    }));

  it("hold several small modules at once where nothing large came before", () =>
    withNode(async (node) => {
      const bytes = Math.floor(LARGE_BYTES_BURST / 16);
      const deployments = Array.from({ length: 10 }, (_, index) => deployPadded(author(index), bytes));
      await node.submit(...deployments);
      expect(node.commit(START_MS + 10_000).transactions).toHaveLength(deployments.length);
    }));
});

describe("the pool", () => {
  const room = Math.floor(MEMPOOL_LIMITS.largeBytes / largeBytes(deployPadded(alice, MAX_WASM_BYTES)));

  it("takes no more large transactions than blocks take soon, and any payment beside them", () =>
    withNode(async (node) => {
      for (let index = 0; index < room; index += 1) await node.submit(deployPadded(author(index), MAX_WASM_BYTES));
      const further = deployPadded(author(room), MAX_WASM_BYTES);
      expect(await node.refusal(further)).toBe("LARGE_LIMIT 429");
      await node.submit(pay(author(room), 1), deployPadded(author(room), 5_000));
      // When a block took one, there is room for another.
      node.commit(NOW);
      expect(await node.refusal(further)).toBe("accepted");
    }));

  it("gives one up for a fee that is a quarter better, with what its sender sent after it", () =>
    withNode(async (node) => {
      const cheap = deployPadded(author(0), MAX_WASM_BYTES);
      const behind = pay(author(0), 1, 500_000);
      const others = Array.from({ length: room - 1 }, (_, index) => deployPadded(author(index + 1), MAX_WASM_BYTES, { times: 2 }));
      const payment = pay(alice, 1);
      await node.submit(cheap, behind, ...others, payment);
      expect(await node.refusal(deployPadded(author(10), MAX_WASM_BYTES, { times: 1.2 }))).toBe("LARGE_LIMIT 429");
      const better = deployPadded(author(10), MAX_WASM_BYTES, { times: 1.5 });
      await node.submit(better);
      expect(new Set(ids(node.pool.all()))).toEqual(new Set(ids([...others, payment, better])));
      // All that are left pay more.
      expect(await node.refusal(deployPadded(author(11), MAX_WASM_BYTES))).toBe("LARGE_LIMIT 429");
    }));

  it("gives up no payment for a large transaction that finds no room among the others", () =>
    withNode(async (node) => {
      const payments = Array.from({ length: 20 }, (_, index) => pay(alice, index + 1));
      await node.submit(...payments);
      for (let index = 0; index < room; index += 1) await node.submit(deployPadded(author(index), MAX_WASM_BYTES, { times: 3 }));
      expect(await node.refusal(deployPadded(author(10), MAX_WASM_BYTES, { times: 3 }))).toBe("LARGE_LIMIT 429");
      expect(node.pool.size).toBe(payments.length + room);
    }));
});
