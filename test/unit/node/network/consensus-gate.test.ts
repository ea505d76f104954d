import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "#node/network/network-limits.ts";
import type { SignedConsensusMessage } from "#node/network/traffic/consensus-check.ts";
import { ConsensusGate } from "#node/network/traffic/consensus-gate.ts";
import type { Vote } from "#shared/protocol/chain/vote.ts";
import { sampleBlock } from "#test/support/nodes/test-network.ts";

const HASH = "ab".repeat(32);
const { repeatMs, blockRepeatMs, author } = NETWORK_LIMITS.consensus;

function vote(change: Partial<Vote> = {}): Vote {
  return { type: "prevote", height: 5, round: 0, blockHash: HASH, validatorIndex: 1, signature: new Uint8Array(64), ...change };
}

const voteMessage = (change: Partial<Vote> = {}): SignedConsensusMessage => ({ type: "vote", vote: vote(change) });

describe("messages between validators that go by gossip", () => {
  it("travel once in a while, whatever bytes they come in", () => {
    const gate = new ConsensusGate();
    const { block, commit } = sampleBlock(5);
    const messages: readonly SignedConsensusMessage[] = [
      voteMessage(),
      { type: "certificate", votes: [vote(), vote({ validatorIndex: 2 }), vote({ validatorIndex: 3 })] },
      { type: "commit", commit, block },
    ];
    for (const message of messages) {
      const pauseMs = "block" in message ? blockRepeatMs : repeatMs;
      expect(gate.isWanted(message, 0)).toBe(true);
      gate.pass(message, 0);
      expect([gate.isWanted(message, pauseMs - 1), gate.isWanted(message, pauseMs)]).toEqual([false, true]);
    }
    // The same proof by others, and the same decision with other signatures.
    expect(gate.isWanted({ type: "certificate", votes: [3, 2, 0].map((validatorIndex) => vote({ validatorIndex })) }, 1)).toBe(false);
    expect(gate.isWanted({ type: "commit", commit: { ...commit, signatures: [] }, block }, 1)).toBe(false);
    expect(gate.isWanted({ type: "certificate", votes: [vote({ blockHash: null }), vote({ validatorIndex: 2 })] }, 1)).toBe(true);
  });

  it("that were not verified keep nothing out", () => {
    const gate = new ConsensusGate();
    for (let n = 0; n < 10_000; n += 1) expect(gate.isWanted(voteMessage({ round: n }), 0)).toBe(true);
    expect(gate.isWanted(voteMessage(), 0)).toBe(true);
  });

  it("of one validator have a rate of their own", () => {
    const gate = new ConsensusGate();
    let passed = 0;
    for (let round = 0; round < 5_000; round += 1) {
      if (!gate.isWanted(voteMessage({ round }), 0)) continue;
      gate.pass(voteMessage({ round }), 0);
      passed += 1;
    }
    expect(passed).toBe(author.burst);
    expect(gate.isWanted(voteMessage({ validatorIndex: 2 }), 0)).toBe(true);
    expect(gate.isWanted(voteMessage({ round: 5_001 }), 1_000)).toBe(true);
  });
});
