// Validators that send what costs others work: forged, contradicting, far, repeated and large messages. What they cost is bounded, and
// what honest ones send is handled as if they were not there.
import { describe, expect, it } from "vitest";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { MalformedBlockError } from "#node/engine/consensus-network.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { commitHash, commitSigners, type Vote } from "#shared/protocol/chain/vote.ts";
import { quickHash } from "#test/support/chain/memory-chain.ts";
import { EngineBench } from "../engine-bench.ts";

/** More than a queue holds. */
const FLOOD = 600;
const HEIGHTS = 6;

function forged(message: ConsensusMessage): ConsensusMessage {
  return message.type === "vote" ? { ...message, vote: { ...message.vote, signature: new Uint8Array(64) } } : message;
}

function hashOf(n: number): string {
  return n.toString(16).padStart(64, "0");
}

/** A proposal whose block is decoded when it is read, as one from the network. */
function lazyProposal(bench: EngineBench, block: Block, round: number, index: number): { message: ConsensusMessage; reads(): number } {
  const { proposal } = bench.proposal(block, round, index);
  let reads = 0;
  const message = Object.defineProperty({ type: "proposal", proposal }, "block", {
    get: (): Block => {
      reads += 1;
      return block;
    },
  }) as ConsensusMessage;
  return { message, reads: () => reads };
}

/** A network of `size` with the engine of validator 0 and attackers at the end. */
class Network {
  readonly bench: EngineBench;
  readonly size: number;
  readonly attackers: readonly number[];
  readonly honest: readonly number[];

  constructor(size: number) {
    this.size = size;
    const faulty = Math.floor((size - 1) / 3);
    this.attackers = Array.from({ length: faulty }, (_, at) => size - 1 - at);
    this.honest = Array.from({ length: size - faulty - 1 }, (_, at) => at + 1);
    this.bench = new EngineBench({ size, ownIndex: 0 });
    this.bench.start();
  }

  get height(): number {
    return this.bench.chain.tip().height;
  }

  /** What the honest send for the next height, each on its stream; the commit, when none of them is its proposer. */
  queueHonest(): void {
    const { bench, size, honest } = this;
    const height = this.height + 1;
    const [proposer = 0] = bench.chain.tip().proposers;
    const block = bench.block(`text ${height}`, proposer);
    const hash = headerHash(block.header, quickHash);
    if (!honest.includes(proposer)) {
      const signers = Array.from({ length: Math.floor((2 * size) / 3) + 1 }, (_, at) => at + 1).filter((index) => index < size);
      bench.queueFrom(honest[0] ?? 1, { type: "commit", commit: bench.commitOf(hash, signers), block });
      return;
    }
    bench.queueFrom(proposer, bench.proposal(block, 0, proposer));
    for (const type of ["prevote", "precommit"] as const)
      for (const index of honest) bench.queueFrom(index, bench.vote(type, 0, hash, index));
  }

  decideOne(attack: (attacker: number) => readonly ConsensusMessage[]): void {
    const before = this.height;
    this.bench.time.advance(5);
    for (const attacker of this.attackers) this.bench.queueFrom(attacker, ...attack(attacker));
    this.queueHonest();
    this.bench.time.advance(0);
    expect(this.height).toBe(before + 1);
  }
}

type Attack = (bench: EngineBench, attacker: number) => readonly ConsensusMessage[];

function flood(make: (bench: EngineBench, attacker: number, n: number) => ConsensusMessage, count = FLOOD): Attack {
  return (bench, attacker) => Array.from({ length: count }, (_, n) => make(bench, attacker, n));
}

function changed(message: ConsensusMessage, change: object): ConsensusMessage {
  return message.type === "vote" ? { type: "vote", vote: { ...message.vote, ...change } } : message;
}

