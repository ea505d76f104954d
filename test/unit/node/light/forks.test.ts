import { describe, expect, it } from "vitest";
import { WITNESS_RETRY_MS, WITNESS_TIMEOUT_MS } from "#node/light/chain/witnesses.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { BlockHeader } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { blockOf, constantSets, lightBlockOn, lightChain, untrusted } from "#test/support/worlds/light-world.ts";
import { ChainBench, checkpointOf, honestPeer, silentPeer } from "./chain-bench.ts";

const FOUR = [1, 2, 3, 4];
const SETS = constantSets(FOUR, 40);
const CHAIN = lightChain(SETS);
const GENESIS = blockOf(CHAIN, 0);
/** Another chain of the same validators from block 20 on. */
const FORK = lightChain(SETS, { at: 20, base: CHAIN });
/** Validators that go one by one, and another end of that chain. */
const MOVING = lightChain(Array.from({ length: 31 }, (_, height) => [0, 1, 2, 3].map((at) => height + at)));
const MOVED = lightChain(
  Array.from({ length: 31 }, (_, height) => [0, 1, 2, 3].map((at) => height + at)),
  { at: 20, base: MOVING },
);
/** What no trusted validator signed. */
const FORGED = lightChain([FOUR, ...constantSets([20, 21, 22], 39)]);

/** A node that has followed the chain to a height, with two peers. */
async function benchAt(height: number): Promise<ChainBench> {
  const bench = await ChainBench.create({ genesis: GENESIS });
  bench.played.set("a", honestPeer(CHAIN));
  bench.played.set("b", honestPeer(CHAIN));
  await bench.offer("a", height);
  return bench;
}

async function expectForked(bench: ChainBench, first: TrustedBlock, second: TrustedBlock): Promise<void> {
  const height = Math.max(first.header.height, second.header.height);
  const reason = expect.stringMatching(`two conflicting blocks at height ${height} .*checkpoint`);
  expect(bench.chain.status()).toMatchObject({ state: "forked", reason });
  expect(bench.errors).toEqual([reason]);
  expect(bench.store.fork()).toMatchObject({ first: untrusted(first), second: untrusted(second), checkpoint: "" });
  expect(bench.reports).toEqual([]);
  await expect(bench.chain.blockAt(1)).rejects.toMatchObject({ code: "UNAVAILABLE", message: reason });
  const tip = bench.height;
  expect(await bench.chain.accept(untrusted(blockOf(CHAIN, 40)), "a")).toBe("forked");
  expect(bench.height).toBe(tip);
}

