// Properties of the pure core under any inputs in any order: what it signs, locks and decides is covered by its inputs.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConsensusEffect, UnsignedMessage } from "#node/consensus/effects.ts";
import type { ConsensusInput } from "#node/consensus/inputs.ts";
import { type ConsensusState, initialState } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { comparePositions, type SignPosition } from "#node/engine/log/sign-guard.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import { isQuorum } from "#shared/protocol/chain/validators.ts";
import type { Vote, VoteType } from "#shared/protocol/chain/vote.ts";
import { extent } from "#test/support/host/test-extent.ts";
import { A, B, HEIGHT, signatureOf, turnsOf, voteOf } from "./core-bench.ts";

const TIMEOUTS = { proposeMs: 3, prevoteMs: 1, precommitMs: 1, deltaMs: 1, rebroadcastMs: 2 };
const SIZES = [1, 2, 3, 4, 7] as const;
const RUNS = extent(400, 1_500);
const SEED = 20_260_101;

/** What a run does next: an input from outside, or a response that the host owes. */
type Move =
  | { readonly kind: "input"; readonly input: ConsensusInput }
  | { readonly kind: "answer"; readonly pick: number; readonly isValid: boolean };

const round = fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) });
const hash = fc.constantFrom(A, B);
/** Type and value of a vote: precommits of values are rare, for they end a run. */
const content: fc.Arbitrary<readonly [VoteType, string | null]> = fc.oneof(
  { weight: 12, arbitrary: hash.map((of): readonly [VoteType, string] => ["prevote", of]) },
  { weight: 2, arbitrary: fc.constant<readonly [VoteType, null]>(["prevote", null]) },
  { weight: 10, arbitrary: fc.constant<readonly [VoteType, null]>(["precommit", null]) },
  { weight: 1, arbitrary: hash.map((of): readonly [VoteType, string] => ["precommit", of]) },
);

function moves(size: number): fc.Arbitrary<readonly Move[]> {
  const index = fc.nat({ max: size });
  const vote = fc.tuple(content, round, index).map(([[of, blockHash], at, voter]) => voteOf(of, at, blockHash, voter));
  const signersOf = fc.subarray(
    Array.from({ length: size }, (_, at) => at),
    { minLength: size >> 1 },
  );
  const certificate = fc.tuple(content, round, signersOf).map(
    ([[of, blockHash], at, signers]): ConsensusInput => ({
      type: "certificate",
      votes: signers.map((signer) => voteOf(of, at, blockHash, signer)),
    }),
  );
  const proposal = fc
    .tuple(round, hash, fc.integer({ min: -1, max: 2 }), fc.boolean(), fc.nat({ max: 9 }))
    .map(([at, blockHash, validRound, isTimely, luck]): ConsensusInput => {
      const validatorIndex = luck > 0 ? proposerOf(turnsOf(size), at) : 0;
      return {
        type: "proposal",
        proposal: { height: HEIGHT, round: at, validRound, blockHash, validatorIndex, signature: signatureOf(validatorIndex) },
        isTimely,
      };
    });
  const timeout = fc
    .tuple(fc.constantFrom("propose", "prevote", "precommit", "rebroadcast"), round)
    .map(([kind, at]): ConsensusInput => ({ type: "timeoutElapsed", timeout: { kind: kind as "propose", height: HEIGHT, round: at } }));
  const input = fc.oneof(
    { weight: 6, arbitrary: vote.map((of): ConsensusInput => ({ type: "vote", vote: of })) },
    { weight: 3, arbitrary: proposal },
    { weight: 3, arbitrary: timeout },
    { weight: 4, arbitrary: certificate },
    { weight: 1, arbitrary: fc.constant<ConsensusInput>({ type: "workAvailable", height: HEIGHT }) },
  );
  const move = fc.oneof(
    { weight: 3, arbitrary: input.map((of): Move => ({ kind: "input", input: of })) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("answer" as const), pick: fc.nat({ max: 3 }), isValid: fc.boolean() }) },
  );
  return fc.array(move, { minLength: 5, maxLength: 80, size: "max" });
}

/** A core and a host that may be late with every response, and never give some. */
class Run {
  state: ConsensusState;
  readonly size: number;
  readonly signed: UnsignedMessage[] = [];
  readonly decided: ConsensusEffect[] = [];
  readonly accepted: ConsensusInput[] = [];
  /** Own prevotes with the lock from before the step in which they were asked for. */
  readonly prevotes: { readonly lockedHash: string | null; readonly lockedRound: number; readonly vote: Omit<Vote, "signature"> }[] = [];
  readonly #owed: ConsensusInput[][] = [];

  constructor(size: number, ownIndex: number | null) {
    this.size = size;
    this.state = step(initialState(TIMEOUTS), {
      type: "startHeight",
      height: HEIGHT,
      validatorCount: size,
      ownIndex,
      proposers: turnsOf(size),
    }).state;
  }

