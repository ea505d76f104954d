import { describe, expect, it } from "vitest";
import { initialState } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { commitSigners } from "#shared/protocol/chain/vote.ts";
import { A, B, CoreBench, HEIGHT, proposalOf, signatureOf, turnsOf, voteOf } from "./core-bench.ts";

const bench = (): CoreBench => new CoreBench(0).work();

describe("decision (L49)", () => {
  it("takes more than two thirds of precommits for a valid block", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("prevote", 0, A, 1, 2).votes("precommit", 0, A, 3);
    expect(core.decided).toBeUndefined();
    core.votes("precommit", 0, A, 1);
    expect(core.decided).toMatchObject({ height: HEIGHT, round: 0, blockHash: A });
    expect(core.decided === undefined ? [] : commitSigners(core.decided, 4)).toEqual([0, 1, 3]);
    expect(core.decided?.signatures).toEqual([0, 1, 3].map(signatureOf));
    expect(core.state.step).toBe("decided");
  });

  it("holds all precommits that arrived before the block was validated, of whatever order, and those of a contradiction", () => {
    const core = new CoreBench(null, 7).votes("precommit", 0, A, 6, 0, 2, 5, 1);
    core.votes("precommit", 0, B, 4).votes("precommit", 0, A, 4).votes("precommit", 0, null, 3);
    core.feed({ type: "proposal", proposal: { ...proposalOf(0, A), validatorIndex: 5 }, isTimely: true }).validated(A);
    const { decided } = core;
    expect(decided === undefined ? [] : commitSigners(decided, 7)).toEqual([0, 1, 2, 4, 5, 6]);
    expect(decided?.signatures).toEqual([0, 1, 2, 4, 5, 6].map(signatureOf));
  });

  it("can come from an earlier round", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("prevote", 0, null, 1, 2).timeout("prevote");
    core.votes("precommit", 0, A, 2, 3).timeout("precommit");
    expect(core.state.round).toBe(1);
    core.votes("precommit", 0, A, 1);
    expect(core.decided).toMatchObject({ round: 0, blockHash: A });
  });

  it("waits for the block, and never decides nil", () => {
    const core = bench().votes("precommit", 0, A, 1, 2, 3);
    expect(core.decided).toBeUndefined();
    core.proposal(proposalOf(0, A));
    expect(core.decided?.blockHash).toBe(A);
    expect(new CoreBench(0).work().votes("precommit", 0, null, 1, 2, 3).decided).toBeUndefined();
  });

  it("follows a commit of others, even when idle", () => {
    const commit = { height: HEIGHT, round: 7, blockHash: B, bitmap: Uint8Array.of(0b1110), signatures: [1, 2, 3].map(signatureOf) };
    const core = new CoreBench(0).feed({ type: "commit", commit });
    expect(core.types()).toEqual(["validateBlock"]);
    expect(core.validated(B).decided).toEqual(commit);
    expect(core.signed).toEqual([]);
  });

  it("halts when more than two thirds commit what is invalid here", () => {
    const core = bench().proposal(proposalOf(0, A), false).votes("precommit", 0, A, 1, 2, 3);
    expect(core.decided).toBeUndefined();
    expect(core.types().at(-1)).toBe("halt");
  });

  it("does nothing more at a decided height", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("precommit", 0, A, 1, 2, 3);
    const before = core.effects.length;
    core.votes("prevote", 0, B, 1, 2, 3).proposal(proposalOf(1, B)).timeout("precommit").work();
    expect(core.effects).toHaveLength(before);
  });
});

describe("a single validator", () => {
  it("decides in one go, without a timeout", () => {
    const core = new CoreBench(0, 1).work();
    expect(core.types()).toEqual(["cancelTimeouts", "buildBlock"]);
    core.feed({ type: "proposalBuilt", height: HEIGHT, round: 0, blockHash: A });
    expect(core.signed).toEqual(["proposal 0 aa -1", "prevote 0 aa", "precommit 0 aa"]);
    expect(core.decided?.blockHash).toBe(A);
    expect(core.scheduled.filter(({ kind }) => kind !== "precommit")).toEqual([]);
  });
});

