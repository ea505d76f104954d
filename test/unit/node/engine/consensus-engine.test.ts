import { describe, expect, it } from "vitest";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { commitSigners } from "#shared/protocol/chain/vote.ts";
import { utf8 } from "#shared/util/bytes.ts";
import { quickHash } from "#test/support/chain/memory-chain.ts";
import { PowerLoss } from "#test/support/host/simulated-disk.ts";
import { EngineBench, HEARTBEAT_MS, START_MS } from "./engine-bench.ts";

describe("a sole validator", () => {
  it("commits work at once, tells listeners in order, and then rests", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    const heights: number[] = [];
    const remove = engine.onCommit(({ block, commit }) => {
      heights.push(block.header.height);
      expect(bench.chain.blocks.at(-1)?.hash).toBe(commit.blockHash);
    });
    for (const text of ["a", "b", "c"]) bench.commit(engine, text);
    remove();
    bench.commit(engine, "d");
    expect(bench.chain.texts).toEqual(["a", "b", "c", "d"]);
    expect(heights).toEqual([1, 2, 3]);
    expect(bench.time.nowMs).toBe(4);
    expect(bench.time.pending).toBe(1);
    expect(engine.status()).toEqual({ phase: "running", height: 5, round: 0, step: "idle", isVoting: true });
  });

  it("never builds inside the caller's call", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    bench.chain.add("a");
    engine.notifyWork();
    expect(bench.chain.calls.build).toBe(0);
    bench.time.advance(0);
    expect(bench.chain.calls).toEqual({ build: 1, validate: 0, commit: 1 });
  });

  it("syncs log and guard once a block, before the commit", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    const before = { ...bench.disk.syncs };
    for (let index = 0; index < 10; index += 1) bench.commit(engine, `text ${index}`);
    expect(bench.disk.syncs).toEqual({ log: before.log + 10, guard: before.guard + 10 });
  });

  it("collects what arrives within the block interval", () => {
    const bench = new EngineBench({ minBlockIntervalMs: 500 });
    const engine = bench.start();
    bench.commit(engine, "a");
    expect(bench.chain.blocks).toHaveLength(1);
    for (const text of ["b", "c"]) bench.commit(engine, text);
    bench.time.advance(490);
    expect(bench.chain.blocks).toHaveLength(1);
    bench.time.advance(10);
    expect(bench.chain.texts).toEqual(["a", "b", "c"]);
    expect(bench.chain.blocks).toHaveLength(2);
  });

  it("continues automatically while work is left over", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    for (let index = 0; index < 20; index += 1) bench.chain.add(`text ${index}`);
    engine.notifyWork();
    bench.time.advance(0);
    expect(bench.chain.blocks.map(({ block }) => block.evidence.length)).toEqual([8, 8, 4]);
  });

  it("commits an empty block when the heartbeat is due, and only then", () => {
    const bench = new EngineBench();
    bench.start();
    bench.time.advance(HEARTBEAT_MS - 1_001);
    expect(bench.chain.blocks).toHaveLength(0);
    bench.time.advance(1);
    expect(bench.chain.blocks).toHaveLength(1);
    bench.time.advance(2 * HEARTBEAT_MS);
    expect(bench.chain.blocks).toHaveLength(3);
  });

  it("starts nothing without work", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    engine.notifyWork();
    bench.time.advance(1_000);
    expect(bench.chain.calls.build).toBe(0);
    expect(engine.status().step).toBe("idle");
  });

  it("waits with its proposal when the work is gone, and proposes when there is some", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    const hasWork = bench.chain.hasWork.bind(bench.chain);
    let answers = 1;
    bench.chain.hasWork = (nowMs): boolean => (answers-- > 0 ? true : hasWork(nowMs));
    engine.notifyWork();
    bench.time.advance(10);
    expect(engine.status().step).toBe("propose");
    bench.commit(engine, "late");
    expect(bench.chain.texts).toEqual(["late"]);
  });

  it("wakes when what waits for its time may be in a block, and sooner for other work", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    const untilMs = START_MS + 5_000;
    const hasWork = bench.chain.hasWork.bind(bench.chain);
    bench.chain.waitMs = (nowMs): number | null => (nowMs < untilMs ? untilMs - nowMs : null);
    bench.chain.hasWork = (nowMs): boolean => {
      if (nowMs >= untilMs && !bench.chain.texts.includes("large")) bench.chain.add("large");
      return hasWork(nowMs);
    };
    engine.notifyWork();
    bench.time.advance(2_000);
    expect(bench.chain.blocks).toHaveLength(0);
    bench.commit(engine, "small");
    expect(bench.chain.texts).toEqual(["small"]);
    bench.time.advance(4_999 - bench.time.nowMs);
    expect(bench.chain.blocks).toHaveLength(1);
    bench.time.advance(1);
    expect(bench.chain.texts).toEqual(["small", "large"]);
    expect(bench.time.pending).toBe(1);
  });

  it("keeps time increasing when the clock stands still", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    for (const text of ["a", "b", "c"]) {
      bench.chain.add(text);
      engine.notifyWork();
      bench.time.advance(0);
    }
    expect(bench.chain.blocks.map(({ block }) => block.header.timeMs - START_MS)).toEqual([0, 1, 2]);
  });

  it("stops in the middle of everything and sends nothing afterwards", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    engine.onCommit(() => engine.stop());
    bench.commit(engine, "a");
    bench.commit(engine, "b");
    engine.stop();
    expect(bench.chain.texts).toEqual(["a"]);
    expect(engine.status()).toMatchObject({ phase: "stopped", isVoting: false });
    expect(bench.time.pending).toBe(0);
    expect(bench.fatal).toEqual([]);
  });
});

