// Which records of a restored log say that an effect was carried out. One taken for another leaves a node waiting for ever.
import { describe, expect, it } from "vitest";
import type { ConsensusEffect } from "#node/consensus/effects.ts";
import type { LoggedInput } from "#node/consensus/inputs.ts";
import { initialState } from "#node/consensus/state.ts";
import { isCompletedBy, isObsolete } from "#node/engine/log/replay.ts";
import { A, B, HEIGHT, proposalOf, voteOf } from "../../consensus/core-bench.ts";

const validate: ConsensusEffect = { type: "validateBlock", height: HEIGHT, blockHash: A };
const build: ConsensusEffect = { type: "buildBlock", height: HEIGHT, round: 1 };
const { signature: _, ...unsigned } = voteOf("prevote", 1, A, 2);
const sign: ConsensusEffect = { type: "sign", message: { type: "vote", vote: unsigned } };
const { signature: __, ...draft } = proposalOf(1, A);
const propose: ConsensusEffect = { type: "sign", message: { type: "proposal", proposal: draft } };

const validated = (blockHash: string): LoggedInput => ({ type: "blockValidated", height: HEIGHT, blockHash, isValid: true });
const built = (round: number): LoggedInput => ({ type: "proposalBuilt", height: HEIGHT, round, blockHash: A });
const vote = (...fields: Parameters<typeof voteOf>): LoggedInput => ({ type: "vote", vote: voteOf(...fields) });
const proposed = (round: number): LoggedInput => ({ type: "proposal", proposal: proposalOf(round, A), isTimely: true });

describe("an effect of the log", () => {
  it.each<[string, ConsensusEffect, LoggedInput, boolean]>([
    ["a validation, by the result of its block", validate, validated(A), true],
    ["a validation, by the result of another block", validate, validated(B), false],
    ["a validation, by a built block", validate, built(1), false],
    ["a proposal to build, by the block of its round", build, built(1), true],
    ["a proposal to build, by the block of another round", build, built(0), false],
    ["a vote to sign, by that vote", sign, vote("prevote", 1, A, 2), true],
    ["a vote to sign, by one of another step", sign, vote("precommit", 1, A, 2), false],
    ["a vote to sign, by one of another round", sign, vote("prevote", 0, A, 2), false],
    ["a vote to sign, by one of another validator", sign, vote("prevote", 1, A, 3), false],
    ["a proposal to sign, by that proposal", propose, proposed(1), true],
    ["a proposal to sign, by one of another round", propose, proposed(0), false],
    ["a halt, by anything", { type: "halt", reason: "why" }, validated(A), false],
  ])("is answered: %s", (_name, effect, input, expected) => expect(isCompletedBy(effect, input)).toBe(expected));

  it("is obsolete when its round is over, unless it concerns the height", () => {
    const timeouts = { proposeMs: 1, prevoteMs: 1, precommitMs: 1, deltaMs: 1, rebroadcastMs: 1 };
    const state = { ...initialState(timeouts), step: "propose", round: 2 } as const;
    expect([sign, propose, build, validate].map((effect) => isObsolete(effect, state))).toEqual([true, true, true, false]);
    expect([sign, propose, build].map((effect) => isObsolete(effect, { ...state, round: 1 }))).toEqual([false, false, false]);
    const decided = { ...state, step: "decided" } as const;
    expect(isObsolete(validate, decided)).toBe(true);
    expect(isObsolete({ type: "halt", reason: "why" }, decided)).toBe(false);
  });
});