describe("round skip (L55)", () => {
  it("follows more than a third to the round they share", () => {
    const core = bench().votes("prevote", 3, null, 1);
    expect(core.state.round).toBe(0);
    core.votes("precommit", 3, null, 2);
    expect(core.state.round).toBe(3);
  });

  it("counts a later round of one for the earlier round of the other", () => {
    const core = bench().votes("prevote", 9, null, 1).votes("prevote", 4, null, 2);
    expect(core.state.round).toBe(4);
  });

  it("counts a validator once", () => {
    const core = bench().votes("prevote", 1, null, 1).votes("precommit", 1, null, 1).votes("prevote", 2, null, 1);
    expect(core.state.round).toBe(0);
  });

  it("keeps the votes that caused it", () => {
    const core = bench().votes("prevote", 6, A, 1, 2);
    expect(core.state.round).toBe(6);
    core.proposal(proposalOf(6, A)).votes("prevote", 6, A, 3);
    expect(core.state.lockedRound).toBe(6);
  });

  it("keeps both votes of a validator that was ahead", () => {
    const core = bench().votes("prevote", 5, A, 1).votes("precommit", 5, A, 1).votes("precommit", 5, A, 2);
    expect(core.state.round).toBe(5);
    const round = core.state.rounds.find((entry) => entry.round === 5);
    expect([round?.prevotes.voters, round?.precommits.voters]).toEqual([1, 2]);
    core.proposal(proposalOf(5, A)).votes("precommit", 5, A, 3);
    expect(core.decided).toMatchObject({ round: 5, blockHash: A });
  });

  it("proposes when it skips to an own round", () => {
    const core = bench().votes("prevote", 3, null, 1, 2);
    expect(core.effects.filter((effect) => effect.type === "buildBlock")).toEqual([{ type: "buildBlock", height: HEIGHT, round: 3 }]);
    core.feed({ type: "proposalBuilt", height: HEIGHT, round: 3, blockHash: B });
    expect(core.signed).toEqual(["proposal 3 bb -1", "prevote 3 bb"]);
  });

  it("drops a block that was built for a round that is over", () => {
    const core = bench().votes("prevote", 3, null, 1, 2).votes("prevote", 4, null, 2, 3);
    core.feed({ type: "proposalBuilt", height: HEIGHT, round: 3, blockHash: B });
    expect(core.signed).toEqual([]);
  });

  it("keeps bounded memory whatever rounds one validator claims", () => {
    const core = bench();
    for (let round = 2; round < 5_000; round += 1) core.votes("prevote", round, null, 1);
    expect(core.state.rounds).toEqual([]);
    expect(core.logged.length).toBeLessThan(100);
    expect(core.state.round).toBe(0);
  });
});

describe("what must be durable before it is sent", () => {
  it("is every own message, and no other", () => {
    const core = new CoreBench(1).work().feed({ type: "proposalBuilt", height: HEIGHT, round: 0, blockHash: A });
    core.votes("prevote", 0, A, 0, 2).votes("precommit", 0, A, 0, 2);
    const synced = core.effects.flatMap((effect) => {
      if (effect.type !== "persist" || (effect.input.type !== "vote" && effect.input.type !== "proposal")) return [];
      const { validatorIndex } = effect.input.type === "vote" ? effect.input.vote : effect.input.proposal;
      return [`${effect.input.type} ${validatorIndex} ${effect.isSync}`];
    });
    expect(synced.toSorted()).toEqual(
      ["proposal 1 true", "vote 0 false", "vote 0 false", "vote 1 true", "vote 1 true", "vote 2 false", "vote 2 false"].toSorted(),
    );
  });

  it("is one proposal a round, however many blocks were built for it", () => {
    const started = step(initialState({ proposeMs: 1, prevoteMs: 1, precommitMs: 1, deltaMs: 1, rebroadcastMs: 1 }), {
      type: "startHeight",
      height: HEIGHT,
      validatorCount: 4,
      ownIndex: 1,
      proposers: turnsOf(4),
    });
    let { state } = step(started.state, { type: "workAvailable", height: HEIGHT });
    const signed: string[] = [];
    for (const blockHash of [A, B]) {
      const next = step(state, { type: "proposalBuilt", height: HEIGHT, round: 0, blockHash });
      state = next.state;
      signed.push(...next.effects.map(({ type }) => type).filter((type) => type === "sign"));
    }
    expect(signed).toHaveLength(1);
  });
});

