import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HeaderOutcome } from "#node/light/chain/header-queue.ts";
import { LightFollower, PATIENCE_MS, RETRY_MS } from "#node/light/chain/light-follower.ts";
import type { LightPeer } from "#node/light/light-peers.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { blockOf, constantSets, lightChain } from "#test/support/worlds/light-world.ts";

const CHAIN = lightChain(constantSets([1], 9));
const PEER = "peer";
const ignore = (): void => undefined;

/** A follower over peers whose height the test sets; `outcomes` are what the next offers come to. */
function createWorld(names: readonly string[] = [PEER]): {
  readonly follower: LightFollower;
  readonly time: VirtualTime;
  readonly offered: readonly number[];
  readonly outcomes: HeaderOutcome[];
  /** Requests as `peer height set`, the set by the beginning of its hash. */
  readonly asked: string[];
  height: number;
  tip: TrustedBlock;
  response: (peer: string) => Promise<void>;
  settle(): Promise<void>;
} {
  const time = new VirtualTime();
  const offered: number[] = [];
  const outcomes: HeaderOutcome[] = [];
  const asked: string[] = [];
  const response: (peer: string) => Promise<void> = () => Promise.resolve();
  const world = { height: 0, tip: blockOf(CHAIN, 0), response };
  const follower = new LightFollower({
    chain: {
      tip: (): TrustedBlock => world.tip,
      accept: (block): Promise<HeaderOutcome> => {
        offered.push(block.header.height);
        const outcome = block.header.height <= world.tip.header.height ? "known" : (outcomes.shift() ?? "advanced");
        if (outcome === "advanced") world.tip = blockOf(CHAIN, block.header.height);
        return Promise.resolve(outcome);
      },
    },
    peers: {
      peers: (): readonly LightPeer[] => names.map((name) => ({ name, height: world.height, isProven: false })),
      lightBlock: async (peer, height, _signal, known): Promise<TrustedBlock> => {
        asked.push(`${peer} ${height} ${known?.hash.slice(0, 8)}`);
        await world.response(peer);
        return blockOf(CHAIN, height);
      },
    },
    clock: time.clock(0),
    timers: time,
    log: { debug: ignore, error: ignore },
  });
  return Object.assign(world, { follower, time, offered, outcomes, asked, settle: () => setImmediate() });
}

