// The parts that keep a node within its bounds, whatever its peers do.
import { multiaddr } from "@multiformats/multiaddr";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PeerSource, sourceOf } from "#node/network/addresses/peer-source.ts";
import { PeerScores } from "#node/network/admission/peer-scores.ts";
import { Batcher } from "#node/network/flow/batcher.ts";
import { RecentSet } from "#node/network/flow/recent-set.ts";
import { TokenBucket } from "#node/network/flow/token-bucket.ts";
import { TypingGate } from "#node/network/flow/typing-gate.ts";
import { WorkQueue } from "#node/network/flow/work-queue.ts";
import { NETWORK_LIMITS, SCORE_LIMITS } from "#node/network/network-limits.ts";
import { nodeKeyOf, peerNameOf } from "#node/network/peer-name.ts";
import { ValidatorDirectory } from "#node/network/peers/validator-directory.ts";
import { VersionRegistry } from "#node/network/peers/version-registry.ts";
import { FRAME_HEAD_BYTES, FrameDecoder } from "#node/network/wire/frames.ts";
import { concatBytes } from "#shared/util/bytes.ts";
import type { Clock } from "#shared/util/clock.ts";
import { pollUntil } from "#test/support/host/poll-until.ts";
import { actor } from "#test/support/worlds/ledger-world.ts";

function handClock(): Clock & { ms: number } {
  return {
    ms: 1_000_000,
    nowMs(): number {
      return this.ms;
    },
    monotonicMs(): number {
      return this.ms;
    },
  };
}

const scoresOf = (clock: Clock, limitsLocal = false): PeerScores =>
  new PeerScores({ clock, isValidator: (peer) => peer === "v", isExempt: (peer) => peer === "v" || peer === "named", limitsLocal });

function sourceAt(address: string): PeerSource {
  const source = sourceOf(multiaddr(`/ip4/${address}/tcp/1`));
  if (source === undefined) throw new Error(`${address} is no address`);
  return source;
}

describe("scores of peers", () => {
  it("disconnect a peer after two malformed messages and keep it away after five", () => {
    const clock = handClock();
    const scores = scoresOf(clock);
    expect(scores.report("a", "malformed")).toBe("keep");
    expect(scores.report("a", "malformed")).toBe("disconnect");
    expect(scores.isBanned("a")).toBe(false);
    for (let n = 0; n < 3; n += 1) scores.report("a", "malformed");
    expect(scores.isBanned("a")).toBe(true);
    clock.ms += SCORE_LIMITS.banMs;
    expect(scores.isBanned("a")).toBe(false);
  });

  it("forgive half of everything in ten minutes", () => {
    const clock = handClock();
    const scores = scoresOf(clock);
    scores.report("a", "lie");
    clock.ms += SCORE_LIMITS.halfLifeMs;
    expect(scores.score("a")).toBeCloseTo(-SCORE_LIMITS.costs.lie / 2);
    clock.ms += 20 * SCORE_LIMITS.halfLifeMs;
    expect(scores.score("a")).toBe(0);
  });

  it("keep a node of another chain away at once", () => {
    const scores = scoresOf(handClock());
    expect(scores.report("a", "wrongChain")).toBe("disconnect");
    expect(scores.isBanned("a")).toBe(true);
    expect(scores.score("b")).toBe(0);
  });

  it("count a flood once a second", () => {
    const clock = handClock();
    const scores = scoresOf(clock);
    for (let n = 0; n < 1_000; n += 1) scores.report("a", "flood");
    expect(scores.score("a")).toBe(-SCORE_LIMITS.costs.flood);
    for (let n = 0; n < 10; n += 1) {
      clock.ms += SCORE_LIMITS.floodIntervalMs;
      scores.report("a", "flood");
    }
    expect(scores.score("a")).toBeLessThan(SCORE_LIMITS.disconnectAt);
  });

  it("let a validator in again soon", () => {
    const clock = handClock();
    const scores = scoresOf(clock);
    for (let n = 0; n < 5; n += 1) scores.report("v", "invalid");
    expect(scores.isBanned("v")).toBe(true);
    clock.ms += SCORE_LIMITS.validatorBanMs;
    expect(scores.isBanned("v")).toBe(false);
    expect(scores.report("v", "invalid")).toBe("keep");
  });

  it("remember a bounded number of peers", () => {
    const scores = scoresOf(handClock());
    scores.report("first", "lie");
    for (let n = 0; n < SCORE_LIMITS.entries; n += 1) scores.report(`p${n}`, "lie");
    expect(scores.score("first")).toBe(0);
    expect(scores.score("p0")).toBe(-SCORE_LIMITS.costs.lie);
  });
});

