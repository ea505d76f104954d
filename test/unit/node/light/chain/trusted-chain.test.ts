import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEADERS_PER_PEER } from "#node/light/chain/header-queue.ts";
import { STALL_MS } from "#node/light/chain/height-claims.ts";
import { SKIPPING_TIMEOUT_MS } from "#node/light/chain/trusted-chain.ts";
import { MOST_STEPS } from "#node/light/chain/verify-skipping.ts";
import { WITNESS_TIMEOUT_MS } from "#node/light/chain/witnesses.ts";
import { decode, encode } from "#shared/codec/codec.ts";
import { type LightBlock, lightBlockCodec } from "#shared/protocol/chain/light-block.ts";
import { TRUSTING_PERIOD_MS } from "#shared/protocol/light/verify-light-block.ts";
import { MAX_VERSION } from "#shared/protocol/primitives/limits.ts";
import { createRandom } from "#test/support/host/random.ts";
import {
  BEGIN_MS,
  blockOf,
  constantSets,
  lightBlockOn,
  lightChain,
  lightCommit,
  lightHeader,
  lightSet,
  untrusted,
} from "#test/support/worlds/light-world.ts";
import { ChainBench, honestPeer, silentPeer } from "../chain-bench.ts";

const FOUR = [1, 2, 3, 4];
const CHAIN = lightChain(constantSets(FOUR, 60));
const GENESIS = blockOf(CHAIN, 0);
/** One validator of four goes at each height, so that three heights on none is left. */
const MOVING = lightChain(Array.from({ length: 60 }, (_, height) => [0, 1, 2, 3].map((at) => height + at)));

