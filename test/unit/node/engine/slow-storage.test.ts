// Decided blocks that take a while to become durable: everything waits for them, nothing is lost, and nothing is said before.
import { describe, expect, it } from "vitest";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { quickHash } from "#test/support/chain/memory-chain.ts";
import { EngineBench, type EngineBenchOptions, START_MS } from "./engine-bench.ts";

interface Storing {
  readonly heights: readonly number[];
  /** The block becomes durable. */
  finish(): Promise<void>;
  /** It does not. */
  fail(error: Error): Promise<void>;
}

/** A bench whose blocks are stored when the test says so. */
function slowBench(options: EngineBenchOptions = {}): { readonly bench: EngineBench; readonly storing: Storing[] } {
  const bench = new EngineBench(options);
  const storing: Storing[] = [];
  bench.chain.apply = (batch): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const finished = async (): Promise<void> => {
      await promise.catch(() => undefined);
      await new Promise(setImmediate);
      bench.time.advance(1);
    };
    storing.push({
      heights: batch.map(({ block }) => block.header.height),
      finish: () => {
        bench.chain.store(batch);
        resolve();
        return finished();
      },
      fail: (error) => {
        reject(error);
        return finished();
      },
    });
    return promise;
  };
  return { bench, storing };
}

const heights = (storing: readonly Storing[]): readonly number[] => storing.flatMap((one) => one.heights);

describe("a block that is being stored", () => {
  it("keeps the next height waiting, which then takes up what came meanwhile", async () => {
    const { bench, storing } = slowBench();
    const engine = bench.start();
    const reported: number[] = [];
    engine.onCommit(({ block }) => reported.push(block.header.height));
    bench.commit(engine, "a");
    bench.commit(engine, "b");
    bench.time.advance(20_000);
    expect([heights(storing), reported, engine.status().height]).toEqual([[1], [], 1]);
    await storing[0]?.finish();
    expect([heights(storing), reported, engine.status().height]).toEqual([[1, 2], [1], 2]);
    await storing[1]?.finish();
    expect([bench.chain.texts, reported, engine.status().height]).toEqual([["a", "b"], [1, 2], 3]);
    expect(bench.fatal).toEqual([]);
  });

  it("holds votes and proposals of the next height until it can be judged", async () => {
    const { bench, storing } = slowBench({ size: 4, ownIndex: 0 });
    const engine = bench.start();
    const first = bench.block("a", 1);
    const hash = headerHash(first.header, quickHash);
    const commit = commitOfFirst(bench, hash);
    bench.receive(bench.proposal(first, 0, 1), ...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    expect(heights(storing)).toEqual([1]);
    bench.sent.length = 0;
    const other = new EngineBench({ size: 4, ownIndex: 0 });
    other.chain.blocks.push({ block: first, hash, commit });
    const second = other.block("b", 2, START_MS + 1);
    bench.receive(other.proposal(second, 0, 2));
    bench.time.advance(500);
    expect([engine.status().height, bench.ownMessages]).toEqual([1, []]);
    await storing[0]?.finish();
    expect(engine.status().height).toBe(2);
    expect(bench.ownMessages).toEqual([`prevote 0 ${headerHash(second.header, quickHash).slice(0, 6)}`]);
    expect(bench.fatal).toEqual([]);
  });

  it("answers a followed block once it is durable, and those behind it in order", async () => {
    const { bench, storing } = slowBench({ size: 4, ownIndex: null });
    const engine = bench.start();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    const commit = commitOfFirst(bench, hash);
    const outcomes: string[] = [];
    const note = (outcome: string): void => void outcomes.push(outcome);
    void engine.applyBatch([{ block, commit }]).then(note);
    void engine.applyBatch([{ block, commit }]).then(note);
    bench.time.advance(1);
    await new Promise(setImmediate);
    expect([heights(storing), outcomes]).toEqual([[1], []]);
    await storing[0]?.finish();
    expect(outcomes).toEqual(["committed", "known"]);
  });

  it("is not waited for by an engine that stops", async () => {
    const { bench, storing } = slowBench();
    const engine = bench.start();
    bench.commit(engine, "a");
    const reported: number[] = [];
    engine.onCommit(({ block }) => reported.push(block.header.height));
    engine.stop();
    await storing[0]?.finish();
    expect([reported, engine.status().phase, bench.fatal]).toEqual([[], "stopped", []]);
    bench.start();
    bench.time.advance(1);
    expect(bench.chain.texts).toEqual(["a"]);
  });

  it("stops the engine when it cannot be stored, and nothing more is said", async () => {
    const { bench, storing } = slowBench();
    const engine = bench.start();
    bench.commit(engine, "a");
    const failure = new Error("disk on fire");
    await storing[0]?.fail(failure);
    bench.commit(engine, "b");
    expect([bench.fatal, engine.status().phase, heights(storing)]).toEqual([[failure], "failed", [1]]);
  });

  it("is stored again when a restart restores its decision", async () => {
    const { bench, storing } = slowBench();
    bench.commit(bench.start(), "a");
    expect(heights(storing)).toEqual([1]);
    bench.disk.restart(0);
    const second = bench.start();
    expect([bench.chain.texts, second.status().height, heights(storing)]).toEqual([[], 1, [1, 1]]);
    await storing[1]?.finish();
    expect([bench.chain.texts, second.status().height, bench.fatal]).toEqual([["a"], 2, []]);
  });

  it("stops a restarted engine when it cannot be stored, and is restored by the next restart", async () => {
    const { bench, storing } = slowBench();
    bench.commit(bench.start(), "a");
    bench.disk.restart(0);
    const second = bench.start();
    const failure = new Error("disk on fire");
    await storing[1]?.fail(failure);
    bench.commit(second, "b");
    expect([bench.fatal, second.status().phase, bench.chain.texts]).toEqual([[failure], "failed", []]);
    bench.disk.restart(0);
    const third = bench.start();
    await storing[2]?.finish();
    expect([bench.chain.texts, third.status().height, heights(storing)]).toEqual([["a"], 2, [1, 1, 1, 2]]);
  });
});

/** Commit of block 1 by the validators 1, 2 and 3. */
function commitOfFirst(bench: EngineBench, blockHash: string): Commit {
  const precommits = [1, 2, 3].map((index) => bench.vote("precommit", 0, blockHash, index));
  const signatures = precommits.flatMap((message) => (message.type === "vote" ? [message.vote.signature] : []));
  return { height: 1, round: 0, blockHash, bitmap: Uint8Array.of(0b1110), signatures };
}
