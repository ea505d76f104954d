import { expect, it } from "vitest";
import { addToVoteSet, emptyVoteSet, type VoteSet } from "#node/consensus/vote-set.ts";
import { A, B, voteOf } from "./core-bench.ts";

it("keeps the quorum that came first, whatever is voted afterwards", () => {
  const add = (set: VoteSet, blockHash: string, ...indexes: readonly number[]): VoteSet =>
    indexes.reduce((current, index) => addToVoteSet(current, voteOf("prevote", 0, blockHash, index)).set, set);
  const first = add(emptyVoteSet(4), A, 0, 1, 2);
  expect(first.quorum?.votes.map(({ validatorIndex }) => validatorIndex)).toEqual([0, 1, 2]);
  expect(add(first, B, 0, 1, 2).quorum).toBe(first.quorum);
  expect(add(first, A, 3).quorum).toBe(first.quorum);
});