describe("a light node with honest peers", () => {
  it("follows a far block in one step, tells of it and is live", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    bench.played.set("b", honestPeer(CHAIN));
    expect(bench.chain.status()).toMatchObject({ state: "syncing", height: 0, targetHeight: 60 });
    expect(await bench.offer("a", 60)).toBe("advanced");
    expect(bench.chain.tip()).toEqual(blockOf(CHAIN, 60));
    expect(bench.tips).toEqual([60]);
    expect(bench.chain.status()).toEqual({ state: "live", height: 60, targetHeight: 60, witnessedHeight: 60 });
    // Nothing but the request to the witness.
    expect(bench.requests).toEqual(["b 60 header"]);
    expect(await bench.offer("b", 60)).toBe("known");
    expect(await bench.offer("b", 30)).toBe("known");
    expect(bench.tips).toEqual([60]);
    expect(bench.reports).toEqual([]);
  });

  it("takes smaller steps where the validators changed, few of them", async () => {
    await using bench = await ChainBench.create({ genesis: blockOf(MOVING, 0) });
    bench.played.set("a", honestPeer(MOVING));
    expect(await bench.offer("a", 59)).toBe("advanced");
    expect(bench.height).toBe(59);
    const steps = bench.requests.length;
    expect(steps).toBeGreaterThan(15);
    expect(steps).toBeLessThan(60);
    expect(bench.reports).toEqual([]);
  });

  it("goes block by block where all validators change each time, and continues where one walk was too long", async () => {
    const sets = Array.from({ length: MOST_STEPS + 40 }, (_, height) => [height]);
    const chain = lightChain(sets);
    await using bench = await ChainBench.create({ genesis: blockOf(chain, 0) });
    bench.played.set("a", honestPeer(chain));
    expect(await bench.offer("a", sets.length - 1)).toBe("unproven");
    expect(bench.height).toBeGreaterThan(100);
    for (let tries = 0; bench.height < sets.length - 1 && tries < 5; tries += 1) await bench.offer("a", sets.length - 1);
    expect(bench.height).toBe(sets.length - 1);
  });

  it("is verified whatever the history of validators", async () => {
    const set = fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(set, { minLength: 2, maxLength: 25 }), fc.nat(1_000), async (sets, seed) => {
        const random = createRandom(seed);
        const chain = lightChain(sets);
        await using bench = await ChainBench.create({ genesis: blockOf(chain, 0) });
        bench.played.set("a", honestPeer(chain));
        bench.played.set("b", honestPeer(chain));
        const last = sets.length - 1;
        for (const height of [random.between(1, last), last]) await bench.offer(random.chance(0.5) ? "a" : "b", height);
        expect(bench.chain.tip()).toEqual(chain[last]);
        const asked = random.between(0, last);
        expect(await bench.chain.blockAt(asked)).toEqual(chain[asked]);
        expect(bench.reports).toEqual([]);
        expect(bench.errors).toEqual([]);
      }),
      { seed: 6, numRuns: 15 },
    );
  });

  it("continues where it was after a restart, without asking again", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 40);
    bench.requests.length = 0;
    bench.start();
    expect(bench.chain.tip()).toEqual(blockOf(CHAIN, 40));
    expect(await bench.offer("a", 41)).toBe("advanced");
    expect(await bench.chain.blockAt(40)).toEqual(blockOf(CHAIN, 40));
    expect(bench.requests).toEqual([]);
  });

  it("takes one offer at a time, in order, and not too many of one peer", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    const response = Promise.withResolvers<undefined>();
    bench.played.set("a", honestPeer(CHAIN));
    bench.played.set("slow", { height: 60, block: () => response.promise });
    const first = bench.chain.accept(untrusted(blockOf(CHAIN, 10)), "a");
    await bench.pass(1);
    const heights = [20, ...Array.from({ length: HEADERS_PER_PEER }, (_, at) => 30 + at)];
    const waiting = [...heights, 37].map((height) => bench.chain.accept(untrusted(blockOf(CHAIN, height)), "b"));
    waiting.push(bench.chain.accept(untrusted(blockOf(CHAIN, 40)), "c"));
    expect(await waiting[0]).toBe("superseded");
    expect(bench.tips).toEqual([]);
    response.resolve(undefined);
    expect(new Set(await Promise.all([first, ...waiting.slice(1)]))).toEqual(new Set(["advanced"]));
    expect(bench.tips).toEqual([10, ...heights.slice(1), 40]);
  });

  it("takes nothing after its end", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("slow", { height: 60, block: () => new Promise(() => undefined) });
    const judged = bench.chain.accept(untrusted(blockOf(CHAIN, 10)), "a");
    const waiting = bench.chain.accept(untrusted(blockOf(CHAIN, 10)), "b");
    await bench.pass(1);
    bench.chain.stop();
    expect(await waiting).toBe("stopped");
    await bench.pass(5_000);
    expect(await judged).toBe("stopped");
    expect(await bench.chain.accept(untrusted(blockOf(CHAIN, 10)), "a")).toBe("stopped");
    expect(bench.tips).toEqual([]);
    expect(bench.time.pending).toBe(0);
  });
});

describe("a walk that the end of the node cuts short", () => {
  it("is no fault of the peer", async () => {
    await using bench = await ChainBench.create({ genesis: blockOf(MOVING, 0) });
    bench.played.set("slow", { height: 59, block: () => new Promise(() => undefined) });
    const judged = bench.chain.accept(untrusted(blockOf(MOVING, 59)), "slow");
    await bench.pass(1);
    bench.chain.stop();
    expect(await judged).toBe("stopped");
    expect(bench.reports).toEqual([]);
    expect(bench.time.pending).toBe(0);
  });
});

