// Whether a proposal that comes without its block is worth the block.
import type { ConsensusState } from "#node/consensus/state.ts";
import { findRound } from "#node/consensus/transition.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { Proposal } from "#shared/protocol/chain/vote.ts";
import type { ProposalUse } from "../engine-interface.ts";

/**
 * Proposals of the current and the next round are, and the first one of the next height: this node may be a message behind. Who proposes
 * there is known when the present round decides its proposer's block, and that changes no validator: see `proposersAfter`.
 */
export function proposalUse(
  state: ConsensusState,
  proposal: Proposal,
  proposersAfter: (proposer: number) => readonly number[],
): ProposalUse {
  const { height, round, validatorIndex, validRound, blockHash } = proposal;
  if (validRound >= round) return "none";
  if (height === state.height + 1) {
    const next = round === 0 ? proposersAfter(proposerOf(state.proposers, state.round)) : [];
    return validatorIndex >= 0 && validatorIndex === next[0] ? "early" : "none";
  }
  if (height !== state.height || validatorIndex !== proposerOf(state.proposers, round)) return "none";
  if (state.step === "decided" || round < state.round || round > state.round + 1) return "none";
  const known = findRound(state, round)?.proposal?.proposal;
  return known !== undefined && known.blockHash === blockHash && known.validRound === validRound ? "none" : "now";
}
