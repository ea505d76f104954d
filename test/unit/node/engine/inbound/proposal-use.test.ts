// Which proposals are worth a block that is not here yet.
import { describe, expect, it } from "vitest";
import { initialState } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { proposalUse } from "#node/engine/inbound/proposal-use.ts";
import { DEFAULT_TIMEOUTS } from "#node/engine/voting/default-timeouts.ts";
import type { Proposal } from "#shared/protocol/chain/vote.ts";

const SIZE = 4;
const HEIGHT = 9;
/** Proposers of the height, and of the next one after a block of each validator. */
const PROPOSERS = [1, 2, 3, 0] as const;
const NEXT = [3, 2, 0, 1] as const;

function proposal(changes: Partial<Proposal> = {}): Proposal {
  const { height = HEIGHT, round = 0 } = changes;
  const signature = new Uint8Array(64);
  return {
    height,
    round,
    validRound: -1,
    blockHash: "aa".repeat(32),
    validatorIndex: (height === HEIGHT ? PROPOSERS[round] : next(PROPOSERS[0])[round]) ?? 0,
    signature,
    ...changes,
  };
}

/** After a block of validator p, p + 3 comes first. */
function next(proposer: number): readonly number[] {
  return NEXT.map((offset) => (proposer + offset) % SIZE);
}

function stateOf(...proposals: readonly Proposal[]): Parameters<typeof proposalUse>[0] {
  const start = { type: "startHeight", height: HEIGHT, validatorCount: SIZE, ownIndex: 3, proposers: PROPOSERS } as const;
  const started = step(initialState(DEFAULT_TIMEOUTS), start);
  return proposals.reduce((state, given) => step(state, { type: "proposal", proposal: given, isTimely: true }).state, started.state);
}

describe("a proposal without its block", () => {
  it.each<readonly [string, Partial<Proposal>, string]>([
    ["of the current round", {}, "now"],
    ["of the next round", { round: 1 }, "now"],
    ["of a later round", { round: 2 }, "none"],
    ["of the first round of the next height", { height: HEIGHT + 1 }, "early"],
    ["of another round of the next height", { height: HEIGHT + 1, round: 1 }, "none"],
    ["of a height after that", { height: HEIGHT + 2 }, "none"],
    ["of an earlier height", { height: HEIGHT - 1 }, "none"],
    ["of a validator whose turn it is not", { validatorIndex: 2 }, "none"],
    ["of the next height, of a validator that is not next", { height: HEIGHT + 1, validatorIndex: 1 }, "none"],
    ["of the next height, of none", { height: HEIGHT + 1, validatorIndex: -1 }, "none"],
    ["of a value of its own round", { round: 1, validRound: 1 }, "none"],
  ])("%s", (_, changes, use) => {
    expect(proposalUse(stateOf(), proposal(changes), next)).toBe(use);
  });

  it("of the next height is judged by the proposer of the present round", () => {
    const inRoundOne = [0, 1].reduce((state, index) => {
      const vote = {
        type: "prevote",
        height: HEIGHT,
        round: 1,
        blockHash: null,
        validatorIndex: index,
        signature: new Uint8Array(64),
      } as const;
      return step(state, { type: "vote", vote }).state;
    }, stateOf());
    expect(inRoundOne.round).toBe(1);
    const [first] = next(PROPOSERS[1]);
    expect(proposalUse(inRoundOne, proposal({ height: HEIGHT + 1 }), next)).toBe("none");
    expect(proposalUse(inRoundOne, proposal({ height: HEIGHT + 1, validatorIndex: first ?? -1 }), next)).toBe("early");
  });

  it("that is known is of no use, another one of its round is: it is evidence", () => {
    const state = stateOf(proposal());
    expect(proposalUse(state, proposal(), next)).toBe("none");
    expect(proposalUse(state, proposal({ blockHash: "bb".repeat(32) }), next)).toBe("now");
  });
});
