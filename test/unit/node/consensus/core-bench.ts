// One consensus core on the bench: signs at once what it asks to sign, and records what it did.
import type { ConsensusEffect, Evidence } from "#node/consensus/effects.ts";
import type { ConsensusInput, LoggedInput, Timeout, TimeoutKind } from "#node/consensus/inputs.ts";
import { type ConsensusState, initialState } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { Commit, Proposal, Vote, VoteType } from "#shared/protocol/chain/vote.ts";

export const HEIGHT = 5;
export const SIZE = 4;
/** Values. */
export const [A, B] = ["aa".repeat(32), "bb".repeat(32)] as const;

const TIMEOUTS = { proposeMs: 3_000, prevoteMs: 1_000, precommitMs: 1_000, deltaMs: 500, rebroadcastMs: 2_000 };

/** Validators by their rounds at {@link HEIGHT}: one after the other, the proposer of round r is (5 + r) mod size. */
export function turnsOf(size: number): readonly number[] {
  return Array.from({ length: size }, (_, round) => (HEIGHT + round) % size);
}

/** A signature that names its signer, for tests that look at one. */
export function signatureOf(index: number): Uint8Array {
  return new Uint8Array(64).fill(index + 1);
}

/** A vote of validator `index`. */
export function voteOf(type: VoteType, round: number, blockHash: string | null, index: number): Vote {
  return { type, height: HEIGHT, round, blockHash, validatorIndex: index, signature: signatureOf(index) };
}

/** The proposal of a round by its proposer. */
export function proposalOf(round: number, blockHash: string, validRound = -1): Proposal {
  const validatorIndex = proposerOf(turnsOf(SIZE), round);
  return { height: HEIGHT, round, validRound, blockHash, validatorIndex, signature: signatureOf(validatorIndex) };
}

/** The core of validator `ownIndex` (null: only watching) at height 5 of `size` validators. Proposer of round r is (5 + r) mod size. */
export class CoreBench {
  state: ConsensusState;
  readonly effects: ConsensusEffect[] = [];
  /** Accepted inputs, as the log would hold them. */
  readonly logged: LoggedInput[] = [];

  constructor(ownIndex: number | null, size = SIZE) {
    this.state = step(initialState(TIMEOUTS), {
      type: "startHeight",
      height: HEIGHT,
      validatorCount: size,
      ownIndex,
      proposers: turnsOf(size),
    }).state;
  }

  feed(input: ConsensusInput): this {
    const { state, effects } = step(this.state, input);
    this.state = state;
    for (const effect of effects) {
      this.effects.push(effect);
      if (effect.type === "persist") this.logged.push(effect.input);
    }
    for (const effect of effects) if (effect.type === "sign") this.#sign(effect.message);
    return this;
  }

  work(): this {
    return this.feed({ type: "workAvailable", height: HEIGHT });
  }

  /** A proposal arrives; its block is validated with the response, or not at all yet. */
  proposal(proposal: Proposal, isValid: boolean | null = true, isTimely = true): this {
    this.feed({ type: "proposal", proposal, isTimely });
    return isValid === null ? this : this.validated(proposal.blockHash, isValid);
  }

  validated(blockHash: string, isValid = true): this {
    return this.feed({ type: "blockValidated", height: HEIGHT, blockHash, isValid });
  }

  /** Votes of several validators arrive. */
  votes(type: VoteType, round: number, blockHash: string | null, ...indexes: readonly number[]): this {
    for (const index of indexes) this.feed({ type: "vote", vote: voteOf(type, round, blockHash, index) });
    return this;
  }

  timeout(kind: TimeoutKind, round = this.state.round): this {
    return this.feed({ type: "timeoutElapsed", timeout: { kind, height: HEIGHT, round } });
  }

  /** Own messages in order, as "proposal 0 aa", "prevote 1 nil". */
  get signed(): readonly string[] {
    return this.effects.flatMap((effect) => {
      if (effect.type !== "sign") return [];
      if (effect.message.type === "proposal") {
        const { round, blockHash, validRound } = effect.message.proposal;
        return [`proposal ${round} ${blockHash.slice(0, 2)} ${validRound}`];
      }
      const { type, round, blockHash } = effect.message.vote;
      return [`${type} ${round} ${blockHash?.slice(0, 2) ?? "nil"}`];
    });
  }

  get scheduled(): readonly (Timeout & { readonly durationMs: number })[] {
    return this.effects.flatMap((effect) =>
      effect.type === "scheduleTimeout" ? [{ ...effect.timeout, durationMs: effect.durationMs }] : [],
    );
  }

  get evidence(): readonly Evidence[] {
    return this.effects.flatMap((effect) => (effect.type === "reportEvidence" ? [effect.evidence] : []));
  }

  get decided(): Commit | undefined {
    return this.effects.flatMap((effect) => (effect.type === "decide" ? [effect.commit] : []))[0];
  }

  /** Types of effects since the bench began, without logging. */
  types(): readonly string[] {
    return this.effects.map((effect) => effect.type).filter((type) => type !== "persist");
  }

  #sign(message: Extract<ConsensusEffect, { type: "sign" }>["message"]): void {
    if (message.type === "proposal") {
      const proposal = { ...message.proposal, signature: signatureOf(message.proposal.validatorIndex) };
      this.feed({ type: "proposal", proposal, isTimely: true });
    } else this.feed({ type: "vote", vote: { ...message.vote, signature: signatureOf(message.vote.validatorIndex) } });
  }
}