describe("failures", () => {
  it("stops at a failing commit, says so once, and releases nothing more", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    const failure = new Error("disk on fire");
    bench.chain.store = (): never => {
      throw failure;
    };
    bench.commit(engine, "a");
    bench.commit(engine, "b");
    expect(bench.fatal).toEqual([failure]);
    expect(engine.status().phase).toBe("failed");
    expect(bench.time.pending).toBe(0);
  });

  it("sends and commits nothing when the sync fails", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 1 });
    const engine = bench.start();
    bench.disk.failAfter(1, false);
    bench.commit(engine, "a");
    expect(bench.fatal[0]).toBeInstanceOf(PowerLoss);
    expect(bench.sent).toEqual([]);
    expect(bench.chain.blocks).toEqual([]);
  });

  it("starts only once", () => {
    const engine = new EngineBench().start();
    expect(() => engine.start()).toThrow(expect.objectContaining({ code: "INVARIANT" }));
  });
});

describe("restart", () => {
  // Operations of a block: log append, log sync, guard replacement. The chain's own commit is made to fail as the fourth.
  it.each([
    [0, false],
    [0, true],
    [1, false],
    [1, true],
    [2, false],
    [2, true],
  ])("recovers from power loss at storage operation %i (done: %s)", (operation, isDone) => {
    const bench = new EngineBench();
    const first = bench.start();
    bench.commit(first, "before");
    bench.disk.failAfter(operation, isDone);
    bench.commit(first, "during");
    expect(bench.fatal).toHaveLength(1);
    bench.disk.restart(isDone ? 1 : 0.5);
    bench.start();
    bench.time.advance(1);
    expect(bench.chain.texts).toEqual(["before", "during"]);
  });

  it("commits the very block that was signed when only the commit was lost", () => {
    const bench = new EngineBench();
    const first = bench.start();
    const store = bench.chain.store.bind(bench.chain);
    let signed: unknown;
    bench.chain.store = (batch): never => {
      signed = batch.map(({ block }) => headerHash(block.header, quickHash));
      throw new Error("power loss");
    };
    bench.commit(first, "a");
    bench.chain.store = store;
    bench.chain.add("added before the restart");
    bench.disk.restart(0);
    bench.time.advance(5_000);
    bench.start();
    expect(bench.chain.blocks.map(({ hash }) => hash)).toEqual(signed);
    bench.time.advance(1);
    expect(bench.chain.texts).toEqual(["a", "added before the restart"]);
  });

  it("does not sign again what the log shows, and repeats it by rebroadcast", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const block = bench.block("a", 1);
    bench.receive(bench.proposal(block, 0, 1));
    const hash = headerHash(block.header, quickHash).slice(0, 6);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash}`]);
    bench.disk.restart(0);
    bench.sent.length = 0;
    const second = bench.start();
    expect(bench.sent).toEqual([]);
    expect(second.status()).toMatchObject({ step: "prevote", round: 0 });
    bench.time.advance(2_000);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash}`]);
  });

  it("keeps its lock", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1), bench.vote("prevote", 0, hash, 1), bench.vote("prevote", 0, hash, 2));
    bench.disk.restart(0);
    bench.start();
    bench.receive(bench.vote("precommit", 0, null, 1), bench.vote("precommit", 0, null, 2));
    bench.time.advance(1_000);
    bench.sent.length = 0;
    bench.receive(bench.proposal(bench.block("b", 2), 1, 2));
    expect(bench.ownMessages).toEqual(["prevote 1 nil"]);
  });

  it("does not vote at a height whose log was lost, and does at the next", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1));
    bench.disk.log = new Uint8Array();
    bench.sent.length = 0;
    const second = bench.start();
    expect(second.status().isVoting).toBe(false);
    bench.receive(bench.proposal(block, 0, 1), ...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    expect(bench.chain.blocks).toHaveLength(1);
    expect(bench.sent).toEqual([]);
    expect(second.status()).toMatchObject({ height: 2, isVoting: true });
  });

  it("refuses when the log of a sole validator was lost", () => {
    const bench = new EngineBench();
    const first = bench.start();
    bench.chain.store = (): never => {
      throw new Error("power loss");
    };
    bench.commit(first, "a");
    bench.disk.log = new Uint8Array();
    expect(() => bench.start()).toThrow(expect.objectContaining({ code: "VALIDATOR_UNSAFE" }));
  });

  it.each([
    ["missing", undefined],
    ["older", "guard of block 1"],
  ])("refuses validator mode when the guard is %s", (_, content) => {
    const bench = new EngineBench();
    const engine = bench.start();
    bench.commit(engine, "a");
    const old = bench.disk.guard;
    bench.commit(engine, "b");
    engine.stop();
    bench.disk.guard = content === undefined ? undefined : old;
    bench.disk.log = new Uint8Array();
    expect(() => bench.start()).toThrow(
      expect.objectContaining({ code: "VALIDATOR_UNSAFE", details: expect.objectContaining({ height: 2 }) }),
    );
  });

  it("abstains when the guard of one of several is missing, and votes when a newer block is decided", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    for (let height = 1; height <= 11; height += 1) {
      const block = bench.block(`text ${height}`, height % 4);
      const hash = headerHash(block.header, quickHash);
      const signers = height === 1 ? [0, 1, 2] : [1, 2, 3];
      const votes = signers.map((index) => bench.vote("precommit", 0, hash, index));
      const signatures = votes.flatMap((message) => (message.type === "vote" ? [message.vote.signature] : []));
      const bitmap = Uint8Array.of(signers.reduce((bits, index) => bits | (1 << index), 0));
      bench.chain.blocks.push({ block, hash, commit: { height, round: 0, blockHash: hash, bitmap, signatures } });
      if (height === 10) expect(bench.start().status().isVoting).toBe(false);
    }
    const engine = bench.start();
    expect(engine.status().isVoting).toBe(false);
    bench.time.advance(20_000);
    const block = bench.block("newer", 0);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 0), ...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    bench.time.advance(1);
    expect(engine.status()).toMatchObject({ height: 13, isVoting: true });
  });

  it("refuses a damaged log", () => {
    const bench = new EngineBench();
    const engine = bench.start();
    for (const text of ["a", "b"]) bench.commit(engine, text);
    engine.stop();
    bench.disk.log = bench.disk.log.with(20, (bench.disk.log[20] ?? 0) ^ 1);
    expect(() => bench.start()).toThrow(expect.objectContaining({ code: "STORAGE_CORRUPT" }));
  });
});

