import { describe, expect, it } from "vitest";
import { FIND_TIMEOUT_MS } from "#node/light/chain/block-finder.ts";
import { LIGHT_LIMITS } from "#node/light/light-limits.ts";
import type { OfferedBlock } from "#node/light/light-peers.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { BEGIN_MS, blockOf, constantSets, lightBlockOn, lightChain, untrusted } from "#test/support/worlds/light-world.ts";
import { ChainBench, checkpointOf, honestPeer, type PlayedPeer, silentPeer } from "../chain-bench.ts";

const FOUR = [1, 2, 3, 4];
const CHAIN = lightChain(constantSets(FOUR, 400));
const GENESIS = blockOf(CHAIN, 0);
/** A clock for which all blocks below 350 are too old to start from. */
const LATE_MS = BEGIN_MS + 350_000 + TRUSTING_PERIOD_MS;

/** A node that trusts block 390 alone. */
async function lateBench(peer: PlayedPeer): Promise<ChainBench> {
  const bench = await ChainBench.create({ genesis: GENESIS, nowMs: LATE_MS, checkpoint: checkpointOf(CHAIN, 390) });
  bench.played.set("first", honestPeer(CHAIN));
  await bench.offer("first", 390);
  bench.played.clear();
  bench.requests.length = 0;
  bench.played.set("a", peer);
  return bench;
}