describe("scores of addresses", () => {
  const home = sourceAt("8.8.8.8");

  it("survive any number of fresh peer ids, and end with a ban of the address", () => {
    const clock = handClock();
    const scores = scoresOf(clock);
    let ids = 0;
    for (; !scores.isSourceBanned(home) && ids < 100; ids += 1)
      for (let n = 0; n < 2; n += 1) scores.report(`fresh ${ids}`, "malformed", home);
    expect(ids).toBe(5);
    expect([scores.isSourceBanned(sourceAt("8.8.8.9")), scores.score("fresh 0")]).toEqual([false, -2 * SCORE_LIMITS.costs.malformed]);
    clock.ms += SCORE_LIMITS.banMs;
    expect(scores.isSourceBanned(home)).toBe(false);
  });

  it("ban a subnet whose addresses take turns", () => {
    const scores = scoresOf(handClock());
    for (let n = 0; n < 60 && !scores.isSourceBanned(home); n += 1) scores.report(`p${n}`, "malformed", sourceAt(`8.8.8.${n + 10}`));
    expect([scores.isSourceBanned(home), scores.isSourceBanned(sourceAt("8.8.9.8"))]).toEqual([true, false]);
  });

  it("hold no address responsible for peers that it was set to meet, for another chain, or on a local network", () => {
    const scores = scoresOf(handClock());
    const local = sourceAt("127.0.0.1");
    for (let n = 0; n < 50; n += 1) {
      for (const peer of ["v", "named"]) scores.report(peer, "invalid", home);
      scores.report(`stray ${n}`, "wrongChain", home);
      scores.report(`neighbour ${n}`, "malformed", local);
    }
    expect([scores.isSourceBanned(home), scores.isSourceBanned(local)]).toEqual([false, false]);
    const strict = scoresOf(handClock(), true);
    for (let n = 0; n < 50; n += 1) strict.report(`neighbour ${n}`, "malformed", local);
    expect(strict.isSourceBanned(local)).toBe(true);
  });

  it("outlive a restart, and are forgiven with the time in between", () => {
    const clock = handClock();
    const earlier = scoresOf(clock);
    for (let n = 0; n < 5; n += 1) for (const id of ["a", "b"]) earlier.report(`${id}${n}`, "malformed", home);
    for (let n = 0; n < 5; n += 1) earlier.report("a", "malformed");
    const saved = earlier.saved();
    const restored = (agoMs: number): PeerScores => {
      const scores = scoresOf(clock);
      scores.restore(saved, agoMs);
      return scores;
    };
    expect([restored(0).isBanned("a"), restored(0).isSourceBanned(home)]).toEqual([true, true]);
    expect([restored(SCORE_LIMITS.banMs).isBanned("a"), restored(SCORE_LIMITS.banMs).isSourceBanned(home)]).toEqual([false, false]);
    expect(restored(SCORE_LIMITS.halfLifeMs).score("a")).toBeCloseTo(earlier.score("a") / 2, 0);
    const twice = scoresOf(clock);
    twice.restore(restored(SCORE_LIMITS.halfLifeMs).saved(), 0);
    expect(twice.score("a"), "saved twice").toBeCloseTo(earlier.score("a") / 2, 0);
  });
});

describe("a token bucket", () => {
  it("gives its burst, then its rate, and never more", () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, 0);
    expect([1, 2, 3, 4, 5, 6].map(() => bucket.take(1, 0))).toEqual([true, true, true, true, true, false]);
    expect(bucket.take(1, 99)).toBe(false);
    expect(bucket.take(1, 200)).toBe(true);
    expect(bucket.take(6, 1_000_000)).toBe(false);
    expect(bucket.take(5, 1_000_000)).toBe(true);
  });
});

