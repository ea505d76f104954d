import { describe, expect, it } from "vitest";
import { STALL_MS } from "#node/light/chain/height-claims.ts";
import { TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { BEGIN_MS, blockOf, constantSets, lightChain, untrusted } from "#test/support/worlds/light-world.ts";
import { ChainBench, checkpointOf, honestPeer } from "./chain-bench.ts";

const CHAIN = lightChain(constantSets([1, 2, 3, 4], 40));
const GENESIS = blockOf(CHAIN, 0);
const OTHER = lightChain(constantSets([11, 12, 13], 40));

/** A clock for which genesis is too old and the blocks from 10 on are not. */
const LATE_MS = BEGIN_MS + TRUSTING_PERIOD_MS + 5_000;

describe("a light node with a checkpoint", () => {
  it("begins with its block, though genesis is too old", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, nowMs: LATE_MS, checkpoint: checkpointOf(CHAIN, 10) });
    expect(bench.chain.status()).toMatchObject({ state: "syncing", height: 0, targetHeight: 10 });
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 40)).toBe("advanced");
    expect(bench.tips).toEqual([10, 40]);
    expect(bench.chain.status().state).toBe("live");
    bench.start();
    expect(bench.height).toBe(40);
  });

  it("waits while no peer has its block, and says so", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, checkpoint: checkpointOf(CHAIN, 30) });
    bench.played.set("a", honestPeer(CHAIN.slice(0, 20)));
    expect(await bench.offer("a", 15)).toBe("waiting");
    await bench.pass(STALL_MS);
    expect(bench.chain.status()).toMatchObject({
      state: "stalled",
      height: 0,
      reason: expect.stringContaining("has served the block of the checkpoint"),
    });
    expect(bench.reports).toEqual([]);
  });

  it("that is wrong follows and blames no peer and says what to check", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, checkpoint: checkpointOf(OTHER, 30) });
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 40)).toBe("waiting");
    expect(bench.chain.status()).toMatchObject({
      state: "stalled",
      height: 0,
      reason: expect.stringMatching("another block 30.*check the checkpoint"),
    });
    expect(bench.reports).toEqual([]);
  });

  it("reports a peer that serves its block without a commit that verifies", async () => {
    const naked = { ...untrusted(blockOf(CHAIN, 30)), commit: null };
    await using bench = await ChainBench.create({ genesis: GENESIS, checkpoint: checkpointOf(CHAIN, 30) });
    bench.played.set("liar", { height: 40, block: (height) => (height === 30 ? naked : untrusted(blockOf(CHAIN, height))) });
    expect(await bench.offer("liar", 40)).toBe("waiting");
    expect(bench.reports).toEqual([["liar", "invalid"]]);
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 40)).toBe("advanced");
  });

  it("that is too old says that a newer one is needed", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, nowMs: LATE_MS, checkpoint: checkpointOf(CHAIN, 3) });
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 40)).toBe("expired");
    expect(bench.chain.status()).toMatchObject({
      state: "expired",
      reason: expect.stringMatching("block 3 of the checkpoint.*14 days.*newer block"),
    });
    expect(bench.height).toBe(0);
  });

  it("continues with it after too long a pause", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 4);
    bench.setClock(LATE_MS);
    expect(await bench.offer("a", 40)).toBe("expired");
    bench.start({ checkpoint: checkpointOf(CHAIN, 20) });
    expect(await bench.offer("a", 40)).toBe("advanced");
    expect(bench.tips).toEqual([4, 20, 40]);
    // What lies between is reached from above.
    expect(await bench.chain.blockAt(12)).toEqual(blockOf(CHAIN, 12));
  });

  it("holds one that is behind already against its chain, from the store or by asking", async () => {
    for (const [height, kept] of [
      [20, 20],
      [15, 20],
    ] as const) {
      await using bench = await ChainBench.create({ genesis: GENESIS });
      bench.played.set("a", honestPeer(CHAIN));
      await bench.offer("a", kept);
      bench.start({ checkpoint: checkpointOf(CHAIN, height) });
      await bench.offer("a", 30);
      await bench.pass(1);
      expect(bench.chain.status().state).toBe("syncing");
      bench.start({ checkpoint: checkpointOf(OTHER, height) });
      await bench.offer("a", 31);
      await bench.pass(1);
      expect(bench.chain.status()).toMatchObject({
        state: "forked",
        reason: expect.stringMatching(`block ${height} .*not the one of the checkpoint`),
      });
      expect(await bench.offer("a", 40)).toBe("forked");
    }
  });
});
