import { describe, expect, it } from "vitest";
import type { FollowOutcome } from "#node/engine/execution/decided-block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { quickHash } from "#test/support/chain/memory-chain.ts";
import { alice, bob, signed } from "#test/support/worlds/ledger-world.ts";
import { EngineBench, HEARTBEAT_MS, START_MS } from "./engine-bench.ts";

const FOUR = { size: 4, ownIndex: 0 } as const;

/** The next block and the commit of validators 1 to 3, as another node would hand them over. */
function decided(bench: EngineBench, text: string): { block: ReturnType<EngineBench["block"]>; commit: Commit } {
  const block = bench.block(text, 1);
  const blockHash = headerHash(block.header, quickHash);
  const votes = [1, 2, 3].map((index) => bench.vote("precommit", 0, blockHash, index));
  const signatures = votes.flatMap((message) => (message.type === "vote" ? [message.vote.signature] : []));
  return { block, commit: { height: block.header.height, round: 0, blockHash, bitmap: Uint8Array.of(0b1110), signatures } };
}

async function finished(bench: EngineBench, outcome: Promise<FollowOutcome>): Promise<FollowOutcome> {
  bench.time.advance(1);
  return await outcome;
}

describe("following decided blocks", () => {
  it("commits block after block without a vote, a log record or a signature", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const { log } = bench.disk;
    engine.setAbstaining(true);
    for (const text of ["a", "b", "c"]) expect(await finished(bench, engine.applyBatch([decided(bench, text)]))).toBe("committed");
    expect(bench.chain.texts).toEqual(["a", "b", "c"]);
    expect(bench.sent).toEqual([]);
    expect(bench.disk.log).toEqual(log);
    expect(bench.disk.guard).toBeUndefined();
    expect(engine.status()).toMatchObject({ height: 4, step: "idle", isVoting: false });
  });

  it("says when a block is of a height that is over, or too early", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const first = decided(bench, "a");
    expect(await finished(bench, engine.applyBatch([{ ...first, commit: { ...first.commit, height: 2 } }]))).toBe("ahead");
    expect(await finished(bench, engine.applyBatch([first]))).toBe("committed");
    expect(await finished(bench, engine.applyBatch([first]))).toBe("known");
  });

  it("refuses what is not whole or not decided, and continues", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const good = decided(bench, "a");
    const { block, commit } = good;
    const bad = [
      { block: { ...block, evidence: [utf8("swapped")] }, commit },
      { block: { ...block, transactions: [signed(alice, { type: "TRANSFER", to: bob.pub, amount: 1, payload: {} })] }, commit },
      { block: { ...block, lastCommit: commit }, commit },
      { block, commit: { ...commit, blockHash: "11".repeat(32) } },
      { block, commit: { ...commit, bitmap: Uint8Array.of(0b0110), signatures: commit.signatures.slice(0, 2) } },
      { block, commit: { ...commit, signatures: commit.signatures.toReversed() } },
      { block, commit: { ...commit, round: 1 } },
      { block: bench.block("other", 1), commit },
    ];
    for (const forged of bad) expect(await finished(bench, engine.applyBatch([forged]))).toBe("invalid");
    expect(bench.fatal).toEqual([]);
    expect(await finished(bench, engine.applyBatch([good]))).toBe("committed");
  });

  it("stops when more than two thirds committed what is invalid here", () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const { block, commit } = decided(bench, "a");
    bench.chain.validateBlock = (): { isValid: false; reason: string } => ({ isValid: false, reason: "the state root differs" });
    const outcome = engine.applyBatch([{ block, commit }]);
    bench.time.advance(0);
    expect(bench.fatal).toMatchObject([{ code: "INVARIANT", message: expect.stringContaining("the state root differs") }]);
    return expect(outcome).resolves.toBe("stopped");
  });

  it("answers what is queued when the engine stops", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const outcome = engine.applyBatch([decided(bench, "a")]);
    engine.stop();
    expect(await outcome).toBe("stopped");
    expect(await engine.applyBatch([decided(bench, "b")])).toBe("stopped");
  });

  it("leaves the round in which it is, and its timers", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    expect(await finished(bench, engine.applyBatch([decided(bench, "a")]))).toBe("committed");
    expect(engine.status()).toMatchObject({ height: 2, step: "idle" });
    // Only the heartbeat is left.
    expect(bench.time.pending).toBe(1);
  });

  it("restores nothing of a height that was followed over", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    await finished(bench, engine.applyBatch([decided(bench, "a")]));
    bench.disk.restart(0);
    bench.sent.length = 0;
    expect(bench.start().status()).toMatchObject({ height: 2, step: "idle", isVoting: true });
    bench.time.advance(1);
    expect(bench.sent).toEqual([]);
  });
});