describe("certificates", () => {
  const votes = (indexes: readonly number[], round = 7): ReturnType<typeof voteOf>[] =>
    indexes.map((index) => voteOf("prevote", round, A, index));

  it("brings a core to the round of a polka, whatever the distance", () => {
    const core = bench().feed({ type: "certificate", votes: votes([1, 2, 3]) });
    expect(core.state.round).toBe(7);
    core.proposal(proposalOf(7, A));
    expect(core.state.lockedRound).toBe(7);
  });

  it.each([
    ["empty", []],
    ["too small", votes([1, 2])],
    ["of one signer twice", votes([1, 2, 2])],
    ["of an unknown signer", votes([1, 2, 4])],
    ["of mixed rounds", [...votes([1, 2]), ...votes([3], 6)]],
    ["of mixed types", [...votes([1, 2]), voteOf("precommit", 7, A, 3)]],
    ["of another height", votes([1, 2, 3]).map((vote) => ({ ...vote, height: HEIGHT + 1 }))],
    ["of mixed heights", votes([1, 2, 3]).map((vote, index) => ({ ...vote, height: HEIGHT + (index === 2 ? 1 : 0) }))],
  ])("ignores one that is %s", (_, certificate) => {
    const core = bench();
    const before = core.state;
    core.feed({ type: "certificate", votes: certificate });
    expect(core.state).toBe(before);
  });

  it("counts a quorum whose signer voted three ways", () => {
    const core = bench().proposal(proposalOf(0, B)).votes("prevote", 0, null, 3).votes("prevote", 0, A, 3);
    core.feed({ type: "certificate", votes: [1, 2, 3].map((index) => voteOf("prevote", 0, B, index)) });
    expect(core.state).toMatchObject({ lockedHash: B, lockedRound: 0 });
  });
});

describe("equivocation", () => {
  it("reports two votes once, and keeps at most two", () => {
    const core = bench().votes("prevote", 0, A, 1).votes("prevote", 0, B, 1).votes("prevote", 0, null, 1).votes("prevote", 0, B, 1);
    expect(core.evidence).toEqual([{ type: "vote", first: voteOf("prevote", 0, A, 1), second: voteOf("prevote", 0, B, 1) }]);
    expect(core.state.rounds[0]?.prevotes.voters).toBe(1);
  });

  it("does not take a repeated vote, nor votes of another type or round, for it", () => {
    const core = bench().votes("prevote", 0, A, 1, 1).votes("precommit", 0, B, 1).votes("prevote", 1, B, 1);
    expect(core.evidence).toEqual([]);
  });

  it("reports two proposals once and stays with the first", () => {
    const core = bench().proposal(proposalOf(0, A)).proposal(proposalOf(0, B)).proposal(proposalOf(0, B));
    expect(core.evidence).toEqual([{ type: "proposal", first: proposalOf(0, A), second: proposalOf(0, B) }]);
    expect(core.signed).toEqual(["prevote 0 aa"]);
  });
});

describe("on-demand heights", () => {
  it("does nothing at all while idle", () => {
    const core = new CoreBench(1);
    expect(core.state.step).toBe("idle");
    core.timeout("propose").timeout("rebroadcast");
    expect(core.effects).toEqual([]);
  });

  it.each([
    ["work", (core: CoreBench): CoreBench => core.work()],
    ["a proposal", (core: CoreBench): CoreBench => core.proposal(proposalOf(0, A), null)],
    ["a vote", (core: CoreBench): CoreBench => core.votes("prevote", 0, A, 2)],
    ["a vote of a far round", (core: CoreBench): CoreBench => core.votes("prevote", 8, A, 2)],
  ])("wakes by %s", (_, wake) => {
    const core = wake(new CoreBench(0));
    expect(core.state.step).toBe("propose");
    expect(core.scheduled.map(({ kind }) => kind)).toEqual(["rebroadcast", "propose"]);
  });

  it("ignores work of another height and a second wake-up", () => {
    const core = new CoreBench(0).feed({ type: "workAvailable", height: HEIGHT + 1 });
    expect(core.state.step).toBe("idle");
    core.work();
    const before = core.effects.length;
    expect(core.work().effects).toHaveLength(before);
  });
});

