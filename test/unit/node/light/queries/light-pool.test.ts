import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNativeVerifier } from "#node/crypto/verify-signature.ts";
import { LightEvents, MAX_BLOCKS_AT_ONCE } from "#node/light/queries/light-events.ts";
import { LightPool } from "#node/light/queries/light-pool.ts";
import { ProvenReads } from "#node/light/reads/proven-reads.ts";
import { createLog, type Log } from "#node/observability/log.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import { firstParams } from "#shared/protocol/primitives/params.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { CONTRACTS_GENESIS, callNative } from "#test/support/chain/contract-calls.ts";
import { openTestChain, type TestChain } from "#test/support/chain/test-chain.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { createTemporaryFolder, type TemporaryFolder } from "#test/support/host/temporary-folder.ts";
import { alice, bob, carol, START_MS, signed, validator } from "#test/support/worlds/ledger-world.ts";
import { callsHere, trialsHere } from "#test/support/worlds/light-calls.ts";
import { createMemoryLightSource, type MemoryLightSource, noPeer } from "#test/support/worlds/memory-light-source.ts";

const NOW_MS = START_MS + 1_000;
const clock = { nowMs: (): number => NOW_MS, monotonicMs: (): number => 0 };
const log: Log = createLog("json", { write: () => undefined });

let folder: TemporaryFolder;
let chain: TestChain;
let source: MemoryLightSource;
let events: LightEvents;
let pool: LightPool;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  chain = openTestChain(folder.path, { genesis: CONTRACTS_GENESIS });
  source = createMemoryLightSource(chain.database, clock);
  const reads = new ProvenReads(source);
  events = new LightEvents({ reads, first: firstParams(CONTRACTS_GENESIS.params), log });
  pool = new LightPool({
    genesis: CONTRACTS_GENESIS,
    reads,
    events,
    trials: trialsHere(callsHere(reads, CONTRACTS_GENESIS, clock)),
    checks: { verify: createNativeVerifier() },
    log,
  });
});
afterEach(async () => {
  pool.stop();
  events.stop();
  chain.close();
  await folder.remove();
});

const payment = (amount: number, nowMs = START_MS): Transaction =>
  signed(alice, { type: "TRANSFER", to: carol.pub, amount, payload: {}, nowMs });

function commit(transactions: readonly Transaction[]): void {
  chain.commit(transactions);
  source.moved();
}