describe("a validator whose memory was emptied", () => {
  it("does not vote for ten heights after the last signature of its key that it follows", async () => {
    const bench = new EngineBench({ size: 4, ownIndex: 1 });
    const engine = bench.start();
    await finished(bench, engine.applyBatch([decided(bench, "a")]));
    expect(bench.warnings).toHaveLength(1);
    // Long enough after the start: blocks made now show that nothing older is forgotten.
    bench.time.advance(20_000);
    for (let height = 2; height <= 11; height += 1) {
      expect(engine.status()).toMatchObject({ height, isVoting: false });
      const { block, commit } = decided(bench, `text ${height}`);
      const others = [0, 2, 3].flatMap((index) => {
        const message = bench.vote("precommit", 0, commit.blockHash, index);
        return message.type === "vote" ? [message.vote.signature] : [];
      });
      await finished(bench, engine.applyBatch([{ block, commit: { ...commit, bitmap: Uint8Array.of(0b1101), signatures: others } }]));
    }
    expect(engine.status()).toMatchObject({ height: 12, isVoting: true });
    expect(bench.warnings).toHaveLength(1);
  });

  it("votes on when its guard knows its signatures, and when the commits carry none of them", async () => {
    const knowing = new EngineBench({ size: 4, ownIndex: 1 });
    const engine = knowing.start();
    const block = knowing.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    knowing.receive(knowing.proposal(block, 0, 1), ...[2, 3].map((index) => knowing.vote("prevote", 0, hash, index)));
    expect(knowing.ownMessages.at(-1)).toMatch(/^precommit 0 /);
    const final = decided(knowing, "a");
    await finished(knowing, engine.applyBatch([{ ...final, block }]));
    expect(engine.status()).toMatchObject({ height: 2, isVoting: true });
    const stranger = new EngineBench(FOUR);
    const other = stranger.start();
    stranger.time.advance(20_000);
    await finished(stranger, other.applyBatch([decided(stranger, "a")]));
    expect(other.status().isVoting).toBe(true);
  });
});

describe("abstaining", () => {
  it("signs nothing, and votes again afterwards", () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    engine.setAbstaining(true);
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    expect(bench.sent).toEqual([]);
    expect(bench.disk.guard).toBeUndefined();
    bench.receive(bench.vote("prevote", 1, null, 1), bench.vote("prevote", 1, null, 3));
    engine.setAbstaining(false);
    bench.receive(bench.proposal(bench.block("b", 2), 1, 2));
    expect(bench.ownMessages).toEqual([expect.stringMatching(/^prevote 1 [0-9a-f]/)]);
  });

  it("gives the votes for which the round still waits: no node would ask for them again", () => {
    const bench = new EngineBench({ size: 2, ownIndex: 0 });
    const engine = bench.start();
    engine.setAbstaining(true);
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    engine.setAbstaining(false);
    bench.time.advance(1);
    expect(bench.ownMessages).toEqual([expect.stringMatching(/^prevote 0 [0-9a-f]/)]);
    const alone = new EngineBench();
    const sole = alone.start();
    sole.setAbstaining(true);
    alone.receive(alone.proposal(alone.block("a", 0), 0, 0));
    sole.setAbstaining(false);
    alone.time.advance(1);
    expect(alone.chain.texts).toEqual(["a"]);
  });

  it("builds nothing while it lasts, and what waits once it ends", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 1 });
    const engine = bench.start();
    engine.setAbstaining(true);
    bench.commit(engine, "a");
    expect(bench.chain.calls.build).toBe(0);
    engine.setAbstaining(false);
    bench.time.advance(1);
    expect(bench.ownMessages[0]).toBe("proposal 0");
  });

  it("begins by itself when the machine slept", () => {
    const jumps: number[] = [];
    const bench = new EngineBench({ ...FOUR, onAwake: (jumpMs) => jumps.push(jumpMs) });
    const engine = bench.start();
    bench.time.advance(2 * HEARTBEAT_MS);
    expect(jumps).toEqual([]);
    bench.sleep(600_000);
    bench.receive(bench.proposal(bench.block("a", 1, START_MS + 2 * HEARTBEAT_MS + 600_000), 4, 1));
    expect(jumps).toEqual([600_000]);
    expect(engine.status().isVoting).toBe(false);
    bench.receive(bench.vote("prevote", 5, null, 1));
    expect(jumps).toEqual([600_000]);
  });

  it("does not begin where no listener could end it", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    bench.sleep(600_000);
    bench.commit(engine, "a");
    expect(bench.chain.texts).toEqual(["a"]);
    expect(bench.warnings).toEqual(["The clock jumped: the machine slept, or its time was set"]);
  });
});