describe("a follower of headers", () => {
  it("offers the newest block of a peer that is ahead, and what came meanwhile, once", async () => {
    const world = createWorld();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.height = 3;
    world.response = (): Promise<void> => promise;
    world.follower.poll(PEER);
    world.follower.poll(PEER);
    world.height = 5;
    resolve();
    await world.settle();
    expect(world.offered).toEqual([3, 5]);
    world.follower.poll(PEER);
    await world.settle();
    expect(world.offered).toEqual([3, 5]);
  });

  it("asks again after a while when a proposed header came to nothing or the peer did not answer", async () => {
    const world = createWorld();
    world.height = 4;
    world.outcomes.push("unproven");
    world.follower.start();
    world.follower.poll(PEER);
    await world.settle();
    expect(world.tip.header.height).toBe(0);
    world.response = (): Promise<never> => Promise.reject(new CodedError("UPSTREAM_FAILED", "silence"));
    world.time.advance(RETRY_MS);
    await world.settle();
    world.response = (): Promise<void> => Promise.resolve();
    expect(world.offered).toEqual([4]);
    world.time.advance(RETRY_MS);
    await world.settle();
    expect(world.offered).toEqual([4, 4]);
    expect(world.tip.header.height).toBe(4);
    world.follower.stop();
    world.height = 9;
    world.time.advance(RETRY_MS);
    await world.settle();
    expect(world.offered).toEqual([4, 4]);
    expect(world.time.pending).toBe(0);
  });

  const SET = blockOf(CHAIN, 0).header.validatorsHash.slice(0, 8);

  it("asks one of many peers that announce the same block, and names the set that it has", async () => {
    const names = ["a", "b", "c", "d"];
    const world = createWorld(names);
    for (let height = 1; height < 6; height += 1) {
      world.height = height;
      for (const name of names) world.follower.poll(name);
      await world.settle();
      world.time.advance(PATIENCE_MS);
    }
    expect(world.asked).toEqual([1, 2, 3, 4, 5].map((height) => `a ${height} ${SET}`));
    expect(world.time.pending).toBe(0);
  });

  it("asks the next one when a block came to nothing, each announcement once", async () => {
    const world = createWorld(["a", "b", "c", "d"]);
    world.height = 3;
    world.outcomes.push("invalid", "unproven");
    for (const name of ["a", "b", "c", "d"]) world.follower.poll(name);
    await world.settle();
    expect(world.asked).toEqual(["a", "b", "c"].map((name) => `${name} 3 ${SET}`));
    expect(world.tip.header.height).toBe(3);
    world.height = 4;
    world.outcomes.push("invalid", "invalid");
    for (const name of ["b", "a"]) world.follower.poll(name);
    await world.settle();
    world.time.advance(PATIENCE_MS);
    await world.settle();
    expect(world.asked.slice(3)).toEqual(["b", "a"].map((name) => `${name} 4 ${SET}`));
    expect(world.time.pending).toBe(0);
  });

  it("asks twice as many each time those that are asked take too long", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const world = createWorld(names);
    world.response = (): Promise<never> => new Promise(() => undefined);
    world.height = 3;
    for (const name of names) world.follower.poll(name);
    const counts = [];
    for (let round = 0; round < 5; round += 1) {
      counts.push(world.asked.length);
      world.time.advance(PATIENCE_MS);
      await world.settle();
    }
    expect(counts).toEqual([1, 2, 4, 6, 6]);
    expect(world.time.pending).toBe(0);
    world.follower.stop();
  });

  it("asks another one when one takes its time, and is held up by it no more", async () => {
    const world = createWorld(["slow", "a", "b"]);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.response = (peer): Promise<void> => (peer === "slow" ? promise : Promise.resolve());
    world.height = 3;
    for (const name of ["slow", "a", "b"]) world.follower.poll(name);
    world.time.advance(PATIENCE_MS - 1);
    await world.settle();
    expect(world.asked).toEqual([`slow 3 ${SET}`]);
    world.time.advance(1);
    await world.settle();
    expect(world.tip.header.height).toBe(3);
    world.height = 4;
    for (const name of ["slow", "b"]) world.follower.poll(name);
    await world.settle();
    expect(world.tip.header.height).toBe(4);
    resolve();
    await world.settle();
    expect(world.asked).toEqual(["slow 3", "a 3", "b 4"].map((asked) => `${asked} ${SET}`));
    expect(world.time.pending).toBe(0);
  });

  it("asks on for what a peer announced while its block, which another one has sent by now, was on its way", async () => {
    const world = createWorld(["slow", "a"]);
    const { promise, resolve } = Promise.withResolvers<void>();
    world.response = (peer): Promise<void> => (peer === "slow" ? promise : Promise.resolve());
    world.height = 3;
    for (const name of ["slow", "a"]) world.follower.poll(name);
    world.time.advance(PATIENCE_MS);
    await world.settle();
    expect(world.tip.header.height).toBe(3);
    world.height = 4;
    world.follower.poll("slow");
    resolve();
    await world.settle();
    expect(world.asked).toEqual(["slow 3", "a 3", "slow 4"].map((asked) => `${asked} ${SET}`));
    expect(world.tip.header.height).toBe(4);
  });

  it("asks none of those that wait once it has stopped", async () => {
    const world = createWorld(["slow", "a"]);
    world.response = (): Promise<never> => new Promise(() => undefined);
    world.height = 3;
    for (const name of ["slow", "a"]) world.follower.poll(name);
    world.follower.stop();
    expect(world.time.pending).toBe(0);
    world.time.advance(RETRY_MS);
    await world.settle();
    expect(world.asked).toEqual([`slow 3 ${SET}`]);
    expect(world.time.pending).toBe(0);
  });
});
