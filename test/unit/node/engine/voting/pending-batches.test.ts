// Batches of decided blocks: taken in as far as they are proven, made durable together, the next one executed meanwhile.
import { describe, expect, it } from "vitest";
import type { DecidedBlock, FollowOutcome } from "#node/engine/execution/decided-block.ts";
import { MemoryChain } from "#test/support/chain/memory-chain.ts";
import { EngineBench, HEARTBEAT_MS, START_MS } from "../engine-bench.ts";

interface BatchBench {
  readonly bench: EngineBench;
  /** Blocks of the batches that the engine asked to be made durable, the last one open until it is finished. */
  readonly storing: number[];
  finish(): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** A bench whose batches are stored when the test says so. */
function batchBench(): BatchBench {
  const bench = new EngineBench({ size: 4, ownIndex: 0 });
  const storing: number[] = [];
  let open: (PromiseWithResolvers<void> & { readonly batch: readonly DecidedBlock[] }) | undefined;
  bench.chain.apply = (batch): Promise<void> => {
    storing.push(batch.length);
    open = { ...Promise.withResolvers<void>(), batch };
    return open.promise;
  };
  const turn = async (): Promise<void> => {
    await new Promise(setImmediate);
    bench.time.advance(1);
    await new Promise(setImmediate);
  };
  return {
    bench,
    storing,
    finish: async (): Promise<void> => {
      bench.chain.store(open?.batch ?? []);
      open?.resolve();
      await turn();
    },
    fail: async (error): Promise<void> => {
      open?.reject(error);
      await turn();
    },
  };
}

/** Blocks 1 to `length` with the texts "1" and so on, decided by the validators 1, 2 and 3. */
function decidedBlocks(length: number): readonly DecidedBlock[] {
  const other = new EngineBench({ size: 4, ownIndex: 0 });
  const validators = other.chain.tip().nextValidators;
  const chain = new MemoryChain({ validators, genesisTimeMs: START_MS - 1_000, heartbeatMs: HEARTBEAT_MS });
  for (let height = 1; height <= length; height += 1) {
    chain.add(String(height));
    const { block, hash: blockHash } = chain.buildBlock({ timeMs: START_MS + height, proposer: validators[height % 4]?.publicKey ?? "" });
    const votes = [1, 2, 3].map((index) => other.vote("precommit", 0, blockHash, index));
    const signatures = votes.flatMap((message) => (message.type === "vote" ? [message.vote.signature] : []));
    const commit = { height, round: 0, blockHash, bitmap: Uint8Array.of(0b1110), signatures };
    chain.store([{ block, commit }]);
    other.chain.blocks.push({ block, hash: blockHash, commit });
  }
  return chain.blocks;
}

/** Notes outcomes in the order in which they come. */
function notedOutcomes(...promises: readonly Promise<FollowOutcome>[]): string[] {
  const outcomes: string[] = [];
  for (const [index, promise] of promises.entries()) void promise.then((outcome) => outcomes.push(`${index} ${outcome}`));
  return outcomes;
}

describe("a batch of decided blocks", () => {
  it("is durable before it is reported, while the next one is executed", async () => {
    const { bench, storing, finish } = batchBench();
    const engine = bench.start();
    const reported: number[] = [];
    engine.onCommit(({ block }) => reported.push(block.header.height));
    const blocks = decidedBlocks(5);
    const outcomes = notedOutcomes(engine.applyBatch(blocks.slice(0, 3)), engine.applyBatch(blocks.slice(3)));
    bench.time.advance(1);
    await new Promise(setImmediate);
    expect([storing, reported, outcomes, engine.status().height]).toEqual([[3], [], [], 1]);
    expect([bench.chain.executedSpeculatively, bench.chain.tip().height]).toEqual([5, 0]);
    await finish();
    expect([storing, reported, outcomes, engine.status().height]).toEqual([[3, 2], [1, 2, 3], ["0 committed"], 4]);
    await finish();
    expect([reported, outcomes, engine.status().height]).toEqual([[1, 2, 3, 4, 5], ["0 committed", "1 committed"], 6]);
    // Nothing was executed twice.
    expect([bench.chain.executedSpeculatively, bench.chain.texts, bench.fatal]).toEqual([5, ["1", "2", "3", "4", "5"], []]);
  });

  it("is taken in up to the first block that is not proven, which its sender answers for when it is the first", async () => {
    const { bench, storing, finish } = batchBench();
    const engine = bench.start();
    const [first, second, third, fourth] = decidedBlocks(4) as [DecidedBlock, DecidedBlock, DecidedBlock, DecidedBlock];
    const unproven = { ...third, commit: { ...third.commit, signatures: third.commit.signatures.toReversed() } };
    const outcomes = notedOutcomes(engine.applyBatch([first, second, unproven, fourth]), engine.applyBatch([unproven, fourth]));
    bench.time.advance(1);
    await finish();
    expect([storing, outcomes, engine.status().height]).toEqual([[2], ["0 committed", "1 invalid"], 3]);
  });

  it("begins with the first block that is new, and waits for those before it", async () => {
    const { bench, storing, finish } = batchBench();
    const engine = bench.start();
    const blocks = decidedBlocks(4);
    const outcomes = notedOutcomes(
      engine.applyBatch(blocks.slice(1)),
      engine.applyBatch(blocks.slice(0, 2)),
      engine.applyBatch(blocks),
      engine.applyBatch(blocks),
    );
    bench.time.advance(1);
    await finish();
    await finish();
    expect([storing, outcomes]).toEqual([
      [2, 2],
      ["0 ahead", "1 committed", "2 committed", "3 known"],
    ]);
  });

  it("stops the engine when it cannot be stored, and nothing is said", async () => {
    const { bench, fail } = batchBench();
    const engine = bench.start();
    const reported: number[] = [];
    engine.onCommit(({ block }) => reported.push(block.header.height));
    const outcomes = notedOutcomes(engine.applyBatch(decidedBlocks(3)));
    bench.time.advance(1);
    const failure = new Error("disk on fire");
    await fail(failure);
    expect([bench.fatal, engine.status().phase, reported, outcomes]).toEqual([[failure], "failed", [], ["0 stopped"]]);
  });

  it("stops the engine when speculative execution finds that two thirds decided otherwise", async () => {
    const { bench } = batchBench();
    const engine = bench.start();
    const blocks = decidedBlocks(3);
    void engine.applyBatch(blocks.slice(0, 2));
    const failure = new Error("more than two thirds");
    const executeSpeculatively = bench.chain.executeSpeculatively.bind(bench.chain);
    bench.chain.executeSpeculatively = (batch): ReturnType<typeof executeSpeculatively> => {
      if (batch.at(-1)?.block === blocks[2]?.block) throw failure;
      return executeSpeculatively(batch);
    };
    void engine.applyBatch(blocks.slice(1));
    bench.time.advance(1);
    expect([bench.fatal, engine.status().phase]).toEqual([[failure], "failed"]);
  });

  it("keeps a validator from voting where it holds signatures that the sign guard does not know", async () => {
    const { bench, finish } = batchBench();
    const engine = bench.start();
    const [first, second] = decidedBlocks(2) as [DecidedBlock, DecidedBlock];
    const own = [0, 1, 2].flatMap((index) => {
      const message = decidedVote(index, first.commit.blockHash);
      return message === undefined ? [] : [message];
    });
    const forgotten = { ...first, commit: { ...first.commit, bitmap: Uint8Array.of(0b0111), signatures: own } };
    void engine.applyBatch([forgotten, second]);
    bench.time.advance(1);
    await finish();
    expect([engine.status().height, bench.warnings.some((words) => words.includes("sign guard does not know"))]).toEqual([3, true]);
  });
});

/** Signature of a validator's precommit at height 1. */
function decidedVote(index: number, blockHash: string): Uint8Array | undefined {
  const message = new EngineBench({ size: 4, ownIndex: 0 }).vote("precommit", 0, blockHash, index);
  return message.type === "vote" ? message.vote.signature : undefined;
}
