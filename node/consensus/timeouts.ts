// Elapsed timeouts, and the rebroadcast of what others may have missed.
import { polkaCertificate, roundCertificate } from "./certificates.ts";
import type { TimeoutElapsedInput } from "./inputs.ts";
import { startRound } from "./rounds.ts";
import { applyRules, castVote } from "./rules.ts";
import { emit, findRound, scheduleTimeout, type Transition } from "./transition.ts";

/** Acts on a timeout of the current round; a late one does nothing. */
export function onTimeoutElapsed(transition: Transition, input: TimeoutElapsedInput): void {
  const { kind, height, round } = input.timeout;
  const { state } = transition;
  if (height !== state.height || round !== state.round || state.step === "decided" || state.step === "idle") return;
  if (kind === "rebroadcast") {
    rebroadcast(transition);
    return;
  }
  if (kind === "propose" && state.step !== "propose") return; // L58
  if (kind === "prevote" && state.step !== "prevote") return; // L62
  emit(transition, { type: "persist", input, isSync: false });
  if (kind === "propose") castVote(transition, "prevote", null); // L59, L60
  if (kind === "prevote") castVote(transition, "precommit", null); // L63, L64
  if (kind === "precommit") startRound(transition, round + 1); // L66, L67
  applyRules(transition);
}

/** Sends own messages of the round again, and the certificates that bring others to it. */
function rebroadcast(transition: Transition): void {
  const { state } = transition;
  for (const votes of [roundCertificate(state), polkaCertificate(state)]) {
    if (votes !== undefined) emit(transition, { type: "broadcast", message: { type: "certificate", votes } });
  }
  const current = findRound(state, state.round);
  if (current !== undefined && state.ownIndex !== null) {
    const proposal = current.proposal?.proposal;
    if (proposal?.validatorIndex === state.ownIndex) emit(transition, { type: "broadcast", message: { type: "proposal", proposal } });
    for (const vote of [current.prevotes.votes[state.ownIndex], current.precommits.votes[state.ownIndex]]) {
      if (vote != null) emit(transition, { type: "broadcast", message: { type: "vote", vote } });
    }
  }
  scheduleTimeout(transition, "rebroadcast");
}
