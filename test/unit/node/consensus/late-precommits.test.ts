// Precommits that join a commit: the result verifies by the same rule as any commit, whatever their order.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMissing, withPrecommit } from "#node/consensus/certificates.ts";
import { type Commit, commitSigners, type Vote, verifyCommit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { CHAIN_ID, quickValidators, quickVerify } from "#test/support/chain/memory-chain.ts";

const SIZE = 19;
const { validators, signers } = quickValidators(SIZE);
const HASH = "ab".repeat(32);

function precommit(validatorIndex: number, change: Partial<Vote> = {}): Vote {
  const unsigned = { type: "precommit", height: 7, round: 2, blockHash: HASH, ...change } as const;
  const signature = signers[validatorIndex]?.sign(voteSignBytes(CHAIN_ID, unsigned)) ?? new Uint8Array(64);
  return { ...unsigned, validatorIndex, signature };
}

const EMPTY: Commit = { height: 7, round: 2, blockHash: HASH, bitmap: new Uint8Array(3), signatures: [] };

describe("a commit with one more precommit", () => {
  it("is in canonical form and verifies from a quorum on, in whatever order they come, some of them twice", () => {
    const order = fc.array(fc.nat(SIZE - 1), { maxLength: 40 });
    fc.assert(
      fc.property(order, (indexes) => {
        const commit = indexes.reduce((known, index) => withPrecommit(known, precommit(index)), EMPTY);
        const distinct = [...new Set(indexes)].sort((a, b) => a - b);
        expect(commitSigners(commit, SIZE)).toEqual(distinct);
        expect(commit.signatures).toEqual(distinct.map((index) => precommit(index).signature));
        expect(verifyCommit(CHAIN_ID, validators, commit, quickVerify)).toBe(3 * distinct.length > 2 * SIZE);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("leaves the old one as it was", () => {
    const one = withPrecommit(EMPTY, precommit(3));
    withPrecommit(one, precommit(1));
    expect(commitSigners(one, SIZE)).toEqual([3]);
    expect(commitSigners(EMPTY, SIZE)).toEqual([]);
  });

  it.each([
    ["a prevote", precommit(4, { type: "prevote" })],
    ["another round", precommit(4, { round: 1 })],
    ["another height", precommit(4, { height: 8 })],
    ["another block", precommit(4, { blockHash: "cd".repeat(32) })],
    ["nothing", precommit(4, { blockHash: null })],
    ["a validator that is none", { ...precommit(4), validatorIndex: 24 }],
    ["one that is there", precommit(3)],
  ])("is the same for %s", (_, vote) => {
    const commit = withPrecommit(EMPTY, precommit(3));
    expect(isMissing(commit, vote)).toBe(false);
    expect(withPrecommit(commit, vote)).toBe(commit);
  });
});