describe("messages of others", () => {
  const prepared = (): { bench: EngineBench; engine: ReturnType<EngineBench["start"]> } => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    return { bench, engine: bench.start() };
  };

  it("commits with three of four, and with the signatures of those", () => {
    const { bench } = prepared();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1));
    bench.receive(
      ...[1, 2].map((index) => bench.vote("prevote", 0, hash, index)),
      ...[1, 2].map((index) => bench.vote("precommit", 0, hash, index)),
    );
    expect(bench.chain.blocks).toHaveLength(1);
    expect(bench.chain.blocks.map(({ commit }) => commitSigners(commit, 4))).toEqual([[0, 1, 2]]);
    expect(bench.ownMessages).toEqual([`prevote 0 ${hash.slice(0, 6)}`, `precommit 0 ${hash.slice(0, 6)}`]);
  });

  it.each([
    ["within the window", 0, true],
    ["as old as the window", -20_000, true],
    ["older than the window", -20_001, false],
    ["as far ahead as clocks may differ", 5_000, true],
    ["further ahead", 5_001, false],
  ])("judges a block time %s", (_, offsetMs, isTimely) => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    bench.time.advance(30_000);
    const block = bench.block("a", 1, START_MS + 30_000 + offsetMs);
    bench.receive(bench.proposal(block, 0, 1));
    expect(bench.ownMessages).toEqual([`prevote 0 ${isTimely ? headerHash(block.header, quickHash).slice(0, 6) : "nil"}`]);
  });

  it("prevotes nil for an invalid block and says why", () => {
    const { bench } = prepared();
    const block = bench.block("a", 1);
    bench.receive(bench.proposal({ ...block, header: { ...block.header, stateRoot: "11".repeat(32) } }, 0, 1));
    expect(bench.ownMessages).toEqual(["prevote 0 nil"]);
    expect(bench.warnings).toEqual(["a proposed block is invalid"]);
  });

  it("ignores forged, misplaced and mismatched messages, and stays idle", () => {
    const { bench, engine } = prepared();
    const block = bench.block("a", 1);
    const good = bench.proposal(block, 0, 1);
    const vote = bench.vote("prevote", 0, null, 1);
    if (vote.type !== "vote") throw new Error("a vote was expected");
    bench.receive(
      { ...good, proposal: { ...good.proposal, signature: new Uint8Array(64) } },
      { ...good, block: { ...block, evidence: [utf8("swapped")] } },
      {
        ...good,
        block: { ...block, lastCommit: { height: 0, round: 0, blockHash: "00".repeat(32), bitmap: new Uint8Array(1), signatures: [] } },
      },
      bench.proposal(block, 0, 2),
      bench.proposal({ ...block, header: { ...block.header, proposer: bench.signers[3]?.publicKey ?? "" } }, 0, 1),
      bench.proposal({ ...block, header: { ...block.header, proposer: "22".repeat(32) } }, 1, 2, 0),
      { type: "vote", vote: { ...vote.vote, signature: new Uint8Array(64) } },
      { type: "vote", vote: { ...vote.vote, validatorIndex: 2 } },
      { type: "vote", vote: { ...vote.vote, validatorIndex: 4 } },
      { type: "vote", vote: { ...vote.vote, blockHash: "33".repeat(32) } },
      { type: "vote", vote: { ...vote.vote, height: 0 } },
      bench.vote("prevote", 1_000_001, null, 1),
      { type: "vote", vote: { ...vote.vote, round: 0.5 } },
      { ...good, proposal: { ...good.proposal, validRound: -2 } },
      { type: "certificate", votes: [] },
      { type: "certificate", votes: [1, 2, 3].map((validatorIndex) => ({ ...vote.vote, validatorIndex })) },
      {
        type: "commit",
        block,
        commit: { height: 1, round: 0, blockHash: good.proposal.blockHash, bitmap: Uint8Array.of(0b1110), signatures: [] },
      },
    );
    expect(engine.status()).toMatchObject({ step: "idle", round: 0, phase: "running" });
    expect(bench.chain.calls.validate).toBe(0);
    bench.receive(good);
    expect(engine.status().step).toBe("prevote");
  });

  it("keeps a message for the next height until that starts", () => {
    const { bench, engine } = prepared();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    const early = bench.vote("prevote", 0, null, 3);
    bench.receive(bench.proposal(block, 0, 1));
    const other = new EngineBench({ size: 4, ownIndex: 0 });
    other.chain.blocks.push({ block, hash, commit: { height: 1, round: 0, blockHash: hash, bitmap: new Uint8Array(1), signatures: [] } });
    bench.receive(other.vote("prevote", 0, null, 3), early, ...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    expect(engine.status()).toMatchObject({ height: 2, step: "propose" });
  });

  it("follows a commit, executing the block once", () => {
    const { bench, engine } = prepared();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    const votes = [1, 2, 3].map((index) => bench.vote("precommit", 4, hash, index));
    const signatures = votes.flatMap((message) => (message.type === "vote" ? [message.vote.signature] : []));
    bench.receive({ type: "commit", block, commit: { height: 1, round: 4, blockHash: hash, bitmap: Uint8Array.of(0b1110), signatures } });
    expect(bench.chain.texts).toEqual(["a"]);
    expect(bench.chain.calls.validate).toBe(1);
    expect(engine.status()).toMatchObject({ height: 2, step: "idle" });
  });

  it("reports two votes of one validator", () => {
    const { bench } = prepared();
    bench.receive(bench.vote("prevote", 0, null, 2), bench.vote("prevote", 0, "44".repeat(32), 2));
    expect(bench.evidence).toMatchObject([{ type: "vote", first: { validatorIndex: 2 }, second: { validatorIndex: 2 } }]);
  });

  it("sends the block with the proposal", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 1 });
    const engine = bench.start();
    bench.commit(engine, "a");
    expect(bench.ownMessages).toEqual(["proposal 0", expect.stringMatching(/^prevote 0 /)]);
    expect(bench.sent[0]).toMatchObject({ type: "proposal", block: { header: { height: 1 } } });
  });

  it("watches without a key", () => {
    const bench = new EngineBench({ size: 4, ownIndex: null });
    const engine = bench.start();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1), ...[1, 2, 3].map((index) => bench.vote("precommit", 0, hash, index)));
    expect(bench.chain.texts).toEqual(["a"]);
    expect(bench.sent).toEqual([]);
    expect(engine.status().isVoting).toBe(false);
    expect(bench.disk.guard).toBeUndefined();
  });

  it("drops messages beyond its capacity instead of growing", () => {
    const { bench, engine } = prepared();
    const flood = Array.from({ length: 5_000 }, () => bench.vote("prevote", 0, null, 3));
    bench.receive(...flood, bench.vote("prevote", 0, null, 2));
    expect(engine.status()).toMatchObject({ step: "propose", phase: "running" });
    bench.receive(bench.vote("prevote", 1, null, 2), bench.vote("prevote", 1, null, 3));
    expect(engine.status().round).toBe(1);
  });
});
