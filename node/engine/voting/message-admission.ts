// Checks messages of other validators before the core sees them: height, indexes, signatures, and that a body belongs to its header.
import { classifyProposal } from "#node/consensus/proposals.ts";
import type { ConsensusState } from "#node/consensus/state.ts";
import { classifyVote, isCertificate, isUsefulCertificate } from "#node/consensus/votes.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import { proposalSignBytes, type Vote, verifyCommit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { assertNever } from "#shared/util/assert.ts";
import { fromHex } from "#shared/util/bytes.ts";
import { type ConsensusMessage, type MessageSender, readBlock } from "../consensus-network.ts";
import { type FinalityContext, isBodyOf, isRound } from "../execution/final-block.ts";
import type { LogRecord } from "../log/log-record.ts";
import { isTimelyProposal } from "./proposal-time.ts";

/** What admission depends on. */
export interface AdmissionContext extends FinalityContext {
  readonly state: ConsensusState;
  readonly nowMs: number;
  readonly sender: MessageSender;
  /** True when one more signature may be checked that no honest validator needs often: of a contradiction, or of a far round. */
  mayCheckSurplus(validatorIndex: number): boolean;
  /** The same block, with what is known of its transactions already. */
  reusePooled(block: Block): Block;
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

/**
 * What a message of the current height is: an input; `useless`, because the core knows it or has no use for it; `dishonest`, because no
 * honest sender would send it. What is of no use is found out before any signature is checked, and a block is decoded last.
 */
export type Admission = LogRecord | "useless" | "dishonest";

export function admitMessage(message: CoreMessage, context: AdmissionContext): Admission {
  switch (message.type) {
    case "proposal":
      return admitProposal(message, context);
    case "vote":
      return admitVote(message, context);
    case "certificate":
      return admitCertificate(message, context);
    case "commit":
      return admitCommit(message, context);
    default:
      return assertNever(message);
  }
}

function admitVote({ vote }: Extract<ConsensusMessage, { type: "vote" }>, context: AdmissionContext): Admission {
  if (!isRound(vote.round) || !isFrom(vote.validatorIndex, context)) return "dishonest";
  const use = classifyVote(context.state, vote);
  if (use === "none" || (use === "surplus" && !context.mayCheckSurplus(vote.validatorIndex))) return "useless";
  return isSigned(vote, context) ? { input: { type: "vote", vote }, block: null } : "dishonest";
}

function admitProposal(message: Extract<ConsensusMessage, { type: "proposal" }>, context: AdmissionContext): Admission {
  const { proposal } = message;
  const { chainId, validators, state, nowMs, verify } = context;
  const { round, validRound, validatorIndex } = proposal;
  const isRoundPair = isRound(round) && (validRound === -1 || isRound(validRound)) && validRound < round;
  if (!isRoundPair || !isFrom(validatorIndex, context) || validatorIndex !== proposerOf(state.proposers, round)) return "dishonest";
  const use = classifyProposal(state, proposal);
  if (use === "none" || (use === "evidence" && !context.mayCheckSurplus(validatorIndex))) return "useless";
  const proposer = validators[validatorIndex]?.publicKey;
  if (proposer === undefined || !verify(proposal.signature, proposalSignBytes(chainId, proposal), fromHex(proposer))) return "dishonest";
  // What contradicts the first proposal proves that by its signature alone.
  if (use === "evidence") return { input: { type: "proposal", proposal, isTimely: false }, block: null };
  const block = pooledBlock(message, context);
  if (block === undefined || !isBodyOf(block, proposal.blockHash, context)) return "dishonest";
  // A value that is proposed again keeps the name of the validator that first proposed it.
  const isKnownAuthor =
    validRound === -1 ? block.header.proposer === proposer : validators.some(({ publicKey }) => publicKey === block.header.proposer);
  if (!isKnownAuthor) return "dishonest";
  return { input: { type: "proposal", proposal, isTimely: isTimelyProposal(block.header.timeMs, nowMs, round) }, block };
}

function admitCommit(message: Extract<ConsensusMessage, { type: "commit" }>, context: AdmissionContext): Admission {
  const { commit } = message;
  const { chainId, validators, state, verify } = context;
  if (state.commit !== null) return "useless";
  if (!isRound(commit.round) || !verifyCommit(chainId, validators, commit, verify)) return "dishonest";
  const block = pooledBlock(message, context);
  if (block === undefined || !isBodyOf(block, commit.blockHash, context)) return "dishonest";
  return { input: { type: "commit", commit }, block };
}

function admitCertificate({ votes }: Extract<ConsensusMessage, { type: "certificate" }>, context: AdmissionContext): Admission {
  const [first] = votes;
  if (first === undefined || !isRound(first.round) || !isCertificate(votes, context.validators.length)) return "dishonest";
  if (!isUsefulCertificate(context.state, votes)) return "useless";
  return votes.every((vote) => isSigned(vote, context)) ? { input: { type: "certificate", votes }, block: null } : "dishonest";
}

/** False for a message on the own stream of another validator than the one that it names. */
function isFrom(validatorIndex: number, { validators, sender }: AdmissionContext): boolean {
  const validator = validators[validatorIndex];
  return validator !== undefined && (sender.publicKey === null || sender.publicKey === validator.publicKey);
}

function isSigned(vote: Vote, { chainId, validators, verify }: AdmissionContext): boolean {
  const validator = validators[vote.validatorIndex];
  return validator !== undefined && verify(vote.signature, voteSignBytes(chainId, vote), fromHex(validator.publicKey));
}

function pooledBlock(message: { readonly block: Block }, { reusePooled }: AdmissionContext): Block | undefined {
  const block = readBlock(message);
  return block === undefined ? undefined : reusePooled(block);
}
