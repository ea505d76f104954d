// Whether a proposal that comes without its block is worth the block.
import type { ConsensusState } from "#node/consensus/state.ts";
import { findRound } from "#node/consensus/transition.ts";
import { proposerIndex } from "#shared/protocol/chain/validators.ts";
import type { Proposal } from "#shared/protocol/chain/vote.ts";
import type { ProposalUse } from "../engine-interface.ts";

/**
 * Proposals of the current and the next round are, and the first one of the next height: this node may be a message behind. The proposer of
 * another height is judged by the present validators.
 */
export function proposalUse(state: ConsensusState, proposal: Proposal): ProposalUse {
  const { height, round, validatorIndex, validRound, blockHash } = proposal;
  if (validatorIndex !== proposerIndex(height, round, state.validatorCount) || validRound >= round) return "none";
  if (height === state.height + 1) return round === 0 ? "early" : "none";
  if (height !== state.height || state.step === "decided" || round < state.round || round > state.round + 1) return "none";
  const known = findRound(state, round)?.proposal?.proposal;
  return known !== undefined && known.blockHash === blockHash && known.validRound === validRound ? "none" : "now";
}
