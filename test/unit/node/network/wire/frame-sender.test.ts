// A peer that reads slowly gets what is newest and most important; what waits for it has a bound.
import type { Connection, Stream } from "@libp2p/interface";
import { describe, expect, it } from "vitest";
import { FrameSender } from "#node/network/wire/frame-sender.ts";
import { FrameDecoder } from "#node/network/wire/frames.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";

/** A stream that takes bytes until it asks to wait. */
class SlowStream extends EventTarget {
  readonly taken: Uint8Array[] = [];
  status = "open";
  writeStatus = "writable";
  writableNeedsDrain = false;
  inactivityTimeout = 0;

  send(bytes: Uint8Array): boolean {
    this.taken.push(bytes);
    return !this.writableNeedsDrain;
  }

  abort(): void {
    this.status = "aborted";
    this.writeStatus = "closed";
    this.dispatchEvent(new Event("close"));
  }

  drain(): void {
    this.writableNeedsDrain = false;
    this.dispatchEvent(new Event("drain"));
  }

  /** First bytes of the frames that were taken. */
  get names(): readonly number[] {
    const names: number[] = [];
    const decoder = new FrameDecoder(1_000);
    for (const bytes of this.taken) decoder.push(bytes, (frame) => names.push(frame[0] ?? -1));
    return names;
  }
}

interface Bench {
  readonly sender: FrameSender;
  readonly streams: SlowStream[];
  readonly clock: { ms: number };
  isConnected: boolean;
}

function bench(): Bench {
  const streams: SlowStream[] = [];
  const clock = { ms: 100_000 };
  const connection = {
    newStream: () => {
      const stream = new SlowStream();
      streams.push(stream);
      return Promise.resolve(stream as unknown as Stream);
    },
  } as unknown as Connection;
  const made: Omit<Bench, "sender"> & { sender?: FrameSender } = { streams, clock, isConnected: true };
  const sender = new FrameSender({
    protocol: "/test/1",
    queuedFrames: 4,
    queuedBytes: 100,
    openTimeoutMs: 1_000,
    clock: { nowMs: (): number => clock.ms, monotonicMs: (): number => clock.ms },
    connection: (): Connection | undefined => (made.isConnected ? connection : undefined),
  });
  return Object.assign(made, { sender });
}

const vote = (name: number): { readonly bytes: Uint8Array; readonly isExpendable: boolean } => ({
  bytes: Uint8Array.of(name),
  isExpendable: true,
});
const proposal = (name: number, length = 1): { readonly bytes: Uint8Array; readonly isExpendable: boolean } => ({
  bytes: new Uint8Array(length).fill(name),
  isExpendable: false,
});

async function opened({ sender, streams }: Bench): Promise<SlowStream> {
  await sender.open();
  return await pollUntil(() => streams.at(-1));
}

describe("a sender of frames", () => {
  it("opens its stream with the first frame and keeps the order", async () => {
    const { sender, streams } = bench();
    for (const frame of [vote(1), proposal(2), vote(3)]) sender.send(frame);
    await pollUntil(() => streams[0]?.names.length === 3);
    sender.send(vote(4));
    expect(streams[0]?.names).toEqual([1, 2, 3, 4]);
    expect(streams).toHaveLength(1);
  });

  it("drops the oldest votes of too many, then whatever is oldest", async () => {
    const world = bench();
    const stream = await opened(world);
    stream.writableNeedsDrain = true;
    for (const frame of [proposal(1), vote(2), vote(3), proposal(4), proposal(5), proposal(6), vote(7)]) world.sender.send(frame);
    expect(world.sender.size).toBe(4);
    stream.drain();
    expect(stream.names).toEqual([1, 4, 5, 6]);
    stream.writableNeedsDrain = true;
    for (let name = 11; name <= 16; name += 1) world.sender.send(proposal(name));
    stream.drain();
    expect(stream.names.slice(4)).toEqual([13, 14, 15, 16]);
  });

  it("holds a bounded number of bytes", async () => {
    const world = bench();
    const stream = await opened(world);
    stream.writableNeedsDrain = true;
    for (let name = 1; name <= 50; name += 1) world.sender.send(proposal(name, 40));
    expect(world.sender.size).toBe(2);
    world.sender.send(proposal(60, 200));
    expect(world.sender.size).toBe(0);
  });

  it("opens another stream after one broke, and is not relied on for a while", async () => {
    const world = bench();
    const first = await opened(world);
    expect(world.sender.isSound).toBe(true);
    first.abort();
    expect([world.sender.isOpen, world.sender.isSound]).toEqual([false, false]);
    world.sender.send(vote(1));
    await pollUntil(() => world.streams[1]?.names.length === 1);
    expect(world.sender.isSound).toBe(false);
    world.clock.ms += 10_000;
    expect(world.sender.isSound).toBe(true);
  });

  it("keeps nothing for a peer that is not connected, and nothing after its end", async () => {
    const world = bench();
    world.isConnected = false;
    world.sender.send(vote(1));
    await pollUntil(() => world.sender.size === 0);
    world.isConnected = true;
    const stream = await opened(world);
    world.sender.close();
    world.sender.send(vote(2));
    expect([stream.status, stream.names, world.sender.size]).toEqual(["aborted", [], 0]);
  });
});