function votesOf(messages: readonly ConsensusMessage[]): readonly Vote[] {
  return messages.flatMap((message) => (message.type === "vote" ? [message.vote] : []));
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  "votes with wrong signatures": flood((bench, own, n) => forged(bench.vote(n % 2 === 0 ? "prevote" : "precommit", n % 3, hashOf(n), own))),
  "votes in the name of others": flood((bench, own, n) =>
    changed(forged(bench.vote("prevote", 0, hashOf(n), own)), { validatorIndex: n % 3 }),
  ),
  "votes that contradict each other": flood((bench, own, n) => bench.vote("prevote", 0, hashOf(n), own)),
  "votes of far rounds": flood((bench, own, n) => bench.vote("precommit", n + 2, null, own)),
  "votes of far heights": flood((bench, own, n) =>
    changed(bench.vote("prevote", 0, null, own), { height: bench.chain.tip().height + 3 + n }),
  ),
  "wrong votes of the next height": flood((bench, own, n) =>
    changed(bench.vote("prevote", 0, hashOf(n), own), { height: bench.chain.tip().height + 2 }),
  ),
  "wrong votes of the last height": flood((bench, own, n) =>
    changed(forged(bench.vote("precommit", 0, hashOf(n), own)), { height: bench.chain.tip().height }),
  ),
  "one vote again and again": (bench, own) => {
    const vote = bench.vote("prevote", 0, null, own);
    return Array.from({ length: FLOOD }, () => vote);
  },
  "certificates of own votes": flood((bench, own, n) => {
    const votes = votesOf([bench.vote("prevote", n, null, own)]);
    return {
      type: "certificate",
      votes: Array.from({ length: 8 }, (_, validatorIndex) => votes.map((vote) => ({ ...vote, validatorIndex }))).flat(),
    };
  }),
  "commits without proof": flood((bench, own) => {
    const commit = bench.commitOf(hashOf(1), [1, 2, 3]);
    return { type: "commit", commit: { ...commit, signatures: commit.signatures.toReversed() }, block: bench.block("forged", own) };
  }, 50),
};

const NAMES = Object.keys(ATTACKS);

describe.each([4, 7, 10])("with f hostile validators of %i", (size) => {
  it.each(NAMES)("every height is decided at once and at little cost under a flood of %s", (name) => {
    const calm = new Network(size);
    for (let n = 0; n < HEIGHTS; n += 1) calm.decideOne(() => []);
    const sieged = new Network(size);
    for (let n = 0; n < HEIGHTS; n += 1) sieged.decideOne((attacker) => ATTACKS[name]?.(sieged.bench, attacker) ?? []);
    const { valid, wrong } = sieged.bench.checks;
    const faulty = sieged.attackers.length;
    // Each attacker: at most one wrong signature before its stream ends, and a burst of signatures that no honest validator sends.
    expect(wrong).toBeLessThanOrEqual(HEIGHTS * faulty);
    expect(valid - calm.bench.checks.valid).toBeLessThanOrEqual(faulty * (32 + 8 * HEIGHTS));
    expect(sieged.bench.rejected.every((index) => sieged.attackers.includes(index))).toBe(true);
    expect(sieged.bench.fatal).toEqual([]);
  });
});

describe("a validator that sends what no honest one sends", () => {
  it.each(["votes with wrong signatures", "votes in the name of others", "certificates of own votes", "commits without proof"])(
    "is blamed for the first of its %s, and the others are not looked at",
    (name) => {
      const bench = new EngineBench({ size: 4, ownIndex: 0 });
      bench.start();
      bench.receiveFrom(3, ...(ATTACKS[name]?.(bench, 3) ?? []));
      expect(bench.rejected).toEqual([3]);
      expect(bench.checks.wrong).toBeLessThanOrEqual(1);
    },
  );

  it("is blamed for a block that is not the one it signed, once, and not for one that is merely invalid", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const [block, other] = [bench.block("a", 1), bench.block("b", 1)];
    bench.receiveFrom(1, ...Array.from({ length: 50 }, () => ({ ...bench.proposal(block, 0, 1), block: other })));
    expect(bench.rejected).toEqual([1]);
    const broken = Object.defineProperty({ type: "proposal", proposal: bench.proposal(block, 0, 1).proposal }, "block", {
      get: (): Block => {
        throw new MalformedBlockError("none");
      },
    }) as ConsensusMessage;
    bench.receiveFrom(1, broken);
    expect(bench.rejected).toEqual([1, 1]);
    const invalid = bench.block("c", 1, bench.chain.tip().timeMs);
    bench.receiveFrom(1, bench.proposal(invalid, 0, 1));
    expect(bench.rejected).toEqual([1, 1]);
    expect(bench.ownMessages).toContain("prevote 0 nil");
  });
});

