// A validator whose memory was emptied: it may have signed anything up to the height at which it was lost, and contradicts none of it.
import { describe, expect, it } from "vitest";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { HISTORY_WAIT_MS } from "#node/engine/voting/lost-memory.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import { quickHash, type StoredBlock } from "#test/support/chain/memory-chain.ts";
import { EngineBench } from "../engine-bench.ts";

const OWN = 3;

function ownVotes(bench: EngineBench, height: number): readonly Vote[] {
  return bench.sent.flatMap((message) =>
    message.type === "vote" && message.vote.validatorIndex === OWN && message.vote.height === height ? [message.vote] : [],
  );
}

/** A chain of the other three, who are always quicker: no commit carries a signature of the fourth, though it votes on each block. */
function former(heights: number): EngineBench {
  const bench = new EngineBench({ size: 4, ownIndex: OWN });
  bench.start();
  for (let height = 1; height <= heights; height += 1) {
    bench.time.advance(5);
    const block = bench.block(`text ${height}`, height % 4);
    const hash = headerHash(block.header, quickHash);
    if (height % 4 !== OWN) bench.receive(bench.proposal(block, 0, height % 4));
    for (const index of [0, 1, 2]) bench.receive(bench.vote("prevote", 0, hash, index));
    bench.receive({ type: "commit", commit: bench.commitOf(hash, [0, 1, 2]), block });
    bench.time.advance(1);
  }
  expect(bench.chain.blocks).toHaveLength(heights);
  return bench;
}

/** The same validator with an empty folder, after it has caught up. */
function emptied(blocks: readonly StoredBlock[], startsAfterMs = 1_000): { bench: EngineBench; engine: ReturnType<EngineBench["start"]> } {
  const bench = new EngineBench({ size: 4, ownIndex: OWN });
  bench.time.advance(startsAfterMs);
  const engine = bench.start();
  for (const { block, commit } of blocks) {
    void engine.applyBatch([{ block, commit }]);
    bench.time.advance(1);
  }
  return { bench, engine };
}

/** The others decide the next block now. */
function decideNext(bench: EngineBench, text: string): void {
  const height = bench.chain.tip().height + 1;
  const block = bench.block(text, (height % 4) % 3);
  bench.receive({ type: "commit", commit: bench.commitOf(headerHash(block.header, quickHash), [0, 1, 2]), block });
  bench.time.advance(1);
}