  make(move: Move): void {
    if (move.kind === "input") {
      // No other node can sign as this validator.
      if (!isFrom(move.input, this.state.ownIndex)) this.feed(move.input);
      return;
    }
    const [results] = this.#owed.splice(move.pick % Math.max(1, this.#owed.length), 1);
    const result = results?.[move.isValid ? 0 : (results?.length ?? 1) - 1];
    if (result !== undefined) this.feed(result);
  }

  feed(input: ConsensusInput): void {
    const { lockedHash, lockedRound } = this.state;
    const { state, effects } = step(this.state, input);
    this.state = state;
    for (const effect of effects) this.#take(effect);
    for (const effect of effects)
      if (effect.type === "sign" && effect.message.type === "vote" && effect.message.vote.type === "prevote")
        this.prevotes.push({ lockedHash, lockedRound, vote: effect.message.vote });
  }

  #take(effect: ConsensusEffect): void {
    if (effect.type === "persist") this.accepted.push(effect.input);
    if (effect.type === "decide") this.decided.push(effect);
    if (effect.type === "sign") {
      this.signed.push(effect.message);
      this.#owed.push([signedForm(effect.message)]);
    }
    if (effect.type === "buildBlock") {
      const { round } = effect;
      const built = [A, B].map((blockHash) => ({ type: "proposalBuilt", height: HEIGHT, round, blockHash }) as const);
      this.#owed.push(built, [{ type: "nothingToPropose", height: HEIGHT, round }]);
    }
    if (effect.type === "validateBlock")
      this.#owed.push([true, false].map((isValid) => ({ type: "blockValidated", height: HEIGHT, blockHash: effect.blockHash, isValid })));
  }

  /** Validators whose votes of a kind were accepted, own ones included. */
  voters(of: VoteType, at: number, blockHash: string | null): number {
    const votes = this.accepted.flatMap((input): readonly Vote[] => {
      if (input.type === "certificate") return input.votes;
      return input.type === "vote" ? [input.vote] : [];
    });
    const matching = votes.filter((vote) => vote.type === of && vote.round === at && vote.blockHash === blockHash);
    return new Set(matching.map(({ validatorIndex }) => validatorIndex)).size;
  }
}

function isFrom(input: ConsensusInput, index: number | null): boolean {
  if (index === null) return false;
  if (input.type === "vote") return input.vote.validatorIndex === index;
  if (input.type === "certificate") return input.votes.some(({ validatorIndex }) => validatorIndex === index);
  return input.type === "proposal" && input.proposal.validatorIndex === index;
}

function signedForm(message: UnsignedMessage): ConsensusInput {
  if (message.type === "proposal")
    return { type: "proposal", proposal: { ...message.proposal, signature: signatureOf(message.proposal.validatorIndex) }, isTimely: true };
  return { type: "vote", vote: { ...message.vote, signature: signatureOf(message.vote.validatorIndex) } };
}

/** That a proposer was reported is forgotten: it may be reported again. */
function withoutReports(state: ConsensusState): ConsensusState {
  return { ...state, rounds: state.rounds.map((entry) => ({ ...entry, hasReportedProposer: false })) };
}

function positionOf(message: UnsignedMessage): SignPosition {
  const { height, round: at } = message.type === "proposal" ? message.proposal : message.vote;
  return { height, round: at, step: message.type === "proposal" ? "proposal" : message.vote.type };
}

const runs = fc
  .constantFrom(...SIZES)
  .chain((size) => fc.tuple(fc.constant(size), fc.option(fc.nat({ max: size - 1 }), { nil: null, freq: 8 }), moves(size)));