describe("blocks of a hostile proposer", () => {
  it("are decoded and executed once a round, however many it signs; two of them prove it guilty", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const proposals = Array.from({ length: 60 }, (_, n) => lazyProposal(bench, bench.block(`text ${n}`, 1), 0, 1));
    bench.receiveFrom(1, ...proposals.map(({ message }) => message), ...proposals.map(({ message }) => message));
    expect(proposals.reduce((sum, { reads }) => sum + reads(), 0)).toBeLessThanOrEqual(3);
    expect(bench.chain.calls.validate).toBe(1);
    expect(bench.evidence).toHaveLength(1);
    expect(bench.rejected).toEqual([]);
  });

  it("of a later round are neither decoded twice nor executed before that round begins", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const [next, far] = [lazyProposal(bench, bench.block("x", 2), 1, 2), lazyProposal(bench, bench.block("y", 3), 2, 3)];
    bench.receiveFrom(2, next.message);
    bench.receiveFrom(3, far.message);
    expect(far.reads()).toBe(0);
    expect(bench.chain.calls.validate).toBe(0);
    // More than a third are in the round: it begins.
    for (const index of [1, 3]) bench.receiveFrom(index, bench.vote("prevote", 1, null, index));
    expect(bench.chain.calls.validate).toBe(1);
    expect(bench.rejected).toEqual([]);
  });
});

describe("messages of the next height", () => {
  it("of honest validators have room however many another one sends", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    const engine = bench.start();
    const block = bench.block("a", 1);
    const final = { block, commit: bench.commitOf(headerHash(block.header, quickHash), [1, 2, 3]) };
    const ahead = new EngineBench({ size: 4, ownIndex: null });
    ahead.start();
    ahead.receive({ type: "commit", ...final });
    ahead.time.advance(1);
    bench.receiveFrom(3, ...Array.from({ length: FLOOD }, (_, n) => ahead.vote("prevote", n % 2, hashOf(n), 3)));
    for (const index of [1, 2]) bench.receiveFrom(index, ahead.vote("prevote", 1, null, index));
    bench.receiveFrom(1, { type: "commit", ...final });
    bench.time.advance(1);
    // Two of four are in round 1: this node is there as soon as the height begins.
    expect(engine.status()).toMatchObject({ height: 2, round: 1 });
    expect(bench.rejected).toEqual([]);
  });
});

describe("a proposal of the next height", () => {
  it("has room though others fill theirs with blocks, and none of them is stored who does not propose", () => {
    const bench = new EngineBench({ size: 7, ownIndex: 0, hasNewKey: true });
    const engine = bench.start();
    const block = bench.block("a", 1);
    const final = { block, commit: bench.commitOf(headerHash(block.header, quickHash), [1, 2, 3, 4, 5]) };
    const ahead = new EngineBench({ size: 7, ownIndex: null });
    ahead.start();
    ahead.time.advance(5);
    ahead.receive({ type: "commit", ...final });
    ahead.time.advance(5);
    const forgedBlock = ahead.block("forged", 5);
    for (const index of [5, 6])
      for (let n = 0; n < 40; n += 1) {
        bench.receiveFrom(index, ahead.proposal(forgedBlock, n % 2, index));
        bench.receiveFrom(index, { type: "commit", commit: ahead.commitOf(hashOf(n), [1, 2, 3, 4, 5]), block: forgedBlock });
      }
    bench.receiveFrom(2, ahead.proposal(ahead.block("true", 2), 0, 2));
    bench.time.advance(10);
    bench.receiveFrom(1, { type: "commit", ...final });
    bench.time.advance(1);
    expect(engine.status()).toMatchObject({ height: 2, step: "prevote" });
    expect(bench.ownMessages.filter((message) => message.startsWith("prevote 0 ") && !message.endsWith("nil"))).toHaveLength(1);
    expect(bench.rejected.every((index) => index > 4)).toBe(true);
  });
});

