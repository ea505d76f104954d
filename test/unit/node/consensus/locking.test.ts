import { describe, expect, it } from "vitest";
import { A, B, CoreBench, HEIGHT, proposalOf, voteOf } from "./core-bench.ts";

// Height 5, four validators: rounds 0, 1, 2, 3 are proposed by validators 1, 2, 3, 0. The core under test is validator 0.
const bench = (): CoreBench => new CoreBench(0).work();
/** Locked on A in round 0, now in round 1. */
const lockedOnA = (): CoreBench =>
  bench().proposal(proposalOf(0, A)).votes("prevote", 0, A, 1, 2).votes("precommit", 0, null, 1, 2).timeout("precommit");
const lastSigned = (core: CoreBench): string | undefined => core.signed.at(-1);

describe("prevote (L22)", () => {
  it.each([
    ["a valid, timely proposal", true, true, "prevote 0 aa"],
    ["an invalid proposal", false, true, "prevote 0 nil"],
    ["an untimely proposal", true, false, "prevote 0 nil"],
  ])("answers %s", (_, isValid, isTimely, expected) => {
    const core = bench().proposal(proposalOf(0, A), isValid, isTimely);
    expect(core.signed).toEqual([expected]);
    expect(core.state.step).toBe("prevote");
  });

  it("waits for the validation", () => {
    const core = bench().proposal(proposalOf(0, A), null);
    expect(core.signed).toEqual([]);
    expect(core.types()).toContain("validateBlock");
    expect(core.validated(A).signed).toEqual(["prevote 0 aa"]);
  });

  it("is nil for another value while locked without a newer polka", () => {
    const core = lockedOnA().proposal(proposalOf(1, B));
    expect(lastSigned(core)).toBe("prevote 1 nil");
    expect(core.state.lockedHash).toBe(A);
  });

  it("is the locked value when that is proposed again", () => {
    expect(lastSigned(lockedOnA().proposal(proposalOf(1, A)))).toBe("prevote 1 aa");
  });

  it.each([
    ["the wrong proposer", { ...proposalOf(0, A), validatorIndex: 2 }],
    ["another height", { ...proposalOf(0, A), height: HEIGHT + 1 }],
    ["a valid round that is not earlier", { ...proposalOf(0, A), validRound: 0 }],
    ["a round beyond the next", proposalOf(2, A)],
  ])("ignores a proposal of %s", (_, proposal) => {
    const core = bench().proposal(proposal);
    expect(core.signed).toEqual([]);
    expect(core.logged).toHaveLength(1);
  });
});

describe("prevote for a value with a polka (L28)", () => {
  it("waits for the polka, then prevotes the value", () => {
    const core = bench()
      .votes("precommit", 0, null, 1, 2, 3)
      .timeout("precommit")
      .proposal(proposalOf(1, B, 0));
    expect(core.signed).toEqual([]);
    core.votes("prevote", 0, B, 1, 2, 3);
    expect(lastSigned(core)).toBe("prevote 1 bb");
  });

  it("overrides an older lock", () => {
    const core = lockedOnA()
      .votes("precommit", 1, null, 1, 2, 3)
      .timeout("precommit")
      .votes("prevote", 1, B, 1, 2, 3)
      .proposal(proposalOf(2, B, 1));
    expect(lastSigned(core)).toBe("prevote 2 bb");
    expect(core.state.lockedHash).toBe(A);
  });

  it("does not override a newer lock", () => {
    // A was locked in round 1; the polka for B is of round 0.
    const core = bench()
      .votes("precommit", 0, null, 1, 2, 3)
      .timeout("precommit")
      .proposal(proposalOf(1, A))
      .votes("prevote", 1, A, 1, 2)
      .votes("precommit", 1, null, 1, 2)
      .timeout("precommit")
      .votes("prevote", 0, B, 1, 2, 3)
      .proposal(proposalOf(2, B, 0));
    expect(core.state.lockedRound).toBe(1);
    expect(lastSigned(core)).toBe("prevote 2 nil");
  });

  it("ignores the time of the block: others found it timely", () => {
    const core = bench().votes("precommit", 0, null, 1, 2, 3).timeout("precommit").votes("prevote", 0, B, 1, 2, 3);
    expect(lastSigned(core.proposal(proposalOf(1, B, 0), true, false))).toBe("prevote 1 bb");
  });
});