describe("blocks of the past", () => {
  it("are the tip, what is stored, genesis, or nothing above the tip, without asking anybody", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    for (const height of [7, 9]) await bench.offer("a", height);
    bench.requests.length = 0;
    for (const height of [0, 7, 9]) expect(await bench.chain.blockAt(height)).toEqual(blockOf(CHAIN, height));
    for (const height of [10, -1, 1.5, Number.NaN]) expect(await bench.chain.blockAt(height)).toBeUndefined();
    expect(bench.requests).toEqual([]);
  });

  it("are verified from the nearest trusted block below, each asked for once", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 300);
    bench.requests.length = 0;
    const found = await Promise.all([bench.chain.blockAt(50), bench.chain.blockAt(50)]);
    expect(found).toEqual([blockOf(CHAIN, 50), blockOf(CHAIN, 50)]);
    expect(await bench.chain.blockAt(50)).toEqual(blockOf(CHAIN, 50));
    expect(bench.requests).toEqual(["a 50"]);
  });

  it("that came with a response are verified as if they had been asked for, without asking", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 300);
    bench.requests.length = 0;
    const offered = (chain: readonly TrustedBlock[], height: number): OfferedBlock => ({
      block: untrusted(blockOf(chain, height)),
      peer: "b",
    });
    expect(await bench.chain.blockAt(50, offered(CHAIN, 50))).toEqual(blockOf(CHAIN, 50));
    // By its hash, which the one above names, and again from memory.
    expect(await bench.chain.blockAt(49, offered(CHAIN, 49))).toEqual(blockOf(CHAIN, 49));
    expect(await bench.chain.blockAt(50)).toEqual(blockOf(CHAIN, 50));
    expect(bench.requests).toEqual([]);
  });

  it("that came with a response and do not verify are asked for from peers", async () => {
    const strangers = lightChain(constantSets([5, 6, 7, 8], 400));
    const naked = { ...untrusted(blockOf(CHAIN, 60)), commit: null };
    for (const [block, height] of [
      [untrusted(blockOf(strangers, 50)), 50],
      [untrusted(blockOf(CHAIN, 51)), 50],
      [naked, 60],
    ] as const) {
      await using bench = await ChainBench.create({ genesis: GENESIS });
      bench.played.set("a", honestPeer(CHAIN));
      await bench.offer("a", 300);
      bench.requests.length = 0;
      expect(await bench.chain.blockAt(height, { block, peer: "b" })).toEqual(blockOf(CHAIN, height));
      expect(bench.requests).toEqual([`a ${height}`]);
      expect(bench.reports).toEqual([]);
    }
  });

  it("follow by their hashes from a trusted block above when all below is too old", async () => {
    await using bench = await lateBench(honestPeer(CHAIN));
    expect(await bench.chain.blockAt(100)).toEqual(blockOf(CHAIN, 100));
    expect(bench.requests).toEqual(["a 326+64", "a 262+64", "a 198+64", "a 134+64", "a 100+34"]);
    // What was passed is known by its hash.
    expect(await bench.chain.blockAt(200)).toEqual(blockOf(CHAIN, 200));
    expect(bench.requests.slice(5)).toEqual(["a 200"]);
    expect(bench.reports).toEqual([]);
  });

  it("are asked for once more range by range when a response holds few", async () => {
    await using bench = await lateBench(honestPeer(CHAIN, 40));
    expect(await bench.chain.blockAt(330)).toEqual(blockOf(CHAIN, 330));
    expect(bench.requests).toEqual(["a 330+60", "a 350+40", "a 330+20"]);
  });

  it("share the way down when several are asked for at once", async () => {
    await using bench = await lateBench(honestPeer(CHAIN));
    const heights = [300, 280, 320];
    expect(await Promise.all(heights.map((height) => bench.chain.blockAt(height)))).toEqual(
      heights.map((height) => blockOf(CHAIN, height)),
    );
    expect(bench.requests.filter((request) => request.includes("+"))).toEqual(["a 326+64", "a 300+26", "a 280+20"]);
  });

  it("are taken from another peer when one lies, is silent or has none", async () => {
    const forged = lightChain(constantSets(FOUR, 400), { at: 5, base: CHAIN });
    for (const [liar, reports] of [
      [honestPeer(forged), [["a", "invalid"]]],
      [silentPeer(400), []],
      [{ height: 400, block: () => undefined }, []],
    ] as const) {
      await using bench = await lateBench(liar);
      bench.played.set("b", honestPeer(CHAIN));
      expect(await bench.chain.blockAt(300)).toEqual(blockOf(CHAIN, 300));
      expect(bench.reports).toEqual(reports);
      expect(bench.chain.status().state).not.toBe("forked");
    }
  });

  it("are asked for where they are held, and not of peers that say they hold newer ones alone", async () => {
    await using bench = await lateBench({ ...honestPeer(CHAIN), firstHeight: 350 });
    for (const name of ["b", "c", "d", "e"]) bench.played.set(name, { ...honestPeer(CHAIN), firstHeight: 301 });
    bench.played.set("whole", { ...honestPeer(CHAIN), firstHeight: 300 });
    expect(await bench.chain.blockAt(300)).toEqual(blockOf(CHAIN, 300));
    expect(bench.requests.filter((request) => !request.startsWith("whole"))).toEqual([]);
    bench.played.delete("whole");
    await expect(bench.chain.blockAt(200)).rejects.toThrow("No connected node serves block 200");
  });

  it("are asked of peers that dropped them and say that they have their headers, after those that have all of them", async () => {
    await using bench = await lateBench({ ...honestPeer(CHAIN), firstHeight: 350, firstHeader: 250 });
    expect(await bench.chain.blockAt(300)).toEqual(blockOf(CHAIN, 300));
    await expect(bench.chain.blockAt(200)).rejects.toThrow("No connected node serves block 200");
    bench.played.set("whole", { ...honestPeer(CHAIN), firstHeight: 1 });
    bench.requests.length = 0;
    expect(await bench.chain.blockAt(260)).toEqual(blockOf(CHAIN, 260));
    expect(bench.requests.filter((request) => !request.startsWith("whole"))).toEqual([]);
  });

  it("are taken from another peer when one takes all the time there is, which costs it", async () => {
    await using bench = await lateBench({ height: 400, block: () => new Promise(() => undefined) });
    bench.played.set("b", honestPeer(CHAIN));
    const found = bench.chain.blockAt(300);
    await bench.pass(FIND_TIMEOUT_MS);
    expect(await found).toEqual(blockOf(CHAIN, 300));
    expect(bench.reports).toEqual([["a", "unresponsive"]]);
  });

  it("are not looked for any more when the node stops", async () => {
    await using bench = await lateBench({ height: 400, block: () => new Promise(() => undefined) });
    bench.played.set("b", honestPeer(CHAIN));
    const found = bench.chain.blockAt(300);
    await bench.pass(1);
    bench.stop();
    await expect(found).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(bench.requests).toEqual(["a 326+64"]);
    expect(bench.reports).toEqual([]);
  });

  it("need a commit that verifies, also when the hash is right", async () => {
    const naked: PlayedPeer = { height: 400, block: (height): LightBlock => ({ ...untrusted(blockOf(CHAIN, height)), commit: null }) };
    await using bench = await lateBench(naked);
    await expect(bench.chain.blockAt(300)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    await expect(bench.chain.blockAt(389)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(bench.reports).toEqual([
      ["a", "invalid"],
      ["a", "invalid"],
    ]);
  });

  it("that no peer proves are an error with words, a liar is reported", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 300);
    bench.played.delete("a");
    await expect(bench.chain.blockAt(50)).rejects.toMatchObject({ code: "UPSTREAM_FAILED", message: expect.stringContaining("block 50") });
    bench.played.set("liar", { height: 300, block: () => lightBlockOn(blockOf(CHAIN, 49), [20, 21], [20, 21]) });
    bench.played.set("odd", { height: 300, block: () => untrusted(blockOf(CHAIN, 51)) });
    await expect(bench.chain.blockAt(50)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(bench.reports).toEqual([
      ["liar", "invalid"],
      ["odd", "malformed"],
    ]);
  });

  it("that contradict what is trusted are a fork", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    for (const height of [50, 300]) await bench.offer("a", height);
    bench.played.set("a", honestPeer(lightChain(constantSets(FOUR, 60), { at: 50, base: CHAIN })));
    await expect(bench.chain.blockAt(51)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(bench.chain.status().state).toBe("forked");
  });

  it("too far from all that is trusted are refused with words, and no peer is asked", async () => {
    const height = LIGHT_LIMITS.headersBack + 12;
    const far = lightBlockOn(GENESIS, FOUR, FOUR, { fields: { height, timeMs: BEGIN_MS + 400_000 } });
    await using bench = await ChainBench.create({ genesis: GENESIS, nowMs: LATE_MS, checkpoint: { height, hash: far.hash } });
    bench.played.set("a", { height, block: (asked) => (asked === height ? untrusted(far) : undefined) });
    await bench.offer("a", height);
    bench.requests.length = 0;
    await expect(bench.chain.blockAt(11)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringMatching("Block 11 .*10000.*full node"),
    });
    expect(bench.requests).toEqual([]);
    await expect(bench.chain.blockAt(12)).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });
    expect(bench.requests).not.toEqual([]);
  });
});