describe("an early proposal", () => {
  it.each([0, 1])("of the next height's proposer is stored when round %i decides, and no other one", (round) => {
    const bench = new EngineBench({ size: 7, ownIndex: null, isShuffled: true });
    const engine = bench.start();
    const [early, author] = [bench.chain.tip().proposers[0] ?? 0, bench.chain.tip().proposers[round] ?? 0];
    expect(engine.status().height).toBe(1);
    const block = bench.block("a", author);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, round, author));
    for (const index of [0, 1, 2, 3, 4]) if (round > 0) bench.receive(bench.vote("prevote", round, hash, index));
    expect(engine.status().round).toBe(round);
    const ahead = new EngineBench({ size: 7, ownIndex: null, isShuffled: true });
    ahead.time.advance(5);
    ahead.chain.store([{ block, commit: bench.commitOf(hash, [0, 1, 2, 3, 4]) }]);
    const { proposers } = ahead.chain.tip();
    expect(bench.chain.proposersAfter(author)).toEqual(proposers);
    expect(proposers.slice(5).includes(early)).toBe(round === 1);
    for (const index of [...proposers].reverse()) bench.receiveFrom(index, ahead.proposal(ahead.block(`b ${index}`, index), 0, index));
    for (const index of [0, 1, 2, 3, 4]) bench.receive(bench.vote("precommit", round, hash, index));
    bench.time.advance(1);
    expect(bench.chain.tip().height).toBe(1);
    const next = headerHash(ahead.block(`b ${proposers[0]}`, proposers[0] ?? 0).header, quickHash);
    for (const index of [0, 1, 2, 3, 4]) bench.receive(bench.vote("precommit", 0, next, index));
    bench.time.advance(1);
    expect(bench.chain.tip().height).toBe(2);
    expect(bench.rejected).toEqual([]);
  });
});

describe("the proposer of a round that sent what no honest one sends", () => {
  const refused = (): { bench: EngineBench; engine: ReturnType<EngineBench["start"]> } => {
    const bench = new EngineBench({ size: 4, ownIndex: 0, hasNewKey: true });
    const engine = bench.start();
    bench.receiveFrom(1, forged(bench.vote("prevote", 0, hashOf(1), 1)));
    expect(bench.rejected).toEqual([1]);
    return { bench, engine };
  };

  it("is not waited for, nor is a round without a block", () => {
    const { bench, engine } = refused();
    bench.commit(engine, "a");
    expect(bench.ownMessages).toEqual(["prevote 0 nil"]);
    bench.receive(bench.vote("prevote", 0, null, 2), bench.vote("prevote", 0, null, 3));
    bench.receive(bench.vote("precommit", 0, null, 2), bench.vote("precommit", 0, null, 3));
    bench.time.advance(1);
    expect(bench.ownMessages).toEqual(["prevote 0 nil", "precommit 0 nil"]);
    expect(engine.status()).toMatchObject({ height: 1, round: 1, step: "propose" });
    bench.time.advance(2_000);
    expect(engine.status()).toMatchObject({ round: 1, step: "propose" });
  });

  it("is waited for again after a while", () => {
    const { bench, engine } = refused();
    bench.time.advance(10_001);
    bench.commit(engine, "a");
    bench.time.advance(1_000);
    expect(bench.ownMessages).toEqual([]);
    bench.receive(bench.proposal(bench.block("a", 1), 0, 1));
    expect(bench.ownMessages).toHaveLength(1);
    expect(bench.ownMessages[0]).not.toContain("nil");
  });

  it("cannot have others refused by what is passed on in their name", () => {
    const bench = new EngineBench({ size: 4, ownIndex: 0, hasNewKey: true });
    const engine = bench.start();
    bench.receivePassedOn(forged(bench.vote("prevote", 0, hashOf(1), 1)));
    bench.commit(engine, "a");
    bench.time.advance(1_000);
    expect(bench.ownMessages).toEqual([]);
  });
});