describe("the pool of a light node", () => {
  it("hands in what the ledger would take, and waits for the block that holds it", async () => {
    const tx = payment(5);
    expect(await pool.submit(tx, NOW_MS)).toEqual({ id: tx.id, status: "accepted" });
    expect(source.submitted.map(({ id }) => id)).toEqual([tx.id]);
    expect([pool.size, pool.has(tx.id), pool.get(tx.id)]).toEqual([1, true, tx]);
    commit([payment(7)]);
    await pollUntil(() => source.calls.bodies === 1);
    expect(pool.size).toBe(1);
    commit([tx]);
    await pollUntil(() => pool.size === 0);
    expect(pool.get(tx.id)).toBeUndefined();
    // Nothing waits and no listener is there: no further block is fetched.
    const { bodies } = source.calls;
    commit([payment(8)]);
    await pool.submit(payment(9), NOW_MS);
    expect(source.calls.bodies).toBe(bodies);
  });

  it("refuses what no node would take, without asking a peer to take it", async () => {
    const refusal = (raw: unknown): Promise<unknown> => pool.submit(raw, NOW_MS).catch(({ code }: CodedError) => code);
    const tx = payment(5);
    expect(await refusal({ ...tx, amount: 6 })).toBe("TX_ID_MISMATCH");
    expect(await refusal({ ...tx, signature: payment(6).signature })).toBe("TX_SIGNATURE");
    expect(await refusal(payment(5, START_MS - 7_200_000))).toBe("TX_TIMESTAMP");
    expect(await refusal(payment(50_000_000))).toBe("TX_INSUFFICIENT_BALANCE");
    expect(await refusal(callNative(alice, "tokens", "burn", { args: ["none", 1] }))).toBe("TX_REJECTED");
    expect(source.submitted).toEqual([]);
    expect(pool.size).toBe(0);
  });

  it("counts what the sender has handed in before, and knows it", async () => {
    const first = payment(6_000_000);
    await pool.submit(first, NOW_MS);
    await expect(pool.submit(payment(6_000_000), NOW_MS)).rejects.toMatchObject({ code: "TX_INSUFFICIENT_BALANCE" });
    expect(await pool.submit(first, NOW_MS)).toEqual({ id: first.id, status: "accepted" });
    expect([source.submitted.length, pool.size]).toEqual([1, 1]);
    await expect(pool.submit({ ...first, signature: payment(6).signature }, NOW_MS)).rejects.toMatchObject({ code: "TX_SIGNATURE" });
  });

  it("accepts what its peers know already", async () => {
    source.onSubmit = (): never => {
      throw new CodedError("TX_DUPLICATE", "A transaction with the id is known already");
    };
    const tx = payment(5);
    expect(await pool.submit(tx, NOW_MS)).toEqual({ id: tx.id, status: "accepted" });
    expect(pool.size).toBe(0);
  });

  it("keeps nothing that peers refused, and says what they said", async () => {
    source.onSubmit = (): never => {
      throw new CodedError("TX_REJECTED", "The sender cannot pay");
    };
    await expect(pool.submit(payment(5), NOW_MS)).rejects.toMatchObject({ code: "TX_REJECTED" });
    source.onSubmit = (): never => {
      throw noPeer();
    };
    await expect(pool.submit(payment(5), NOW_MS)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(pool.size).toBe(0);
    source.onSubmit = (): ReturnType<MemoryLightSource["onSubmit"]> => Promise.resolve({ warning: "The memo was dropped" });
    expect(await pool.submit(payment(5), NOW_MS)).toMatchObject({ warning: "The memo was dropped" });
  });

  it("gives up what no block can hold any more", async () => {
    await pool.submit(payment(5), NOW_MS);
    chain.commit([], START_MS + 3_500_000);
    source.moved();
    expect(pool.size).toBe(1);
    chain.commit([], START_MS + 3_700_000);
    source.moved();
    expect(pool.size).toBe(0);
  });

  it("finds what is in a block that it never looked at", async () => {
    const tx = payment(5);
    await pool.submit(tx, NOW_MS);
    for (let i = 0; i <= MAX_BLOCKS_AT_ONCE; i += 1) chain.commit(i === 0 ? [tx] : [payment(10 + i)]);
    source.moved();
    await pollUntil(() => pool.size === 0);
  });
});

describe("the events of a light node", () => {
  const received: CommittedBlock[] = [];
  beforeEach(() => received.splice(0));
  const heights = (): readonly number[] => received.map(({ block }) => block.header.height);

  it("are those of a full node, with who got the reward", async () => {
    const stop = events.onCommit((block) => received.push(block));
    const announced: CommittedBlock[] = [];
    chain.executor.onCommit((block) => announced.push(block));
    commit([payment(1), payment(2)]);
    await pollUntil(() => received.length === 1);
    commit([]);
    await pollUntil(() => received.length === 2);
    expect(received.map(({ block, hash, receipts, reward }) => ({ block, hash, receipts, reward }))).toEqual(
      announced.map(({ block, hash, receipts, reward }) => ({ block, hash, receipts, reward })),
    );
    expect(received[0]?.reward).toEqual({ to: validator.pub, subsidyUt: 50_000, feesUt: 2_000 });
    stop();
    commit([payment(3)]);
    expect(received).toHaveLength(2);
  });

  it("fetch nothing for listeners that want nothing, and begin with the next block when they do", async () => {
    let isWanted = false;
    events.onCommit(
      (block) => received.push(block),
      () => isWanted,
    );
    commit([payment(1)]);
    commit([payment(2)]);
    expect(source.calls.bodies).toBe(0);
    isWanted = true;
    commit([payment(3)]);
    await pollUntil(() => received.length === 1);
    expect(heights()).toEqual([3]);
  });

  it("tell the newest blocks after a leap, and that others were left out", async () => {
    let skips = 0;
    events.onSkipped(() => {
      skips += 1;
    });
    events.onCommit((block) => received.push(block));
    for (let i = 0; i < 3; i += 1) chain.commit([payment(1 + i)]);
    source.moved();
    await pollUntil(() => received.length === 3);
    expect(skips).toBe(0);
    for (let i = 0; i < MAX_BLOCKS_AT_ONCE + 4; i += 1)
      chain.commit([signed(bob, { type: "TRANSFER", to: carol.pub, amount: 1 + i, payload: {} })]);
    source.moved();
    await pollUntil(() => heights().at(-1) === MAX_BLOCKS_AT_ONCE + 7);
    expect(skips).toBe(1);
    expect(heights()).toEqual([1, 2, 3, ...Array.from({ length: MAX_BLOCKS_AT_ONCE }, (_, i) => 8 + i)]);
  });

  it("come with the next block when no peer had one", async () => {
    const { body } = source;
    const held = source as { body: typeof body };
    held.body = (): never => {
      throw noPeer();
    };
    events.onCommit((block) => received.push(block));
    commit([payment(1)]);
    held.body = body;
    commit([payment(2)]);
    await pollUntil(() => received.length === 2);
    expect(heights()).toEqual([1, 2]);
  });
});
