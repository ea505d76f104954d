import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { HeaderOutcome } from "#node/light/chain/header-queue.ts";
import { LightFollower, RETRY_MS } from "#node/light/chain/light-follower.ts";
import type { LightPeer } from "#node/light/light-peers.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";
import { blockOf, constantSets, lightChain } from "#test/support/worlds/light-world.ts";

const CHAIN = lightChain(constantSets([1], 9));
const PEER = "peer";
const ignore = (): void => undefined;

/** A follower over one peer whose height the test sets; `outcomes` are what the next offers come to. */
function createWorld(): {
  readonly follower: LightFollower;
  readonly time: VirtualTime;
  readonly offered: readonly number[];
  readonly outcomes: HeaderOutcome[];
  height: number;
  tip: TrustedBlock;
  response: () => Promise<void>;
  settle(): Promise<void>;
} {
  const time = new VirtualTime();
  const offered: number[] = [];
  const outcomes: HeaderOutcome[] = [];
  const world = { height: 0, tip: blockOf(CHAIN, 0), response: (): Promise<void> => Promise.resolve() };
  const follower = new LightFollower({
    chain: {
      tip: (): TrustedBlock => world.tip,
      accept: (block): Promise<HeaderOutcome> => {
        offered.push(block.header.height);
        const outcome = outcomes.shift() ?? "advanced";
        if (outcome === "advanced") world.tip = blockOf(CHAIN, block.header.height);
        return Promise.resolve(outcome);
      },
    },
    peers: {
      peers: (): readonly LightPeer[] => [{ name: PEER, height: world.height, isProven: false }],
      lightBlock: async (_peer, height): Promise<TrustedBlock> => {
        await world.response();
        return blockOf(CHAIN, height);
      },
    },
    timers: time,
    log: { debug: ignore, error: ignore },
  });
  return Object.assign(world, { follower, time, offered, outcomes, settle: () => setImmediate() });
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
});
