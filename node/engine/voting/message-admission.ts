// Checks messages of other validators before the core sees them: height, indexes, signatures, and that a body belongs to its header.
import type { ConsensusState } from "#node/consensus/state.ts";
import { findRound } from "#node/consensus/transition.ts";
import { proposerIndex } from "#shared/protocol/chain/validators.ts";
import { type Proposal, proposalSignBytes, type Vote, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { assertNever } from "#shared/util/assert.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { ConsensusMessage } from "../consensus-network.ts";
import { type FinalityContext, isBodyOf, isFinalBlock, isRound } from "../execution/final-block.ts";
import type { LogRecord } from "../log/log-record.ts";
import { isTimelyProposal } from "./proposal-time.ts";

/** What admission depends on. */
export interface AdmissionContext extends FinalityContext {
  readonly state: ConsensusState;
  readonly nowMs: number;
}

/** Height that a message speaks of. */
export function messageHeight(message: ConsensusMessage): number {
  switch (message.type) {
    case "proposal":
      return message.proposal.height;
    case "vote":
      return message.vote.height;
    case "certificate":
      return message.votes[0]?.height ?? -1;
    case "commit":
      return message.commit.height;
    case "work":
      return message.height;
    default:
      return assertNever(message);
  }
}

/** A message that the core may learn from; `work` is for the pool of transactions. */
export type CoreMessage = Exclude<ConsensusMessage, { readonly type: "work" }>;

/** The input that a message of the current height is, undefined when it is invalid or brings nothing new. */
export function admitMessage(message: CoreMessage, context: AdmissionContext): LogRecord | undefined {
  switch (message.type) {
    case "proposal":
      return admitProposal(message, context);
    case "vote":
      return isNewVote(message.vote, context) && isValidVote(message.vote, context) ? { input: message, block: null } : undefined;
    case "certificate":
      return isValidCertificate(message.votes, context) ? { input: message, block: null } : undefined;
    case "commit":
      return admitCommit(message, context);
    default:
      return assertNever(message);
  }
}

function admitProposal(message: Extract<ConsensusMessage, { type: "proposal" }>, context: AdmissionContext): LogRecord | undefined {
  const { proposal, block } = message;
  const { chainId, validators, state, nowMs, verify } = context;
  const { height, round, validRound, validatorIndex } = proposal;
  const isRoundPair = isRound(round) && (validRound === -1 || isRound(validRound));
  if (!isRoundPair || validatorIndex !== proposerIndex(height, round, validators.length)) return undefined;
  const known = findRound(state, round)?.proposal?.proposal;
  if (known !== undefined && isSameProposal(known, proposal)) return undefined;
  const proposer = validators[validatorIndex]?.publicKey;
  if (proposer === undefined || !verify(proposal.signature, proposalSignBytes(chainId, proposal), fromHex(proposer))) return undefined;
  if (!isBodyOf(block, proposal.blockHash, context)) return undefined;
  // A value that is proposed again keeps the name of the validator that first proposed it.
  const isFresh = validRound === -1;
  const isKnownAuthor = isFresh
    ? block.header.proposer === proposer
    : validators.some(({ publicKey }) => publicKey === block.header.proposer);
  if (!isKnownAuthor) return undefined;
  return { input: { type: "proposal", proposal, isTimely: isTimelyProposal(block.header.timeMs, nowMs, round) }, block };
}

function admitCommit(message: Extract<ConsensusMessage, { type: "commit" }>, context: AdmissionContext): LogRecord | undefined {
  const { commit, block } = message;
  if (context.state.commit !== null || !isFinalBlock(block, commit, context)) return undefined;
  return { input: { type: "commit", commit }, block };
}

function isValidCertificate(votes: readonly Vote[], context: AdmissionContext): boolean {
  if (votes.length === 0 || votes.length > context.validators.length) return false;
  const isNew = votes.some((vote) => isNewVote(vote, context));
  return isNew && votes.every((vote) => vote.height === context.state.height && isValidVote(vote, context));
}

/** False for a vote that the core holds: rebroadcasts cost no signature check. */
function isNewVote(vote: Vote, { state }: AdmissionContext): boolean {
  const known = findRound(state, vote.round)?.[vote.type === "prevote" ? "prevotes" : "precommits"];
  return known?.votes[vote.validatorIndex]?.blockHash !== vote.blockHash;
}

function isValidVote(vote: Vote, { chainId, validators, verify }: AdmissionContext): boolean {
  const validator = validators[vote.validatorIndex];
  if (validator === undefined || !isRound(vote.round)) return false;
  return verify(vote.signature, voteSignBytes(chainId, vote), fromHex(validator.publicKey));
}

function isSameProposal(a: Proposal, b: Proposal): boolean {
  return a.blockHash === b.blockHash && a.validRound === b.validRound;
}