function holds(check: (run: Run) => void): void {
  fc.assert(
    fc.property(runs, ([size, ownIndex, all]) => {
      const run = new Run(size, ownIndex);
      for (const move of all) run.make(move);
      check(run);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}

/** What happens in a round without a decision: a proposal, and perhaps a polka. */
interface RoundStory {
  readonly proposed: string;
  readonly validRound: number;
  readonly polka: string | null;
}

const story: fc.Arbitrary<RoundStory> = fc.record({
  proposed: hash,
  validRound: fc.integer({ min: -1, max: 3 }),
  polka: fc.option(hash, { nil: null }),
});

function inputsOf({ proposed: blockHash, validRound, polka }: RoundStory, at: number): readonly ConsensusInput[] {
  const validatorIndex = proposerOf(turnsOf(4), at);
  const proposal = { height: HEIGHT, round: at, validRound, blockHash, validatorIndex, signature: signatureOf(validatorIndex) };
  const others = [1, 2, 3];
  return [
    ...(validatorIndex === 0 ? [] : [{ type: "proposal", proposal, isTimely: true } as const]),
    ...(polka === null ? [] : [{ type: "certificate", votes: others.map((index) => voteOf("prevote", at, polka, index)) } as const]),
    { type: "certificate", votes: others.map((index) => voteOf("precommit", at, null, index)) },
    { type: "timeoutElapsed", timeout: { kind: "precommit", height: HEIGHT, round: at } },
  ];
}

/** Validator 0 of four, locked on A in round 0, at the start of round 1. */
function lockedRun(): Run {
  const run = new Run(4, 0);
  const signature = signatureOf(1);
  run.feed({
    type: "proposal",
    proposal: { height: HEIGHT, round: 0, validRound: -1, blockHash: A, validatorIndex: 1, signature },
    isTimely: true,
  });
  run.feed({ type: "blockValidated", height: HEIGHT, blockHash: A, isValid: true });
  for (const index of [0, 1, 2]) run.feed({ type: "vote", vote: voteOf("prevote", 0, A, index) });
  run.feed({ type: "blockValidated", height: HEIGHT, blockHash: B, isValid: true });
  for (const index of [1, 2, 3]) run.feed({ type: "vote", vote: voteOf("precommit", 0, null, index) });
  run.feed({ type: "timeoutElapsed", timeout: { kind: "precommit", height: HEIGHT, round: 0 } });
  expect(run.state).toMatchObject({ round: 1, lockedHash: A, lockedRound: 0 });
  return run;
}

/** True for a prevote against the lock, which a polka of the lock's round or later must allow. */
function checkUnlock(run: Run, { lockedHash, lockedRound, vote }: Run["prevotes"][number]): boolean {
  if (lockedHash === null || vote.blockHash === null || vote.blockHash === lockedHash) return false;
  const rounds = Array.from({ length: vote.round - lockedRound }, (_, offset) => lockedRound + offset);
  expect(rounds.some((at) => isQuorum(run.voters("prevote", at, vote.blockHash), run.size))).toBe(true);
  return true;
}

describe("the core, whatever its inputs are and however late the results", () => {
  it("asks for one message a position, and never goes back", () => {
    let signed = 0;
    holds((run) => {
      const positions = run.signed.map(positionOf);
      for (const [at, position] of positions.entries()) {
        const earlier = positions[at - 1];
        if (earlier !== undefined) expect(comparePositions(position, earlier)).toBeGreaterThan(0);
      }
      signed += positions.length;
    });
    // A core that is silent would pass.
    expect(signed).toBeGreaterThan(RUNS);
  });

  it("precommits a value only after more than two thirds prevoted it in that round", () => {
    let precommits = 0;
    holds((run) => {
      for (const message of run.signed) {
        if (message.type !== "vote" || message.vote.type !== "precommit" || message.vote.blockHash === null) continue;
        precommits += 1;
        expect(isQuorum(run.voters("prevote", message.vote.round, message.vote.blockHash), run.size)).toBe(true);
      }
    });
    expect(precommits).toBeGreaterThan(20);
  });

  it("decides once, only a value that more than two thirds precommitted in one round and that is valid here", () => {
    let decisions = 0;
    holds((run) => {
      expect(run.decided.length).toBeLessThan(2);
      for (const effect of run.decided) {
        if (effect.type !== "decide") continue;
        decisions += 1;
        expect(isQuorum(run.voters("precommit", effect.commit.round, effect.blockHash), run.size)).toBe(true);
        const isValid = run.accepted.some(
          (input) => input.type === "blockValidated" && input.blockHash === effect.blockHash && input.isValid,
        );
        const isOwn = run.accepted.some((input) => input.type === "proposalBuilt" && input.blockHash === effect.blockHash);
        expect(isValid || isOwn).toBe(true);
      }
    });
    expect(decisions).toBeGreaterThan(20);
  });

  it("prevotes against its lock only for a value that was prevoted by more than two thirds since", () => {
    let unlocking = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(story, moves(4)), { minLength: 3, maxLength: 5 }), (stories) => {
        const run = lockedRun();
        for (const [story, noise] of stories) {
          for (const input of inputsOf(story, run.state.round)) run.feed(input);
          for (const move of noise.slice(0, 3)) run.make(move);
        }
        unlocking += run.prevotes.filter((prevote) => checkUnlock(run, prevote)).length;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(unlocking).toBeGreaterThan(5);
  });

  it("is restored by the inputs that it accepted", () => {
    holds((run) => {
      let state = step(initialState(TIMEOUTS), {
        type: "startHeight",
        height: HEIGHT,
        validatorCount: run.size,
        ownIndex: run.state.ownIndex,
        proposers: turnsOf(run.size),
      }).state;
      for (const input of run.accepted) ({ state } = step(state, input));
      expect(withoutReports(state)).toEqual(withoutReports(run.state));
    });
  });
});
