import { describe, expect, it } from "vitest";
import type { Evidence } from "#node/consensus/effects.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { ForkWatch, watchForks } from "#node/engine/voting/fork-watch.ts";
import type { CommitReader } from "#node/engine/voting/right/start-checks.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import { type Commit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { testHeader } from "#test/support/chain/header-votes.ts";
import { CHAIN_ID, MemoryChain, quickValidators, quickVerify } from "#test/support/chain/memory-chain.ts";

const { validators, signers } = quickValidators(4);
const OWN = "aa".repeat(32);
const OTHER = "bb".repeat(32);

function commitOf(blockHash: string, indexes: readonly number[], { height = 5, round = 1 } = {}): Commit {
  const message = voteSignBytes(CHAIN_ID, { type: "precommit", height, round, blockHash });
  const bitmap = Uint8Array.of(indexes.reduce((bits, index) => bits | (1 << index), 0));
  return { height, round, blockHash, bitmap, signatures: indexes.map((index) => signers[index]?.sign(message) ?? new Uint8Array(64)) };
}

class World {
  readonly forks: { readonly height: number; readonly accused: readonly number[] }[] = [];
  readonly evidence: Evidence[] = [];
  readonly own = commitOf(OWN, [0, 1, 2]);
  header: BlockHeader = testHeader({ height: 5 });
  readonly others: (LightBlock | undefined)[] = [];
  readonly watch = new ForkWatch({
    chainId: CHAIN_ID,
    hashAt: (height): string | undefined => (height === 5 ? OWN : undefined),
    commits: {
      readCommit: (height): ReturnType<CommitReader["readCommit"]> => (height === 5 ? { commit: this.own, validators } : undefined),
    },
    verify: quickVerify,
    onFork: (height, evidence, other): void => {
      this.others.push(other);
      this.forks.push({ height, accused: evidence.map(({ first }) => first.validatorIndex) });
      this.evidence.push(...evidence);
    },
  });

  check(commit: Commit, lastCommit: Commit | null = null): void {
    this.watch.check({ header: this.header, lastCommit }, commit);
  }
}

describe("two decided blocks of a height", () => {
  it("prove those guilty who signed both, once a height", () => {
    const world = new World();
    world.check(commitOf(OTHER, [1, 2, 3]));
    world.check(commitOf(OTHER, [1, 2, 3]));
    expect(world.forks).toEqual([{ height: 5, accused: [1, 2] }]);
    for (const { type, first, second } of world.evidence) {
      expect([type, first.blockHash, second.blockHash]).toEqual(["vote", OWN, OTHER]);
      for (const vote of [first, second]) {
        const key = Buffer.from(validators[vote.validatorIndex]?.publicKey ?? "", "hex");
        expect(quickVerify(vote.signature, voteSignBytes(CHAIN_ID, { ...vote, type: "precommit" }), key)).toBe(true);
      }
    }
  });

  it("are seen in the commit that a later block carries", () => {
    const world = new World();
    world.check(commitOf("cc".repeat(32), [0, 1, 2], { height: 6 }), commitOf(OTHER, [0, 1, 3]));
    expect(world.forks).toEqual([{ height: 5, accused: [0, 1] }]);
  });

  it("are reported without evidence when two rounds decided", () => {
    const world = new World();
    world.check(commitOf(OTHER, [1, 2, 3], { round: 2 }));
    expect(world.forks).toEqual([{ height: 5, accused: [] }]);
  });

  it("come with the other block where its header is the one that was signed", () => {
    const world = new World();
    const commit = commitOf(headerHash(world.header), [1, 2, 3], { round: 2 });
    world.check(commit);
    expect(world.others).toEqual([{ header: world.header, commit, validators }]);
    const unknown = new World();
    unknown.check(commitOf(OTHER, [1, 2, 3], { round: 2 }));
    expect(unknown.others).toEqual([undefined]);
  });

  it.each<[string, Commit]>([
    ["the same block, by others", commitOf(OWN, [1, 2, 3])],
    ["too few", commitOf(OTHER, [1, 2])],
    ["forged signatures", { ...commitOf(OTHER, [1, 2, 3]), signatures: commitOf(OWN, [1, 2, 3]).signatures }],
    ["an unknown height", commitOf(OTHER, [1, 2, 3], { height: 7 })],
  ])("are not seen in a commit of %s", (_name, commit) => {
    const world = new World();
    world.check(commit);
    expect(world.forks).toEqual([]);
  });

  it("are found by a network that is watched, which hands every message on", () => {
    const world = new World();
    let deliver: (message: ConsensusMessage) => void = () => undefined;
    const sent: ConsensusMessage[] = [];
    const received: ConsensusMessage[] = [];
    const network = watchForks(
      {
        broadcast: (message) => void sent.push(message),
        onMessage: (receive) => {
          deliver = receive;
          return () => undefined;
        },
      },
      world.watch,
      { nowMs: () => 0, monotonicMs: () => 0 },
    );
    const chain = new MemoryChain({ validators, genesisTimeMs: 0, heartbeatMs: 1 });
    const block: Block = chain.forgeBlock([], 1, validators[0]?.publicKey ?? "");
    const message: ConsensusMessage = { type: "commit", commit: commitOf(OTHER, [1, 2, 3]), block };
    network.onMessage((message) => void received.push(message));
    deliver(message);
    network.broadcast(message);
    expect({ sent, received, forks: world.forks.length }).toEqual({ sent: [message], received: [message], forks: 1 });
  });
});