describe("idle rounds", () => {
  /** Round 0 ended without a proposal; no decision is requested in round 1. */
  const idleRound = (own = 0): CoreBench => new CoreBench(own).work().votes("precommit", 0, null, 1, 2, 3).timeout("precommit");
  const proposeTimeouts = (core: CoreBench): readonly number[] =>
    core.scheduled.filter(({ kind }) => kind === "propose").map(({ round }) => round);

  it("asks for work and waits without a propose timeout", () => {
    const core = idleRound();
    expect(core.state).toMatchObject({ round: 1, step: "propose", isIdleRound: true });
    expect(core.effects.filter(({ type }) => type === "awaitWork")).toEqual([{ type: "awaitWork", height: HEIGHT, round: 1 }]);
    expect(proposeTimeouts(core)).toEqual([0]);
  });

  it.each([
    ["work", (core: CoreBench): CoreBench => core.work()],
    ["a prevote of the round", (core: CoreBench): CoreBench => core.votes("prevote", 1, null, 2)],
    ["a precommit of the round", (core: CoreBench): CoreBench => core.votes("precommit", 1, null, 2)],
    ["a proposal whose block is awaited", (core: CoreBench): CoreBench => core.proposal(proposalOf(1, A), null)],
  ])("are ended by %s", (_, end) => {
    const core = end(idleRound());
    expect(core.state.isIdleRound).toBe(false);
    expect(proposeTimeouts(core)).toEqual([0, 1]);
  });

  it("are not ended by a vote of an earlier or a later round", () => {
    const core = idleRound().votes("prevote", 0, null, 2).votes("prevote", 2, null, 2);
    expect(core.state.isIdleRound).toBe(true);
  });

  it("still ask their proposer for a block", () => {
    const core = idleRound(2);
    expect(core.types().slice(-2)).toEqual(["awaitWork", "buildBlock"]);
    core.feed({ type: "proposalBuilt", height: HEIGHT, round: 1, blockHash: A });
    expect(core.signed).toContain("proposal 1 aa -1");
    expect(core.state.isIdleRound).toBe(false);
  });

  it("do not follow a lock: a value may be half decided", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("prevote", 0, A, 1, 2).votes("precommit", 0, null, 1, 2).timeout("precommit");
    expect(core.state).toMatchObject({ round: 1, lockedHash: A, isIdleRound: false });
    expect(proposeTimeouts(core)).toEqual([0, 1]);
  });

  it("do not hold back a round that others have begun", () => {
    const core = new CoreBench(0).work().votes("prevote", 1, null, 2).votes("precommit", 0, null, 1, 2, 3).timeout("precommit");
    expect(core.state).toMatchObject({ round: 1, isIdleRound: false });
  });
});