describe("a witness", () => {
  it("with another signed block stops the node before it follows, for good", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", honestPeer(FORK));
    expect(await bench.offer("a", 30)).toBe("forked");
    expect(bench.height).toBe(10);
    await expectForked(bench, blockOf(CHAIN, 30), blockOf(FORK, 30));
    expect(bench.chain.status().witnessedHeight).toBe(10);
    bench.errors.length = 0;
    bench.start();
    expect(bench.chain.status().state).toBe("forked");
    expect(await bench.offer("a", 30)).toBe("forked");
    expect(bench.tips).toEqual([10]);
    const hashes = [blockOf(CHAIN, 30).hash, blockOf(FORK, 30).hash];
    expect(bench.forks).toEqual([hashes, hashes]);
  });

  it("with a block that does not verify is a liar, and the block is followed", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", honestPeer(FORGED));
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.reports).toEqual([["b", "invalid"]]);
    expect(bench.chain.status()).toMatchObject({ state: "syncing", height: 30, witnessedHeight: 10 });
  });

  it("with a block of another height is reported", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", { height: 40, block: () => untrusted(blockOf(CHAIN, 12)) });
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.reports).toEqual([["b", "malformed"]]);
  });

  it("with another header than its block is a liar: the same block twice is no fork", async () => {
    await using bench = await benchAt(10);
    const { header } = blockOf(FORGED, 30);
    bench.played.set("b", { ...honestPeer(CHAIN), header: () => header });
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.reports).toEqual([["b", "lie"]]);
    expect(bench.chain.status()).toMatchObject({ state: "syncing", height: 30, witnessedHeight: 10 });
  });

  it("with another header and no block is not asked first again", async () => {
    await using bench = await benchAt(10);
    const { header } = blockOf(FORK, 30);
    bench.played.set("b", { height: 40, block: () => undefined, header: () => header });
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.reports).toEqual([["b", "unresponsive"]]);
    expect(bench.chain.status()).toMatchObject({ height: 30, witnessedHeight: 10 });
  });

  it("on a slow line shows a fork too, and pays for nothing", async () => {
    await using bench = await benchAt(10);
    const late = <T>(value: T): Promise<T> => new Promise((resolve) => bench.time.setTimer(2_000, () => resolve(value)));
    const header = (height: number): Promise<BlockHeader> => late(blockOf(FORK, height).header);
    bench.played.set("b", { height: 40, header, block: (height) => late(untrusted(blockOf(FORK, height))) });
    const offered = bench.offer("a", 30);
    await bench.pass(WITNESS_TIMEOUT_MS);
    expect(await offered).toBe("advanced");
    await bench.pass(4_000 - WITNESS_TIMEOUT_MS);
    await expectForked(bench, blockOf(CHAIN, 30), blockOf(FORK, 30));
  });

  it("with another header that is busy when its block is requested pays for nothing", async () => {
    await using bench = await benchAt(10);
    const { header } = blockOf(FORK, 30);
    const block = (): Promise<never> => Promise.reject(new CodedError("BUSY", "later"));
    bench.played.set("b", { height: 40, block, header: () => header });
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect([bench.reports, bench.errors]).toEqual([[], []]);
    expect(bench.chain.status()).toMatchObject({ height: 30, witnessedHeight: 10 });
  });

  it("that sends its other block when the node has stopped pays for nothing", async () => {
    await using bench = await benchAt(10);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const { header } = blockOf(FORK, 30);
    bench.played.set("b", { height: 40, block: () => promise, header: () => header });
    const offered = bench.offer("a", 30);
    await bench.pass(0);
    expect(bench.requests.at(-1)).toBe("b 30");
    bench.stop();
    resolve(undefined);
    expect(await offered).toBe("stopped");
    expect([bench.reports, bench.errors]).toEqual([[], []]);
  });

  it("is asked again later when it has not got so far, and then confirms", async () => {
    await using bench = await benchAt(10);
    const late = honestPeer(CHAIN.slice(0, 30));
    bench.played.set("b", late);
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.chain.status().witnessedHeight).toBe(10);
    bench.played.set("b", honestPeer(CHAIN));
    await bench.pass(WITNESS_RETRY_MS);
    expect(bench.chain.status().witnessedHeight).toBe(30);
    expect(bench.time.pending).toBe(0);
  });

  it("that comes later is asked too, and may show the fork then", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 30)).toBe("advanced");
    await bench.pass(3 * WITNESS_RETRY_MS);
    expect(bench.chain.status().state).toBe("syncing");
    bench.played.set("b", honestPeer(FORK));
    await bench.pass(WITNESS_RETRY_MS);
    await expectForked(bench, blockOf(CHAIN, 30), blockOf(FORK, 30));
    await bench.pass(10 * WITNESS_RETRY_MS);
    expect(bench.time.pending).toBe(0);
  });

  it("that is slow holds nothing up for long", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", { height: 40, block: () => new Promise(() => undefined) });
    const judged = bench.offer("a", 30);
    await bench.pass(WITNESS_TIMEOUT_MS - 1);
    expect(bench.height).toBe(10);
    await bench.pass(1);
    expect(await judged).toBe("advanced");
  });

  it("with another block whose proof takes long holds nothing up either; the fork shows when it is done", async () => {
    await using bench = await ChainBench.create({ genesis: blockOf(MOVING, 0) });
    bench.played.set("a", honestPeer(MOVING));
    const proof = Promise.withResolvers<undefined>();
    const slow = honestPeer(MOVED);
    const block = async (height: number): Promise<LightBlock | undefined> => {
      if (height < 30) await proof.promise;
      return await slow.block(height);
    };
    bench.played.set("b", { height: 30, block });
    const judged = bench.offer("a", 30);
    await bench.pass(WITNESS_TIMEOUT_MS);
    expect(await judged).toBe("advanced");
    expect(bench.chain.status()).toMatchObject({ state: "live", witnessedHeight: 0 });
    proof.resolve(undefined);
    await bench.pass(1);
    await expectForked(bench, blockOf(MOVING, 30), blockOf(MOVED, 30));
  });

  it("that does not answer is none", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", silentPeer(40));
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.chain.status().witnessedHeight).toBe(10);
    expect(bench.errors).toEqual([]);
  });

  it("that speaks by an offer of its own need not be asked; a block speaks for those that it builds on", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    for (const height of [29, 30, 31]) await bench.offer("a", height);
    expect(await bench.chain.accept(untrusted(blockOf(CHAIN, 31)), "b")).toBe("known");
    expect(bench.chain.status().witnessedHeight).toBe(31);
    bench.requests.length = 0;
    bench.played.set("b", honestPeer(CHAIN));
    await bench.pass(2 * WITNESS_RETRY_MS);
    expect(bench.requests).toEqual([]);
  });

  it("cannot confirm its own block", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 30);
    expect(await bench.offer("a", 30)).toBe("known");
    expect(bench.chain.status().witnessedHeight).toBe(0);
  });

  it("is not always the same one", async () => {
    await using bench = await benchAt(10);
    for (const name of ["c", "d", "e"]) bench.played.set(name, honestPeer(CHAIN));
    bench.requests.length = 0;
    for (const height of [11, 12, 13, 14]) await bench.offer("a", height);
    expect(new Set(bench.requests.map((request) => request.split(" ")[0]))).toEqual(new Set(["b", "c", "d", "e"]));
  });
});