describe("lock (L36)", () => {
  it("needs more than two thirds", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("prevote", 0, A, 1);
    expect(core.state.lockedHash).toBeNull();
    core.votes("prevote", 0, A, 2);
    expect(core.state).toMatchObject({ lockedHash: A, lockedRound: 0, validHash: A, validRound: 0, step: "precommit" });
    expect(core.signed).toEqual(["prevote 0 aa", "precommit 0 aa"]);
  });

  it("moves to a value with a newer polka (relock)", () => {
    const core = lockedOnA().proposal(proposalOf(1, B)).votes("prevote", 1, B, 1, 2, 3);
    expect(lastSigned(core)).toBe("precommit 1 bb");
    expect(core.state).toMatchObject({ lockedHash: B, lockedRound: 1 });
  });

  it("stays when the polka is for a value whose block is unknown, and follows once it is known", () => {
    const core = lockedOnA().timeout("propose").votes("prevote", 1, B, 1, 2, 3);
    expect(core.state.lockedHash).toBe(A);
    expect(lastSigned(core)).toBe("prevote 1 nil");
    core.proposal(proposalOf(1, B));
    expect(lastSigned(core)).toBe("precommit 1 bb");
  });

  it("stays when the polka is for an invalid block", () => {
    const core = lockedOnA().proposal(proposalOf(1, B), false).votes("prevote", 1, B, 1, 2, 3);
    expect(core.state.lockedHash).toBe(A);
    expect(core.signed).not.toContain("precommit 1 bb");
  });

  it("a late polka makes the value valid without locking it", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("prevote", 0, null, 1, 2).timeout("prevote");
    expect(lastSigned(core)).toBe("precommit 0 nil");
    core.feed({ type: "certificate", votes: [1, 2, 3].map((index) => voteOf("prevote", 0, A, index)) });
    expect(core.state).toMatchObject({ lockedHash: null, validHash: A, validRound: 0 });
    expect(core.signed).toEqual(["prevote 0 aa", "precommit 0 nil"]);
  });

  it("the own later proposal is the valid value, with its polka for those who missed it", () => {
    const core = lockedOnA();
    for (const round of [1, 2]) core.votes("precommit", round, null, 1, 2, 3).timeout("precommit");
    expect(lastSigned(core)).toBe("prevote 3 aa");
    expect(core.signed).toContain("proposal 3 aa 0");
    const broadcasts = core.effects.filter((effect) => effect.type === "broadcast").map((effect) => effect.message);
    const certificate = broadcasts.findIndex((message) => message.type === "certificate");
    expect(broadcasts[certificate]).toEqual({ type: "certificate", votes: [0, 1, 2].map((index) => voteOf("prevote", 0, A, index)) });
    expect(broadcasts[certificate + 1]?.type).toBe("proposal");
    expect(core.effects.filter((effect) => effect.type === "buildBlock")).toEqual([]);
  });
});