describe("a round without anything to propose", () => {
  /** Validator 1 is the proposer of round 0. */
  const empty = (): CoreBench => new CoreBench(1).work().feed({ type: "nothingToPropose", height: HEIGHT, round: 0 });

  it("waits for something to propose while no validator has given it up", () => {
    expect(empty().signed).toEqual([]);
    expect(empty().votes("prevote", 0, A, 2).signed).toEqual([]);
    const core = empty().feed({ type: "proposalBuilt", height: HEIGHT, round: 0, blockHash: A }).votes("prevote", 0, null, 2);
    expect(core.signed).toEqual(["proposal 0 aa -1", "prevote 0 aa"]);
  });

  it("is given up by its proposer as soon as another one has, and proposes nothing any more", () => {
    const core = empty().votes("prevote", 0, null, 2).feed({ type: "proposalBuilt", height: HEIGHT, round: 0, blockHash: A });
    expect(core.signed).toEqual(["prevote 0 nil"]);
    const later = new CoreBench(1).votes("prevote", 0, null, 2);
    expect(later.signed).toEqual([]);
    expect(later.feed({ type: "nothingToPropose", height: HEIGHT, round: 0 }).signed).toEqual(["prevote 0 nil"]);
  });

  it("is given up by the others as soon as its proposer has", () => {
    const core = new CoreBench(0).work().votes("prevote", 0, null, 2);
    expect(core.signed).toEqual([]);
    expect(core.votes("prevote", 0, null, 1).signed).toEqual(["prevote 0 nil", "precommit 0 nil"]);
    // Whose proposal came first is judged by that, whatever it votes.
    expect(new CoreBench(0).proposal(proposalOf(0, A), null).votes("prevote", 0, null, 1).signed).toEqual([]);
  });

  it("says so once, and only when it was asked for a block", () => {
    const core = empty();
    const logged = core.logged.length;
    core.feed({ type: "nothingToPropose", height: HEIGHT, round: 0 }).feed({ type: "nothingToPropose", height: HEIGHT, round: 1 });
    expect(core.logged).toHaveLength(logged);
    const other = new CoreBench(0).work();
    expect(other.feed({ type: "nothingToPropose", height: HEIGHT, round: 0 }).state.hasNothing).toBe(false);
  });
});

describe("rebroadcast", () => {
  it("repeats own messages of the round and how it was reached", () => {
    const core = bench().votes("precommit", 0, null, 1, 2, 3).timeout("precommit").timeout("propose");
    const before = core.effects.length;
    core.timeout("rebroadcast");
    const sent = core.effects.slice(before).flatMap((effect) => (effect.type === "broadcast" ? [effect.message] : []));
    expect(sent).toEqual([
      { type: "certificate", votes: [1, 2, 3].map((index) => voteOf("precommit", 0, null, index)) },
      { type: "vote", vote: voteOf("prevote", 1, null, 0) },
    ]);
    expect(core.effects.at(-1)).toMatchObject({ type: "scheduleTimeout", timeout: { kind: "rebroadcast", round: 1 } });
  });
});

describe("an observer", () => {
  it("decides without signing", () => {
    const core = new CoreBench(null).proposal(proposalOf(0, A)).votes("prevote", 0, A, 0, 1, 2).votes("precommit", 0, A, 0, 1, 2);
    expect(core.decided?.blockHash).toBe(A);
    expect(core.signed).toEqual([]);
  });
});

describe("log order", () => {
  it("logs an input before anything it causes, and own messages synced before they are sent", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("prevote", 0, A, 1, 2);
    const ownVote = core.effects.findIndex((effect) => effect.type === "persist" && effect.isSync);
    expect(core.effects[ownVote]).toMatchObject({ type: "persist", input: { type: "vote", vote: { validatorIndex: 0 } } });
    expect(core.effects[ownVote + 1]).toMatchObject({ type: "broadcast", message: { type: "vote", vote: { validatorIndex: 0 } } });
    for (const effect of core.effects)
      if (effect.type === "persist" && effect.input.type === "vote") expect(effect.isSync).toBe(effect.input.vote.validatorIndex === 0);
  });

  it("restores the same state from the log", () => {
    const core = bench()
      .proposal(proposalOf(0, A))
      .votes("prevote", 0, A, 1, 2)
      .votes("precommit", 0, null, 1, 2)
      .timeout("precommit")
      .votes("prevote", 6, B, 1)
      .votes("prevote", 5, B, 3)
      .feed({ type: "certificate", votes: [1, 2, 3].map((index) => voteOf("prevote", 8, B, index)) });
    const start = { type: "startHeight", height: HEIGHT, validatorCount: 4, ownIndex: 0, proposers: turnsOf(4) } as const;
    let restored = step(initialState(core.state.timeouts), start).state;
    for (const input of core.logged) restored = step(restored, input).state;
    expect(restored).toEqual(core.state);
  });
});
