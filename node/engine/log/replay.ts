// What a restored log means: which signatures it shows, and which effects are still open at its end.

import type { ConsensusEffect } from "#node/consensus/effects.ts";
import type { LoggedInput } from "#node/consensus/inputs.ts";
import type { ConsensusState } from "#node/consensus/state.ts";
import { proposalSignBytes, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import type { SignedRecord, SignPosition } from "./sign-guard.ts";

/** Position of the own signature that an input carries, if any. */
export function ownPosition(input: LoggedInput, ownIndex: number | null): SignPosition | undefined {
  if (input.type === "proposal" && input.proposal.validatorIndex === ownIndex) {
    return { height: input.proposal.height, round: input.proposal.round, step: "proposal" };
  }
  if (input.type === "vote" && input.vote.validatorIndex === ownIndex) {
    return { height: input.vote.height, round: input.vote.round, step: input.vote.type };
  }
  return undefined;
}

/** The own signature that an input carries, if any, as the sign guard stores it. */
export function ownSignature(input: LoggedInput, ownIndex: number | null, chainId: string): SignedRecord | undefined {
  const position = ownPosition(input, ownIndex);
  if (position === undefined) return undefined;
  if (input.type === "proposal")
    return { position, signBytes: proposalSignBytes(chainId, input.proposal), signature: input.proposal.signature };
  if (input.type === "vote") return { position, signBytes: voteSignBytes(chainId, input.vote), signature: input.vote.signature };
  return undefined;
}

/** True when a logged input is the result of an effect, so that the effect need not be executed again. */
export function isCompletedBy(effect: ConsensusEffect, input: LoggedInput): boolean {
  switch (effect.type) {
    case "sign":
      return isSignedForm(effect, input);
    case "buildBlock":
      return input.type === "proposalBuilt" && input.round === effect.round;
    case "validateBlock":
      return input.type === "blockValidated" && input.blockHash === effect.blockHash;
    default:
      return false;
  }
}

/** True when an open effect of the log belongs to a round that is over, or to a height that is decided. */
export function isObsolete(effect: ConsensusEffect, state: ConsensusState): boolean {
  if (effect.type === "decide" || effect.type === "halt" || effect.type === "reportEvidence") return false;
  if (state.step === "decided") return true;
  if (effect.type === "sign") return roundOfMessage(effect) !== state.round;
  return effect.type === "buildBlock" && effect.round !== state.round;
}

function isSignedForm({ message }: Extract<ConsensusEffect, { type: "sign" }>, input: LoggedInput): boolean {
  if (message.type === "proposal") {
    const { round, validatorIndex } = message.proposal;
    return input.type === "proposal" && input.proposal.round === round && input.proposal.validatorIndex === validatorIndex;
  }
  const { type, round, validatorIndex } = message.vote;
  return input.type === "vote" && input.vote.type === type && input.vote.round === round && input.vote.validatorIndex === validatorIndex;
}

function roundOfMessage({ message }: Extract<ConsensusEffect, { type: "sign" }>): number {
  return message.type === "proposal" ? message.proposal.round : message.vote.round;
}