describe("votes of the last height", () => {
  function decided(): { bench: EngineBench; hash: string } {
    const bench = new EngineBench({ size: 4, ownIndex: 0 });
    bench.start();
    const block = bench.block("a", 1);
    const hash = headerHash(block.header, quickHash);
    bench.receive(bench.proposal(block, 0, 1));
    for (const type of ["prevote", "precommit"] as const) for (const index of [1, 2]) bench.receive(bench.vote(type, 0, hash, index));
    expect(bench.chain.tip().height).toBe(1);
    bench.sent.length = 0;
    return { bench, hash };
  }

  /** What validator 0 proposes in round 2 of height 2. */
  function proposedAfterTwoRounds(bench: EngineBench): Extract<ConsensusMessage, { type: "proposal" }> {
    bench.chain.add("b");
    for (const round of [0, 1]) {
      for (const type of ["prevote", "precommit"] as const)
        for (const index of [1, 2, 3]) bench.receive(bench.vote(type, round, null, index));
      bench.time.advance(1_500);
    }
    const proposal = bench.sent.find((message) => message.type === "proposal");
    if (proposal === undefined) throw new Error("a proposal was expected");
    return proposal;
  }

  const oldVote = (bench: EngineBench, index: number, isSigned: boolean): ConsensusMessage => {
    const other = new EngineBench({ size: 4, ownIndex: null });
    const message = other.vote("prevote", 0, null, index);
    expect(bench.chain.tip().height).toBe(1);
    return isSigned ? message : forged(message);
  };

  it("without a signature bring nothing but blame", () => {
    const { bench } = decided();
    for (let s = 0; s < 10; s += 1) {
      bench.time.advance(2_000);
      bench.sent.length = 0;
      bench.receiveFrom(2, oldVote(bench, 2, false));
      expect(bench.sent.filter(({ type }) => type === "commit")).toEqual([]);
    }
    expect(bench.replies).toEqual([]);
    expect(bench.rejected.length).toBeGreaterThan(0);
  });

  it("bring their validator the commit, once, and no one else anything", () => {
    const { bench } = decided();
    for (let s = 0; s < 10; s += 1) {
      bench.time.advance(2_000);
      bench.sent.length = 0;
      bench.receiveFrom(2, oldVote(bench, 2, true));
      bench.receiveFrom(3, oldVote(bench, 3, true));
      expect(bench.sent.filter(({ type }) => type === "commit")).toEqual([]);
    }
    expect(bench.replies.map(({ to, message }) => [to, message.type])).toEqual([
      [2, "commit"],
      [3, "commit"],
    ]);
  });

  it("of one validator on the stream of another bring nothing", () => {
    const { bench } = decided();
    bench.time.advance(2_000);
    bench.receiveFrom(3, oldVote(bench, 2, true));
    expect(bench.replies).toEqual([]);
    expect(bench.rejected).toEqual([3]);
  });

  it("that are late precommits join the commit that the next header carries; others do not", () => {
    const { bench, hash } = decided();
    const before = bench.chain.tip().commit;
    const other = new EngineBench({ size: 4, ownIndex: null });
    const late = other.vote("precommit", 0, hash, 3);
    bench.receiveFrom(
      3,
      other.vote("precommit", 1, hash, 3),
      other.vote("precommit", 0, null, 3),
      other.vote("precommit", 0, hashOf(9), 3),
    );
    bench.receiveFrom(3, late, late);
    expect(bench.rejected).toEqual([]);
    const proposal = proposedAfterTwoRounds(bench);
    const { lastCommit, header } = proposal.block;
    expect(before === null ? [] : commitSigners(before, 4)).toEqual([0, 1, 2]);
    expect(lastCommit === null ? [] : commitSigners(lastCommit, 4)).toEqual([0, 1, 2, 3]);
    expect(lastCommit === null ? "" : commitHash(lastCommit, quickHash)).toBe(header.lastCommitHash);
    expect(bench.chain.validateBlock(proposal.block).isValid).toBe(true);
  });

  it("that are forged precommits are checked once and join nothing", () => {
    const { bench, hash } = decided();
    const other = new EngineBench({ size: 4, ownIndex: null });
    bench.receiveFrom(3, ...Array.from({ length: 500 }, () => forged(other.vote("precommit", 0, hash, 3))));
    expect(bench.checks.wrong).toBe(1);
    expect(bench.rejected).toEqual([3]);
  });
});
