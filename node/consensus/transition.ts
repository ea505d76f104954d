// Working copy of one step: the state so far and the effects collected, in order.
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { ConsensusEffect } from "./effects.ts";
import type { TimeoutKind } from "./inputs.ts";
import { type ConsensusState, emptyRound, type RoundState } from "./state.ts";

/** One step in the making. `state` is replaced, never changed in place. */
export interface Transition {
  state: ConsensusState;
  readonly effects: ConsensusEffect[];
}

/** Replaces fields of the state. */
export function patch(transition: Transition, changes: Partial<ConsensusState>): void {
  transition.state = { ...transition.state, ...changes };
}

/** Adds an effect. */
export function emit(transition: Transition, effect: ConsensusEffect): void {
  transition.effects.push(effect);
}

/** The messages of a round, undefined when there are none. */
export function findRound(state: ConsensusState, round: number): RoundState | undefined {
  return state.rounds.find((candidate) => candidate.round === round);
}

/** The messages of a round, empty when there are none. */
export function roundOf(state: ConsensusState, round: number): RoundState {
  return findRound(state, round) ?? emptyRound(round, state.validatorCount);
}

/** Stores the messages of a round. */
export function putRound(transition: Transition, changed: RoundState): void {
  const { rounds } = transition.state;
  const at = rounds.findIndex((candidate) => candidate.round >= changed.round);
  const index = at === -1 ? rounds.length : at;
  const isReplacement = rounds[index]?.round === changed.round;
  patch(transition, { rounds: rounds.toSpliced(index, isReplacement ? 1 : 0, changed) });
}

/** valid(v): true, false, null while awaited, undefined when never asked. */
export function validityOf(state: ConsensusState, blockHash: HashHex): boolean | null | undefined {
  return state.validations.find((validation) => validation.blockHash === blockHash)?.isValid;
}

/** Asks for valid(v) unless that was done. */
export function requestValidation(transition: Transition, blockHash: HashHex): void {
  const { state } = transition;
  if (validityOf(state, blockHash) !== undefined) return;
  patch(transition, { validations: [...state.validations, { blockHash, isValid: null }] });
  emit(transition, { type: "validateBlock", height: state.height, blockHash });
}

/** Records valid(v). */
export function recordValidation(transition: Transition, blockHash: HashHex, isValid: boolean): void {
  const others = transition.state.validations.filter((validation) => validation.blockHash !== blockHash);
  patch(transition, { validations: [...others, { blockHash, isValid }] });
}

/** Schedules a timeout of the current round. */
export function scheduleTimeout(transition: Transition, kind: TimeoutKind): void {
  const { height, round, timeouts } = transition.state;
  const base = {
    propose: timeouts.proposeMs,
    prevote: timeouts.prevoteMs,
    precommit: timeouts.precommitMs,
    rebroadcast: timeouts.rebroadcastMs,
  };
  const durationMs = kind === "rebroadcast" ? base.rebroadcast : base[kind] + timeouts.deltaMs * round;
  emit(transition, { type: "scheduleTimeout", timeout: { kind, height, round }, durationMs });
}