describe("an offer", () => {
  it("of another signed block at a height that was passed is a fork", async () => {
    await using bench = await benchAt(30);
    bench.played.set("c", honestPeer(FORK));
    expect(await bench.offer("c", 30)).toBe("forked");
    await expectForked(bench, blockOf(CHAIN, 30), blockOf(FORK, 30));
  });

  it("of the next block on another parent, signed by the known set, is a fork and no lie", async () => {
    await using bench = await benchAt(30);
    expect(await bench.chain.accept(untrusted(blockOf(FORK, 31)), "c")).toBe("forked");
    await expectForked(bench, blockOf(CHAIN, 30), blockOf(FORK, 31));
  });

  it("of an unsigned block at a height that was passed is a lie", async () => {
    await using bench = await benchAt(30);
    const { header, validators } = blockOf(CHAIN, 30);
    const bare = { header: { ...header, stateRoot: "11".repeat(32) }, validators, commit: blockOf(CHAIN, 30).commit };
    expect(await bench.chain.accept(bare, "c")).toBe("invalid");
    expect(bench.reports).toEqual([["c", "invalid"]]);
    expect(bench.chain.status().state).toBe("syncing");
  });

  it("of another first block is nonsense", async () => {
    await using bench = await benchAt(30);
    expect(await bench.chain.accept(blockOf(lightChain([[9]]), 0), "c")).toBe("invalid");
    expect(bench.reports).toEqual([["c", "malformed"]]);
  });
});

describe("a fork", () => {
  it("is settled by a newer checkpoint alone, and nothing from before counts then", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", honestPeer(FORK));
    await bench.offer("a", 30);
    // Too low to tell the two apart.
    bench.start({ checkpoint: checkpointOf(CHAIN, 25) });
    expect(bench.chain.status().state).toBe("forked");
    bench.start({ checkpoint: checkpointOf(CHAIN, 35) });
    expect(bench.chain.status()).toMatchObject({ height: 0, targetHeight: 40 });
    await expect(bench.chain.blockAt(10)).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("checkpoint") });
    // The other chain does not have the block of the checkpoint.
    expect(await bench.offer("b", 36)).toBe("waiting");
    expect(await bench.offer("a", 36)).toBe("forked");
    expect(bench.store.heights()).toEqual([35]);
  });

  it("ends the search for witnesses", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 30)).toBe("advanced");
    expect(bench.time.pending).toBe(1);
    expect(await bench.chain.accept(untrusted(blockOf(FORK, 30)), "c")).toBe("forked");
    expect(bench.time.pending).toBe(0);
  });

  it("of two heights is settled by no checkpoint between them", async () => {
    await using bench = await benchAt(10);
    for (const [low, high] of [
      [blockOf(CHAIN, 20), blockOf(FORK, 30)],
      [blockOf(FORK, 30), blockOf(CHAIN, 20)],
    ] as const) {
      const sides = { first: untrusted(low), second: untrusted(high) };
      bench.store.recordFork({ ...sides, reason: "two blocks", checkpoint: "", seenAtMs: 5 });
      bench.start({ checkpoint: checkpointOf(CHAIN, 25) });
      expect(bench.chain.status().state).toBe("forked");
      bench.store.resolveForks(blockOf(CHAIN, 10));
    }
  });

  it("that was settled is no fork after a restart", async () => {
    await using bench = await benchAt(10);
    bench.played.set("b", honestPeer(FORK));
    await bench.offer("a", 30);
    bench.played.delete("b");
    bench.start({ checkpoint: checkpointOf(CHAIN, 35) });
    expect(await bench.offer("a", 40)).toBe("advanced");
    bench.start();
    expect(bench.chain.status()).toMatchObject({ state: "live", height: 40 });
  });

  it("is not settled by the checkpoint that was in force when it was found", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, checkpoint: checkpointOf(CHAIN, 35) });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 36);
    const forged = lightBlockOn(blockOf(CHAIN, 34), FOUR, FOUR, { fields: { stateRoot: "22".repeat(32) } });
    await bench.chain.blockAt(30);
    expect(await bench.chain.accept(untrusted(forged), "c")).toBe("forked");
    bench.start();
    expect(bench.chain.status().state).toBe("forked");
  });
});