describe("a peer that lies", () => {
  const strangers = [20, 21, 22, 23];

  it("is reported for a block that strangers signed next, and nothing of it is followed", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    const forged = lightBlockOn(GENESIS, strangers, strangers);
    expect(await bench.chain.accept(forged, "liar")).toBe("invalid");
    expect(bench.reports).toEqual([["liar", "invalid"]]);
    expect(bench.height).toBe(0);
  });

  it("is reported for a far block whose way back does not verify", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    const forged = lightChain([FOUR, ...Array.from({ length: 20 }, () => strangers)]);
    bench.played.set("liar", honestPeer(forged));
    expect(await bench.offer("liar", 20)).toBe("invalid");
    expect(bench.reports).toEqual([["liar", "invalid"]]);
    expect(bench.height).toBe(0);
  });

  it("is reported when it serves another height than asked", async () => {
    await using bench = await ChainBench.create({ genesis: blockOf(MOVING, 0) });
    bench.played.set("liar", { height: 59, block: () => untrusted(blockOf(MOVING, 59)) });
    expect(await bench.offer("liar", 59)).toBe("invalid");
    expect(bench.reports).toEqual([["liar", "invalid"]]);
  });

  it("is not believed to be far when it proves nothing; the others count", async () => {
    await using bench = await ChainBench.create({ genesis: blockOf(MOVING, 0) });
    bench.played.set("mute", { ...silentPeer(1_000_000), block: (height) => (height === 59 ? untrusted(blockOf(MOVING, 59)) : undefined) });
    expect(await bench.offer("mute", 59)).toBe("unproven");
    expect(bench.chain.status()).toMatchObject({ state: "stalled", reason: expect.stringContaining("none of them proves it") });
    bench.played.set("a", honestPeer(MOVING));
    bench.played.set("b", honestPeer(MOVING));
    expect(await bench.offer("a", 59)).toBe("advanced");
    expect(bench.chain.status()).toEqual({ state: "live", height: 59, targetHeight: 59, witnessedHeight: 59 });
    expect(bench.reports).toEqual([]);
  });

  it("cannot keep the node from being live by a claim alone", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    bench.played.set("boaster", silentPeer(1_000_000));
    await bench.offer("a", 60);
    expect(bench.chain.status()).toMatchObject({ state: "live", targetHeight: 60 });
    // Without a peer that proved something its claim counts for a while.
    bench.proven.clear();
    expect(bench.chain.status()).toMatchObject({ state: "syncing", targetHeight: 1_000_000 });
    await bench.pass(STALL_MS);
    expect(bench.chain.status()).toMatchObject({ state: "live", targetHeight: 60 });
  });

  it("and answers ever so slowly holds the others up for a while only, and pays", async () => {
    await using bench = await ChainBench.create({ genesis: blockOf(MOVING, 0) });
    bench.played.set("slow", { height: 59, block: () => new Promise(() => undefined) });
    bench.played.set("a", honestPeer(MOVING));
    const slow = bench.chain.accept(untrusted(blockOf(MOVING, 59)), "slow");
    const other = bench.chain.accept(untrusted(blockOf(MOVING, 3)), "a");
    await bench.pass(SKIPPING_TIMEOUT_MS - 1);
    expect(bench.height).toBe(0);
    await bench.pass(1);
    expect(await slow).toBe("unproven");
    await bench.pass(WITNESS_TIMEOUT_MS);
    expect(await other).toBe("advanced");
    expect(bench.reports).toEqual([["slow", "unresponsive"]]);
  });

  it("does not make the node follow anything by any bytes", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 5);
    const bytes = encode(lightBlockCodec, blockOf(CHAIN, 9));
    const altered = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, mask]) => {
      const copy = Uint8Array.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ mask;
      return copy;
    });
    await fc.assert(
      fc.asyncProperty(altered, async (input) => {
        let block: LightBlock;
        try {
          block = decode(lightBlockCodec, input);
        } catch {
          return;
        }
        bench.played.set("liar", { height: 9, block: () => block });
        expect(["invalid", "unproven", "known"]).toContain(await bench.offer("liar", 9));
        expect(bench.height).toBe(5);
      }),
      { seed: 7, numRuns: 200 },
    );
    expect(bench.errors).toEqual([]);
  });

  it("cannot forge a chain with a third of the trusted validators, in any number of steps", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000), fc.integer({ min: 3, max: 7 }), async (seed, size) => {
        const random = createRandom(seed);
        const trusted = Array.from({ length: size }, (_, at) => at);
        const traitors = trusted.slice(0, Math.floor(size / 3));
        const genesis = blockOf(lightChain([trusted]), 0);
        const forged = Array.from({ length: 20 }, (_, height) => {
          const set = [...traitors, ...strangers.slice(0, random.between(1, 4)), ...(random.chance(0.3) ? trusted.slice(size - 1) : [])];
          const hash = lightHash(set);
          const header = lightHeader({ height, parentHash: genesis.hash, validatorsHash: hash, nextValidatorsHash: hash });
          return { header, commit: lightCommit(header, set, [...traitors, ...strangers]), validators: lightSet(set) };
        });
        await using bench = await ChainBench.create({ genesis });
        bench.played.set("liar", { height: 19, block: (height) => forged[height] });
        expect(["invalid", "unproven"]).toContain(await bench.offer("liar", random.between(1, 19)));
        expect(bench.height).toBe(0);
        expect(bench.chain.status().state).not.toBe("forked");
      }),
      { seed: 8, numRuns: 15 },
    );
  });
});

