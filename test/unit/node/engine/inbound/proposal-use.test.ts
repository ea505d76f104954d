// Which proposals are worth a block that is not here yet.
import { describe, expect, it } from "vitest";
import { initialState } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { proposalUse } from "#node/engine/inbound/proposal-use.ts";
import { DEFAULT_TIMEOUTS } from "#node/engine/voting/default-timeouts.ts";
import { proposerIndex } from "#shared/protocol/chain/validators.ts";
import type { Proposal } from "#shared/protocol/chain/vote.ts";

const SIZE = 4;
const HEIGHT = 9;

function proposal(changes: Partial<Proposal> = {}): Proposal {
  const { height = HEIGHT, round = 0 } = changes;
  const signature = new Uint8Array(64);
  return {
    height,
    round,
    validRound: -1,
    blockHash: "aa".repeat(32),
    validatorIndex: proposerIndex(height, round, SIZE),
    signature,
    ...changes,
  };
}

function stateOf(...proposals: readonly Proposal[]): Parameters<typeof proposalUse>[0] {
  const started = step(initialState(DEFAULT_TIMEOUTS), { type: "startHeight", height: HEIGHT, validatorCount: SIZE, ownIndex: 3 });
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
    ["of a value of its own round", { round: 1, validRound: 1 }, "none"],
  ])("%s", (_, changes, use) => {
    expect(proposalUse(stateOf(), proposal(changes))).toBe(use);
  });

  it("that is known is of no use, another one of its round is: it is evidence", () => {
    const state = stateOf(proposal());
    expect(proposalUse(state, proposal())).toBe("none");
    expect(proposalUse(state, proposal({ blockHash: "bb".repeat(32) }))).toBe("now");
  });
});