describe("a work queue", () => {
  /** Bytes that these tests are not about. */
  const ROOM = { senderBytes: 1_000, totalBytes: 1_000 };

  it("holds a bounded number of bytes of each sender and of all", async () => {
    const done: string[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = new WorkQueue<string>({
      limits: { queued: 1_000, concurrent: 1, turnMs: 0, senderBytes: 20, totalBytes: 50 },
      clock: handClock(),
      work: (item): Promise<void> => {
        done.push(item);
        return promise;
      },
      drop: (): void => undefined,
    });
    queue.push("first", { sender: "a", bytes: 10 });
    for (let n = 0; n < 10; n += 1) queue.push(`a ${n}`, { sender: "a", bytes: 10 });
    expect([queue.size, queue.bytes]).toEqual([2, 20]);
    for (let n = 0; n < 10; n += 1) queue.push(`b ${n}`, { sender: `b ${n}`, bytes: 10 });
    expect([queue.size, queue.bytes]).toEqual([5, 50]);
    resolve();
    await pollUntil(() => done.length === 6);
    // What is newest is there.
    expect(done).toContain("b 9");
  });

  it("runs a bounded number at once and drops the oldest of too many", async () => {
    const dropped: number[] = [];
    const done: number[] = [];
    const waiting: (() => void)[] = [];
    const queue = new WorkQueue<number>({
      limits: { ...ROOM, queued: 3, concurrent: 2, turnMs: 1_000 },
      clock: handClock(),
      work: async (item): Promise<void> => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        done.push(item);
      },
      drop: (item): void => void dropped.push(item),
    });
    for (let n = 0; n < 10; n += 1) queue.push(n, { sender: "a", bytes: 0 });
    expect(waiting).toHaveLength(2);
    expect(queue.size).toBe(3);
    expect(dropped).toEqual([2, 3, 4, 5, 6]);
    await pollUntil(() => {
      waiting.shift()?.();
      return done.length === 5;
    });
    expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 7, 8, 9]);
  });

  it("serves senders in turn, and drops of the one that sends most", async () => {
    const done: string[] = [];
    const dropped: string[] = [];
    const clock = handClock();
    const queue = new WorkQueue<string>({
      limits: { ...ROOM, queued: 6, concurrent: 1, turnMs: 0 },
      clock,
      work: (item): Promise<void> => {
        done.push(item);
        return Promise.resolve();
      },
      drop: (item): void => void dropped.push(item),
    });
    for (let n = 0; n < 20; n += 1) queue.push(`flood ${n}`, { sender: "flood", bytes: 0 });
    for (const item of ["honest 1", "honest 2"]) queue.push(item, { sender: "honest", bytes: 0 });
    queue.push("gone", { sender: "gone", bytes: 0 });
    queue.forget("gone");
    await pollUntil(() => done.length === 6);
    expect(done.slice(0, 5)).toEqual(["flood 0", "honest 1", "flood 17", "honest 2", "flood 18"]);
    expect(dropped.filter((item) => item.startsWith("honest"))).toEqual([]);
    expect(dropped).toContain("gone");
  });

  it("gives other work its turn", async () => {
    const clock = handClock();
    const done: number[] = [];
    const queue = new WorkQueue<number>({
      limits: { ...ROOM, queued: 100, concurrent: 100, turnMs: 5 },
      clock,
      work: (item): Promise<void> => {
        clock.ms += 5;
        done.push(item);
        return Promise.resolve();
      },
      drop: (): void => undefined,
    });
    for (let n = 0; n < 4; n += 1) queue.push(n, { sender: "a", bytes: 0 });
    expect(done).toEqual([0]);
    await pollUntil(() => done.length === 4);
    expect(done).toEqual([0, 1, 2, 3]);
  });
});

describe("a batcher", () => {
  const batches = (sizes: readonly number[]): readonly (readonly number[])[] => {
    const sent: (readonly number[])[] = [];
    const batcher = new Batcher<number>({
      limits: { items: 3, bytes: 10, delayMs: 60_000 },
      clock: handClock(),
      sizeOf: (size): number => size,
      send: (items): void => void sent.push(items),
    });
    batcher.add(sizes);
    batcher.flush();
    batcher.close();
    return sent;
  };

  it("fills by number and by size, in order", () => {
    expect(batches([1, 1, 1, 1, 1])).toEqual([
      [1, 1, 1],
      [1, 1],
    ]);
    expect(batches([6, 6, 4, 50, 1])).toEqual([[6], [6, 4], [50], [1]]);
    expect(batches([])).toEqual([]);
  });

  it("sends the first after a quiet moment at once, and what follows together", async () => {
    const clock = handClock();
    const sent: (readonly number[])[] = [];
    const batcher = new Batcher<number>({
      limits: { items: 9, bytes: 100, delayMs: 20 },
      clock,
      sizeOf: (size): number => size,
      send: (items): void => void sent.push(items),
    });
    batcher.add([1]);
    batcher.add([2]);
    expect(sent).toEqual([]);
    await new Promise(setImmediate);
    expect(sent).toEqual([[1, 2]]);
    batcher.add([3]);
    await new Promise(setImmediate);
    batcher.add([4]);
    expect(sent).toHaveLength(1);
    await pollUntil(() => sent.length === 2);
    expect(sent[1]).toEqual([3, 4]);
  });
});

