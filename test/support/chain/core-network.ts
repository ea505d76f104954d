// Consensus cores alone, over a network that is only slow: how long a height takes when some of a large set never say anything.
import type { ConsensusEffect, OutgoingMessage } from "#node/consensus/effects.ts";
import type { ConsensusInput } from "#node/consensus/inputs.ts";
import { type ConsensusState, initialState, type RoundTimeouts } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { VirtualTime } from "../host/virtual-time.ts";

const SIGNATURE = new Uint8Array(64);

export interface CoreNetworkOptions {
  readonly size: number;
  readonly silent: ReadonlySet<number>;
  readonly latencyMs: number;
  readonly timeouts: RoundTimeouts;
}

/** How a height ended. */
export interface DecidedHeight {
  /** Until the last of them had decided. */
  readonly durationMs: number;
  readonly round: number;
  readonly proposer: number;
}

/** Decides one height after the other. */
export class CoreNetwork {
  readonly #options: CoreNetworkOptions;
  readonly #time = new VirtualTime();
  #states: (ConsensusState | undefined)[] = [];
  /** Timers of earlier rounds and heights fire in vain. */
  #timers: number[] = [];
  #decided = new Set<number>();
  #round = 0;

  constructor(options: CoreNetworkOptions) {
    this.#options = options;
  }

  /** @throws Error when none decides. */
  decide(height: number, proposers: readonly number[]): DecidedHeight {
    const { size, silent, timeouts } = this.#options;
    const startMs = this.#time.nowMs;
    const begin = { type: "startHeight", height, validatorCount: size, proposers } as const;
    const live = Array.from({ length: size }, (_, index) => index).filter((index) => !silent.has(index));
    this.#states = [];
    this.#timers = [];
    this.#decided = new Set();
    for (const index of live) this.#states[index] = step(initialState(timeouts), { ...begin, ownIndex: index }).state;
    for (const index of live) this.#feed(index, { type: "workAvailable", height });
    while (this.#decided.size < live.length) if (!this.#time.step(startMs + 3_600_000)) throw new Error(`Height ${height} is not decided`);
    return { durationMs: this.#time.nowMs - startMs, round: this.#round, proposer: proposers[this.#round % size] ?? -1 };
  }

  #feed(index: number, input: ConsensusInput): void {
    const state = this.#states[index];
    if (state === undefined || this.#decided.has(index)) return;
    const result = step(state, input);
    this.#states[index] = result.state;
    for (const effect of result.effects) this.#execute(index, effect);
  }

  #execute(index: number, effect: ConsensusEffect): void {
    switch (effect.type) {
      case "sign":
        this.#feed(index, signedInput(effect.message));
        return;
      case "broadcast":
        this.#broadcast(index, effect.message);
        return;
      case "scheduleTimeout":
        this.#schedule(index, effect);
        return;
      case "cancelTimeouts":
        this.#timers[index] = (this.#timers[index] ?? 0) + 1;
        return;
      case "buildBlock":
        this.#feed(index, { ...effect, type: "proposalBuilt", blockHash: effect.round.toString(16).padStart(64, "0") });
        return;
      case "validateBlock":
        this.#feed(index, { ...effect, type: "blockValidated", isValid: true });
        return;
      case "decide":
        this.#decided.add(index);
        this.#round = effect.commit.round;
        return;
      case "awaitWork":
        this.#feed(index, { type: "workAvailable", height: effect.height });
        return;
      default:
    }
  }

  #schedule(index: number, { timeout, durationMs }: Extract<ConsensusEffect, { type: "scheduleTimeout" }>): void {
    // Nothing is lost here, so nothing need be said again.
    if (timeout.kind === "rebroadcast") return;
    const timer = this.#timers[index];
    this.#time.setTimer(durationMs, () => {
      if (this.#timers[index] === timer) this.#feed(index, { type: "timeoutElapsed", timeout });
    });
  }

  #broadcast(from: number, message: OutgoingMessage): void {
    const input: ConsensusInput = message.type === "proposal" ? { ...message, isTimely: true } : message;
    this.#time.setTimer(this.#options.latencyMs, () => {
      for (const index of this.#states.keys()) if (index !== from) this.#feed(index, input);
    });
  }
}

function signedInput(message: Extract<ConsensusEffect, { type: "sign" }>["message"]): ConsensusInput {
  return message.type === "proposal"
    ? { type: "proposal", proposal: { ...message.proposal, signature: SIGNATURE }, isTimely: true }
    : { type: "vote", vote: { ...message.vote, signature: SIGNATURE } };
}