describe("locks that others cannot see", () => {
  it("a polka from before the lock changes nothing (POL safety)", () => {
    // Round 0: the others had a polka for A that this node did not see. Round 1: it locks B.
    const core = bench()
      .proposal(proposalOf(0, A))
      .votes("prevote", 0, null, 1, 2)
      .timeout("prevote")
      .votes("precommit", 0, null, 1, 2)
      .timeout("precommit")
      .proposal(proposalOf(1, B))
      .votes("prevote", 1, B, 1, 2);
    expect(core.state).toMatchObject({ lockedHash: B, lockedRound: 1 });
    core.feed({ type: "certificate", votes: [1, 2, 3].map((index) => voteOf("prevote", 0, A, index)) });
    expect(core.state).toMatchObject({ lockedHash: B, lockedRound: 1, validHash: B, validRound: 1 });
    core
      .votes("precommit", 1, null, 1, 2)
      .timeout("precommit")
      .proposal(proposalOf(2, A, 0));
    expect(lastSigned(core)).toBe("prevote 2 nil");
  });

  it("a polka from after the lock frees it, also for those that did not precommit in it", () => {
    const core = lockedOnA()
      .timeout("propose")
      .votes("precommit", 1, null, 1, 2, 3)
      .timeout("precommit")
      .proposal(proposalOf(2, B, 1));
    expect(core.signed).not.toContain("prevote 2 bb");
    core.feed({ type: "certificate", votes: [1, 2, 3].map((index) => voteOf("prevote", 1, B, index)) });
    expect(lastSigned(core)).toBe("prevote 2 bb");
    core.votes("prevote", 2, B, 1, 2);
    expect(core.state).toMatchObject({ lockedHash: B, lockedRound: 2 });
  });

  it("the value of a hidden lock is decided once a proposer knows of its polka", () => {
    const core = lockedOnA().proposal(proposalOf(1, B)).votes("precommit", 1, null, 1, 2, 3).timeout("precommit");
    expect(lastSigned(core)).toBe("prevote 1 nil");
    core.proposal(proposalOf(2, A, 0));
    expect(lastSigned(core)).toBe("prevote 2 aa");
    core.votes("prevote", 2, A, 1, 2).votes("precommit", 2, A, 1, 2);
    expect(core.decided).toMatchObject({ blockHash: A, round: 2 });
  });

  it("a lock is kept over any number of rounds without a polka", () => {
    const core = lockedOnA();
    for (let round = 1; round < 9; round += 1) {
      core.timeout("propose").votes("prevote", round, null, 1, 2, 3).votes("precommit", round, null, 1, 2, 3).timeout("precommit");
      expect(core.state).toMatchObject({ round: round + 1, lockedHash: A, lockedRound: 0 });
    }
  });
});

describe("nil and timeouts", () => {
  it("precommits nil after a polka for nil (L44)", () => {
    const core = bench().timeout("propose").votes("prevote", 0, null, 1, 2);
    expect(core.signed).toEqual(["prevote 0 nil", "precommit 0 nil"]);
  });

  it("keeps the lock after a polka for nil", () => {
    const core = lockedOnA().proposal(proposalOf(1, B)).votes("prevote", 1, null, 1, 2);
    expect(lastSigned(core)).toBe("precommit 1 nil");
    expect(core.state.lockedHash).toBe(A);
  });

  it("waits once for disagreeing prevotes (L34), then precommits nil (L61)", () => {
    const core = bench().timeout("propose").votes("prevote", 0, A, 1).votes("prevote", 0, B, 2).votes("prevote", 0, A, 3);
    expect(core.scheduled.filter(({ kind }) => kind === "prevote")).toEqual([
      { kind: "prevote", height: HEIGHT, round: 0, durationMs: 1_000 },
    ]);
    expect(lastSigned(core.timeout("prevote"))).toBe("precommit 0 nil");
  });

  it("waits once for disagreeing precommits (L47), then continues (L65), with longer timeouts", () => {
    const core = bench().votes("precommit", 0, null, 1, 2).votes("precommit", 0, A, 3);
    expect(core.scheduled.filter(({ kind }) => kind === "precommit")).toHaveLength(1);
    core.timeout("precommit");
    expect(core.state.round).toBe(1);
    core.work();
    expect(core.scheduled.filter(({ kind }) => kind === "propose").map(({ durationMs }) => durationMs)).toEqual([3_000, 3_500]);
  });

  it.each(["propose", "prevote", "precommit"] as const)("ignores a %s timeout of an earlier round", (kind) => {
    const core = bench().votes("precommit", 0, null, 1, 2, 3).timeout("precommit");
    const before = core.effects.length;
    core.timeout(kind, 0);
    expect(core.effects).toHaveLength(before);
    expect(core.state).toMatchObject({ round: 1, step: "propose" });
  });
});

describe("a polka that comes before its proposal (L36)", () => {
  it("locks and precommits a value that is known already, once it is proposed", () => {
    const core = bench().proposal(proposalOf(0, A)).votes("precommit", 0, null, 1, 2, 3).timeout("precommit");
    core.votes("prevote", 1, A, 1, 2, 3);
    expect([core.state.step, core.state.lockedHash]).toEqual(["propose", null]);
    core.proposal(proposalOf(1, A));
    expect(core.signed.slice(-2)).toEqual(["prevote 1 aa", "precommit 1 aa"]);
    expect([core.state.lockedHash, core.state.lockedRound]).toEqual([A, 1]);
  });
});