describe("a block that is prepared in another thread", () => {
  it("gets its vote once it is prepared, and messages are handled meanwhile", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const preparation = Promise.withResolvers<void>();
    bench.chain.prepareBlock = (): Promise<void> => preparation.promise;
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1), bench.vote("prevote", 0, hash, 1), bench.vote("prevote", 0, hash, 2));
    expect(bench.sent).toEqual([]);
    preparation.resolve();
    await preparation.promise;
    bench.time.advance(0);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash.slice(0, 6)}`, `precommit 0 ${hash.slice(0, 6)}`]);
    expect(engine.status().round).toBe(0);
  });

  it("gets none when its height is over by then", async () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const preparation = Promise.withResolvers<void>();
    bench.chain.prepareBlock = (): Promise<void> => preparation.promise;
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    await finished(bench, engine.applyBatch([decided(bench, "b")]));
    const { validate } = bench.chain.calls;
    preparation.resolve();
    await preparation.promise;
    bench.time.advance(0);
    expect(bench.chain.calls.validate).toBe(validate);
    expect(bench.fatal).toEqual([]);
  });

  it("stops the engine when the preparation fails", async () => {
    const bench = new EngineBench(FOUR);
    bench.start();
    const failure = new Error("no thread");
    bench.chain.prepareBlock = (): Promise<void> => Promise.reject(failure);
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    await Promise.resolve();
    await Promise.resolve();
    expect(bench.fatal).toEqual([failure]);
  });
});

describe("other validators", () => {
  it("get the commit of the last height when they are stuck at it, but not for late votes, and not twice", () => {
    const bench = new EngineBench(FOUR);
    bench.start();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    const late = bench.vote("precommit", 0, hash, 3);
    bench.receive(
      bench.proposal(block, 0, 1),
      ...[1, 2].flatMap((index) => [bench.vote("prevote", 0, hash, index), bench.vote("precommit", 0, hash, index)]),
    );
    expect(bench.chain.texts).toEqual(["a"]);
    bench.sent.length = 0;
    bench.receive(late);
    expect(bench.sent).toEqual([]);
    bench.time.advance(2_000);
    bench.receive(late, late);
    expect(bench.sent).toEqual([]);
    expect(bench.replies).toMatchObject([
      { to: 3, message: { type: "commit", commit: { height: 1, blockHash: hash }, block: { header: { height: 1 } } } },
    ]);
  });

  it("may tell of transactions that wait", () => {
    const reported: number[] = [];
    const bench = new EngineBench({ ...FOUR, onWork: (transactions) => reported.push(transactions.length) });
    const engine = bench.start();
    bench.receive({ type: "work", height: 1, transactions: [] }, { type: "work", height: 9, transactions: [] });
    expect(reported).toEqual([0, 0]);
    expect(engine.status().step).toBe("idle");
  });

  it("cannot fill the memory with messages for the next height", () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    const next = { block: bench.block("later", 2), hash: "" };
    next.block = { ...next.block, header: { ...next.block.header, height: 2 } };
    const proposals = Array.from({ length: 50 }, (_, round) => bench.proposal(next.block, round, 2));
    bench.receive(...proposals);
    const first = decided(bench, "a");
    const handled: number[] = [];
    const receive = bench.chain.validateBlock.bind(bench.chain);
    bench.chain.validateBlock = (block): ReturnType<typeof receive> => {
      handled.push(block.header.height);
      return receive(block);
    };
    bench.receive({ type: "commit", ...first });
    expect(engine.status().height).toBe(2);
    expect(handled.filter((height) => height === 2).length).toBeLessThanOrEqual(1);
  });
});

describe("a height that was woken for nothing", () => {
  it("stays idle after a round without a proposal, and continues with work", () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    bench.receive(...[1, 2, 3].map((index) => bench.vote("precommit", 0, null, index)));
    bench.time.advance(10_000);
    expect(engine.status()).toMatchObject({ round: 1, step: "propose" });
    bench.sent.length = 0;
    bench.time.advance(40_000);
    expect(engine.status()).toMatchObject({ round: 1, step: "propose" });
    // What is repeated tells others how the round was reached, and no more.
    expect(new Set(bench.ownMessages)).toEqual(new Set(["certificate"]));
    bench.chain.add("work");
    engine.notifyWork();
    bench.time.advance(3_501);
    expect(bench.ownMessages).toContain("prevote 1 nil");
  });

  it("is given up at once by a proposer that has nothing, when another one gives it up", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 1 });
    bench.start();
    bench.receive(bench.vote("prevote", 0, null, 2));
    expect(bench.ownMessages).toEqual(["prevote 0 nil"]);
    const busy = new EngineBench({ size: 4, ownIndex: 1 });
    busy.chain.add("work");
    busy.start();
    busy.receive(busy.vote("prevote", 0, null, 2));
    expect(busy.ownMessages[0]).toBe("proposal 0");
  });

  it("is kept going by work that cannot be proposed here yet", () => {
    const bench = new EngineBench(FOUR);
    const engine = bench.start();
    bench.commit(engine, "work");
    bench.receive(...[1, 2, 3].map((index) => bench.vote("precommit", 0, null, index)));
    bench.time.advance(1_000);
    expect(engine.status()).toMatchObject({ round: 1 });
    bench.time.advance(3_500);
    expect(bench.ownMessages).toContain("prevote 1 nil");
  });
});
