// Proposals: received, built here, and validated.
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { Proposal } from "#shared/protocol/chain/vote.ts";
import { polkaCertificate } from "./certificates.ts";
import type { BlockValidatedInput, CommitInput, NothingToProposeInput, ProposalBuiltInput, ProposalInput } from "./inputs.ts";
import { startRound } from "./rounds.ts";
import { adoptCommit, applyRules } from "./rules.ts";
import type { ConsensusState } from "./state.ts";
import {
  emit,
  findRound,
  patch,
  putRound,
  recordValidation,
  requestValidation,
  roundOf,
  type Transition,
  validityOf,
} from "./transition.ts";

/** Takes the first proposal of a round from its proposer; a second, different one is evidence. */
export function onProposal(transition: Transition, input: ProposalInput): void {
  const { proposal } = input;
  const { state } = transition;
  if (!isProposalInPlace(state, proposal)) return;
  const known = roundOf(state, proposal.round);
  if (known.proposal !== null) {
    onRepeatedProposal(transition, input);
    return;
  }
  const isOwn = proposal.validatorIndex === state.ownIndex;
  emit(transition, { type: "persist", input, isSync: isOwn });
  if (state.step === "idle") startRound(transition, 0);
  putRound(transition, { ...roundOf(transition.state, proposal.round), proposal: { proposal, isTimely: input.isTimely } });
  if (isOwn) broadcastOwn(transition, input);
  // The block of a round that has not begun waits: executing it could delay the present one.
  if (proposal.round <= transition.state.round) requestValidation(transition, proposal.blockHash);
  applyRules(transition);
}

/** What a proposal is of use for; nothing of it has to be checked before, and its block is not looked at. */
export function classifyProposal(state: ConsensusState, proposal: Proposal): "block" | "evidence" | "none" {
  if (!isProposalInPlace(state, proposal)) return "none";
  const known = findRound(state, proposal.round);
  const first = known?.proposal?.proposal;
  if (first === undefined) return "block";
  const isSame = first.blockHash === proposal.blockHash && first.validRound === proposal.validRound;
  return isSame || known?.hasReportedProposer === true ? "none" : "evidence";
}

/** The own block is ready: propose it, unless the round is over. */
export function onProposalBuilt(transition: Transition, input: ProposalBuiltInput): void {
  const { state } = transition;
  if (input.height !== state.height || input.round !== state.round || !state.isBuilding || state.step !== "propose") return;
  if (state.ownIndex === null) return;
  emit(transition, { type: "persist", input, isSync: false });
  patch(transition, { isBuilding: false, hasNothing: false });
  recordValidation(transition, input.blockHash, true);
  const proposal = { height: state.height, round: state.round, validRound: -1, blockHash: input.blockHash, validatorIndex: state.ownIndex };
  emit(transition, { type: "sign", message: { type: "proposal", proposal } }); // L19
}

/** There is nothing to propose, at least for now. */
export function onNothingToPropose(transition: Transition, input: NothingToProposeInput): void {
  const { height, round, isBuilding, hasNothing } = transition.state;
  if (input.height !== height || input.round !== round || !isBuilding || hasNothing) return;
  emit(transition, { type: "persist", input, isSync: false });
  patch(transition, { hasNothing: true });
  applyRules(transition);
}

/** valid(v) is known. */
export function onBlockValidated(transition: Transition, input: BlockValidatedInput): void {
  const { state } = transition;
  if (input.height !== state.height || validityOf(state, input.blockHash) !== null) return;
  emit(transition, { type: "persist", input, isSync: false });
  recordValidation(transition, input.blockHash, input.isValid);
  applyRules(transition);
}

/** Another node's proof that the height is decided. */
export function onCommit(transition: Transition, input: CommitInput): void {
  const { state } = transition;
  if (input.commit.height !== state.height || state.step === "decided" || state.commit !== null) return;
  emit(transition, { type: "persist", input, isSync: false });
  adoptCommit(transition, input.commit);
  applyRules(transition);
}

function isProposalInPlace(state: ConsensusState, { height, round, validRound, validatorIndex }: Proposal): boolean {
  if (height !== state.height || state.step === "decided" || round > state.round + 1 || validRound >= round) return false;
  return validatorIndex === proposerOf(state.proposers, round);
}

function onRepeatedProposal(transition: Transition, { proposal }: ProposalInput): void {
  const known = roundOf(transition.state, proposal.round);
  const first = known.proposal?.proposal;
  if (first === undefined || known.hasReportedProposer) return;
  if (first.blockHash === proposal.blockHash && first.validRound === proposal.validRound) return;
  putRound(transition, { ...known, hasReportedProposer: true });
  emit(transition, { type: "reportEvidence", evidence: { type: "proposal", first, second: proposal } });
}

/** L19. A value from an earlier round travels with the polka that others may have missed (L28). */
function broadcastOwn(transition: Transition, { proposal }: ProposalInput): void {
  const polka = proposal.validRound >= 0 ? polkaCertificate(transition.state) : undefined;
  if (polka !== undefined) emit(transition, { type: "broadcast", message: { type: "certificate", votes: polka } });
  emit(transition, { type: "broadcast", message: { type: "proposal", proposal } });
}
