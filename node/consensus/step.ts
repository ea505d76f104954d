// The Tendermint core (arXiv 1807.04938): a pure function. No clock, timer, socket, disk or randomness in it.
import { assertNever } from "#shared/util/assert.ts";
import type { ConsensusEffect } from "./effects.ts";
import type { ConsensusInput, WorkAvailableInput } from "./inputs.ts";
import { onBlockValidated, onCommit, onNothingToPropose, onProposal, onProposalBuilt } from "./proposals.ts";
import { endIdleRound, startRound } from "./rounds.ts";
import { applyRules } from "./rules.ts";
import { type ConsensusState, heightState } from "./state.ts";
import { onTimeoutElapsed } from "./timeouts.ts";
import { emit, type Transition } from "./transition.ts";
import { onCertificate, onVote } from "./votes.ts";

/** What a step did. Effects are to be executed in order. */
export interface StepResult {
  readonly state: ConsensusState;
  readonly effects: readonly ConsensusEffect[];
}

/**
 * One step of the core. Inputs of other heights and repeated ones do nothing. Every accepted input is the first effect
 * (`persist`), so that feeding the persisted inputs of a height to a new state restores it.
 */
export function step(state: ConsensusState, input: ConsensusInput): StepResult {
  const transition: Transition = { state, effects: [] };
  dispatch(transition, input);
  return transition;
}

function dispatch(transition: Transition, input: ConsensusInput): void {
  switch (input.type) {
    case "startHeight":
      transition.state = heightState(transition.state.timeouts, input);
      return;
    case "workAvailable":
      onWorkAvailable(transition, input);
      return;
    case "proposal":
      onProposal(transition, input);
      return;
    case "vote":
      onVote(transition, input);
      return;
    case "certificate":
      onCertificate(transition, input);
      return;
    case "commit":
      onCommit(transition, input);
      return;
    case "blockValidated":
      onBlockValidated(transition, input);
      return;
    case "proposalBuilt":
      onProposalBuilt(transition, input);
      return;
    case "nothingToPropose":
      onNothingToPropose(transition, input);
      return;
    case "timeoutElapsed":
      onTimeoutElapsed(transition, input);
      return;
    default:
      assertNever(input);
  }
}

function onWorkAvailable(transition: Transition, input: WorkAvailableInput): void {
  const { height, step: current, isIdleRound } = transition.state;
  if (input.height !== height || (current !== "idle" && !isIdleRound)) return;
  emit(transition, { type: "persist", input, isSync: false });
  if (isIdleRound) endIdleRound(transition);
  else startRound(transition, 0); // L10
  applyRules(transition);
}