describe("a validator whose memory was emptied", () => {
  it("does not contradict what it signed at the height that its network is at, though no commit shows a signature of it", () => {
    const before = former(12);
    const height = 13;
    const block = before.block("A", height % 4);
    const hash = headerHash(block.header, quickHash);
    before.receive(before.proposal(block, 0, height % 4), ...[0, 2].map((index) => before.vote("prevote", 0, hash, index)));
    expect(ownVotes(before, height).map(({ type }) => type)).toEqual(["prevote", "precommit"]);
    const { bench, engine } = emptied(before.chain.blocks);
    expect(engine.status()).toMatchObject({ height, isVoting: false });
    // The height is woken, and its proposal does not come again.
    bench.receive(bench.vote("prevote", 0, null, 0));
    bench.time.advance(20_000);
    expect(ownVotes(bench, height)).toEqual([]);
    bench.receive(bench.proposal(bench.block("B", (height + 1) % 4), 1, (height + 1) % 4));
    bench.time.advance(20_000);
    expect(ownVotes(bench, height)).toEqual([]);
  });

  it.each([1, 2, 5])("does not vote on the height after %i blocks, also when they come in one batch", (heights) => {
    const before = former(heights);
    const bench = new EngineBench({ size: 4, ownIndex: OWN });
    bench.time.advance(60_000);
    const engine = bench.start();
    void engine.applyBatch(before.chain.blocks.map(({ block, commit }) => ({ block, commit })));
    bench.time.advance(5);
    expect(engine.status()).toMatchObject({ height: heights + 1, isVoting: false });
  });

  it("votes again from the height after one that was made after its start", () => {
    const { bench, engine } = emptied(former(3).chain.blocks);
    bench.time.advance(5_000);
    decideNext(bench, "too soon after the start");
    expect(engine.status()).toMatchObject({ height: 5, isVoting: false });
    bench.time.advance(10_000);
    decideNext(bench, "certainly after it");
    expect(engine.status()).toMatchObject({ height: 6, isVoting: true });
    const block = bench.block("next", 2);
    bench.receive(bench.proposal(block, 0, 2));
    expect(ownVotes(bench, 6)).toHaveLength(1);
  });

  it("abstains in a folder that begins with the state of a block, as after it was emptied", () => {
    const { blocks } = former(6).chain;
    const bench = new EngineBench({ size: 4, ownIndex: OWN });
    bench.time.advance(1_000);
    void bench.chain.apply(blocks.map(({ block, commit }) => ({ block, commit })));
    bench.time.advance(1);
    for (const start of [1, 2]) {
      const engine = bench.start();
      expect(engine.status(), `start ${start}`).toMatchObject({ height: 7, isVoting: false });
      bench.receive(bench.proposal(bench.block(`start ${start}`, 7 % 4), 0, 7 % 4));
      bench.time.advance(20_000);
      expect(ownVotes(bench, 7)).toEqual([]);
    }
    const engine = bench.start();
    bench.time.advance(15_000);
    decideNext(bench, "certainly after the start");
    expect(engine.status()).toMatchObject({ height: 8, isVoting: true });
  });

  it.each([365, -365])("abstains while its clock is %i days off", (days) => {
    const { blocks } = former(6).chain;
    const bench = new EngineBench({ size: 4, ownIndex: OWN });
    void bench.chain.apply(blocks.map(({ block, commit }) => ({ block, commit })));
    bench.time.advance(1);
    bench.sleep(days * 86_400_000);
    const engine = bench.start();
    for (let height = 7; height < 12; height += 1) {
      bench.time.advance(15_000);
      const timeMs = bench.chain.tip().timeMs + 15_000;
      const block = bench.block(`text ${height}`, height % 4, timeMs);
      void engine.applyBatch([{ block, commit: bench.commitOf(headerHash(block.header, quickHash), [0, 1, 2]) }]);
      bench.time.advance(1);
      expect(engine.status()).toMatchObject({ height: height + 1, isVoting: false });
    }
  });

  it("knows at its next start that it waited, and waits again when it had not", () => {
    const { bench } = emptied(former(3).chain.blocks);
    expect(bench.start().status().isVoting).toBe(false);
    bench.time.advance(15_000);
    decideNext(bench, "newer");
    expect(bench.start().status()).toMatchObject({ height: 5, isVoting: true });
  });

  it("is not misled by blocks from the future, which show that its clock is behind", () => {
    const { bench, engine } = emptied(former(3).chain.blocks);
    bench.time.advance(15_000);
    const height = bench.chain.tip().height + 1;
    const block = bench.block("ahead", height % 4, bench.chain.tip().timeMs + 7_200_000);
    void engine.applyBatch([{ block, commit: bench.commitOf(headerHash(block.header, quickHash), [0, 1, 2]) }]);
    bench.time.advance(1);
    expect(engine.status()).toMatchObject({ height: height + 1, isVoting: false });
  });

  it("dates its start by the clock as it is now, which may have been set", () => {
    const { bench, engine } = emptied(former(3).chain.blocks);
    // The clock was an hour behind when it started: blocks of the last hour are older than the start.
    bench.sleep(3_600_000);
    bench.time.advance(1_000);
    const tipMs = bench.chain.tip().timeMs;
    const block = bench.block("of the hour before", 0, tipMs + 1_800_000);
    void engine.applyBatch([{ block, commit: bench.commitOf(headerHash(block.header, quickHash), [0, 1, 2]) }]);
    bench.time.advance(1);
    expect(engine.status().isVoting).toBe(false);
  });

  it("waits for the blocks of an old network before it votes on the first one", () => {
    const bench = new EngineBench({ size: 4, ownIndex: OWN });
    bench.time.advance(1_000_000);
    const engine = bench.start();
    const wake = (): void => bench.receive(bench.vote("prevote", 0, null, 0));
    wake();
    bench.time.advance(HISTORY_WAIT_MS - 1_000);
    expect(bench.sent).toEqual([]);
    expect(engine.status().isVoting).toBe(false);
    // Nothing came: this is the beginning of the network after all.
    bench.time.advance(10_000);
    expect(engine.status().isVoting).toBe(true);
    expect(bench.ownMessages.length).toBeGreaterThan(0);
  });

  it("votes at once with a key that was made by this start", () => {
    const blocks = former(3).chain.blocks;
    const bench = new EngineBench({ size: 4, ownIndex: OWN, hasNewKey: true });
    const engine = bench.start();
    for (const { block, commit } of blocks) void engine.applyBatch([{ block, commit }]);
    bench.time.advance(5);
    expect(engine.status()).toMatchObject({ height: 4, isVoting: true });
  });

  it("votes on when it saw a new network vote on its first block", () => {
    const bench = new EngineBench({ size: 4, ownIndex: OWN });
    const engine = bench.start();
    const block = bench.block("first", 1);
    const hash = headerHash(block.header, quickHash);
    const votes = [0, 1, 2].map((index): ConsensusMessage => bench.vote("precommit", 0, hash, index));
    bench.receive(...votes, { type: "commit", commit: bench.commitOf(hash, [0, 1, 2]), block });
    bench.time.advance(1);
    expect(engine.status()).toMatchObject({ height: 2, isVoting: true });
  });
});