describe("time", () => {
  it("that is over stops the node, which says how to continue", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 40);
    bench.setClock(blockOf(CHAIN, 40).header.timeMs + TRUSTING_PERIOD_MS - 1);
    expect(bench.chain.status().state).toBe("syncing");
    await bench.pass(1);
    expect(bench.chain.status()).toMatchObject({
      state: "expired",
      height: 40,
      reason: expect.stringMatching(/block.*40.*14 days.*checkpoint/),
    });
    expect(await bench.offer("a", 60)).toBe("expired");
    expect(bench.height).toBe(40);
    await expect(bench.chain.blockAt(41)).rejects.toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("14 days") });
    bench.start();
    expect(bench.chain.status().state).toBe("expired");
    expect(await bench.offer("a", 60)).toBe("expired");
    // What was verified in time stays so.
    expect(await bench.chain.blockAt(40)).toEqual(blockOf(CHAIN, 40));
  });

  it("lets no node begin with the first block of an old network", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, nowMs: BEGIN_MS + TRUSTING_PERIOD_MS });
    expect(await bench.chain.accept(untrusted(blockOf(CHAIN, 60)), "a")).toBe("expired");
    expect(bench.chain.status()).toMatchObject({ state: "expired", reason: expect.stringContaining("began more than 14 days ago") });
  });

  it("that the own clock has wrong is no fault of a peer", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS, nowMs: BEGIN_MS - 3_600_000 });
    bench.played.set("a", honestPeer(CHAIN));
    expect(await bench.offer("a", 60)).toBe("early");
    expect(bench.chain.status()).toMatchObject({ state: "stalled", reason: expect.stringContaining("set the clock") });
    expect(bench.reports).toEqual([]);
    bench.setClock(BEGIN_MS + 60_000);
    expect(await bench.offer("a", 60)).toBe("advanced");
    expect(bench.chain.status().state).toBe("live");
  });
});

describe("a light node alone", () => {
  it("says that no peer is there, and that none confirms a single one", async () => {
    await using bench = await ChainBench.create({ genesis: GENESIS });
    expect(bench.chain.status()).toMatchObject({ state: "syncing", reason: expect.stringContaining("No node is connected") });
    await bench.pass(STALL_MS);
    expect(bench.chain.status()).toMatchObject({ state: "stalled", reason: expect.stringContaining("No node is connected") });
    bench.played.set("a", honestPeer(CHAIN));
    await bench.offer("a", 60);
    expect(bench.chain.status()).toMatchObject({ state: "live", witnessedHeight: 0, reason: expect.stringContaining("No second node") });
  });
});

function lightHash(indexes: readonly number[]): string {
  return blockOf(lightChain([indexes]), 0).header.validatorsHash;
}

describe("a light node whose network has a later version of the rules", () => {
  it("stops in words where the validators signed it, reports no peer, and follows no other block", async () => {
    const next = lightBlockOn(blockOf(CHAIN, 60), FOUR, FOUR, { fields: { version: MAX_VERSION } });
    await using bench = await ChainBench.create({ genesis: GENESIS });
    bench.played.set("a", honestPeer([...CHAIN, next]));
    bench.played.set("b", honestPeer(CHAIN));
    expect(await bench.offer("b", 60)).toBe("advanced");
    expect(await bench.offer("a", 61)).toBe("waiting");
    expect(bench.chain.status()).toMatchObject({
      state: "stalled",
      height: 60,
      reason: expect.stringContaining(`version ${MAX_VERSION} of its rules`),
    });
    expect(await bench.offer("a", 61)).toBe("waiting");
    await expect(bench.chain.blockAt(61)).rejects.toThrow("this program lacks");
    expect(bench.reports).toEqual([]);
  });
});