describe("frames", () => {
  const framed = (frame: Uint8Array): Uint8Array => {
    const head = new Uint8Array(FRAME_HEAD_BYTES);
    new DataView(head.buffer).setUint32(0, frame.length);
    return concatBytes(head, frame);
  };

  it("come out as they went in, however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 }),
        (frames, cuts) => {
          const stream = concatBytes(...frames.map(framed));
          const decoder = new FrameDecoder(40);
          const out: Uint8Array[] = [];
          let at = 0;
          for (const cut of [...cuts, stream.length]) {
            expect(decoder.push(stream.subarray(at, at + cut), (frame) => out.push(frame))).toBe(true);
            at += cut;
          }
          expect(out.map((frame) => [...frame])).toEqual(frames.map((frame) => [...frame]));
          expect(decoder.isAtBoundary).toBe(true);
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });

  it("take up little more than their bytes while they wait, in however small pieces they come", () => {
    const maxBytes = 262_144;
    const decoder = new FrameDecoder(maxBytes);
    const stream = framed(new Uint8Array(maxBytes).map((_, index) => index % 251));
    let frame: Uint8Array | undefined;
    for (const byte of stream.subarray(0, -1)) decoder.push(Uint8Array.of(byte), () => expect.unreachable());
    expect(decoder.pieces).toBeLessThan(48);
    decoder.push(stream.subarray(-1), (whole) => {
      frame = whole;
    });
    expect(Buffer.compare(Buffer.from(frame ?? []), Buffer.from(stream.subarray(FRAME_HEAD_BYTES)))).toBe(0);
  });

  it("end at the first that is announced too long, before its content is there", () => {
    const decoder = new FrameDecoder(10);
    expect(decoder.push(Uint8Array.of(0, 0, 0, 11), () => undefined)).toBe(false);
  });
});

describe("what is remembered", () => {
  it("of names has a bound", () => {
    const names = new RecentSet(2);
    expect([names.add("a"), names.add("a"), names.add("b"), names.add("c"), names.add("a")]).toEqual([true, false, true, true, true]);
  });

  it("of typing passes one notice a second and pair", () => {
    const gate = new TypingGate();
    const pair = { to: "a", from: "b" };
    expect([gate.pass(pair, 0), gate.pass(pair, 999), gate.pass({ to: "b", from: "a" }, 999), gate.pass(pair, 1_000)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("of versions is the newest, from about now, of a bounded number of nodes", () => {
    const registry = new VersionRegistry();
    const nowMs = 1_800_000_000_000;
    const learn = (nodeKey: string, atSec: number, version = "1"): string =>
      registry.learn({ nodeKey, atSec, version, apiVersion: "2" }, nowMs);
    const nowSec = nowMs / 1000;
    expect(learn("a", nowSec, "1")).toBe("accept");
    expect(learn("a", nowSec, "0")).toBe("ignore");
    expect(learn("a", nowSec + 1, "2")).toBe("accept");
    expect(learn("b", nowSec + 7_200)).toBe("ignore");
    expect(learn("b", nowSec - 7_200)).toBe("ignore");
    expect(registry.get("a")).toMatchObject({ version: "2", apiVersion: "2" });
    expect(registry.isAnnounced("a", nowMs)).toBe(true);
    expect(registry.isAnnounced("a", nowMs + 3 * NETWORK_LIMITS.versionIntervalMs)).toBe(false);
    expect([
      registry.isAnnounced("a", nowMs, nowMs - 1),
      registry.isAnnounced("a", nowMs, nowMs),
      registry.isAnnounced("z", nowMs),
    ]).toEqual([true, false, false]);
    for (let n = 0; n < NETWORK_LIMITS.versionEntries; n += 1) learn(`n${n}`, nowSec);
    expect(registry.get("a")).toBeUndefined();
  });
});

describe("names of peers", () => {
  it("follow from node keys and lead back to them", () => {
    const name = peerNameOf(actor(3).pub);
    expect(name).toMatch(/^12D3KooW/);
    expect(nodeKeyOf(name)).toBe(actor(3).pub);
    expect(nodeKeyOf("QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N")).toBeNull();
    expect(nodeKeyOf("nonsense")).toBeNull();
  });

  it("tell validators from others, in the order of their keys", () => {
    const keys = [actor(1).pub, actor(2).pub, actor(3).pub];
    const directory = new ValidatorDirectory(actor(2).pub);
    expect(directory.replace(keys)).toBe(true);
    expect(directory.replace(keys.toReversed())).toBe(false);
    expect(directory.keys).toEqual(keys.toSorted());
    expect(directory.hasSelf).toBe(true);
    expect(directory.others.toSorted()).toEqual([peerNameOf(actor(1).pub), peerNameOf(actor(3).pub)].toSorted());
    expect(directory.isValidator(peerNameOf(actor(2).pub))).toBe(false);
    expect(directory.keyOf(peerNameOf(actor(3).pub))).toBe(actor(3).pub);
  });
});
