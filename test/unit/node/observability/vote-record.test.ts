import { describe, expect, it } from "vitest";
import { VoteRecord } from "#node/observability/vote-record.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";

const setOf = (...names: readonly string[]): ValidatorSet => names.map((name) => ({ publicKey: name, bondUt: 1 }));
const commitOf = (height: number, bits: number): Commit => ({
  height,
  round: 0,
  blockHash: "00".repeat(32),
  bitmap: Uint8Array.of(bits),
  signatures: [],
});

describe("the record of votes", () => {
  it("counts the commits that lack a signature, and the newest with the own one", () => {
    const record = new VoteRecord("b");
    record.note(commitOf(7, 0b0111), setOf("a", "b", "c", "d"));
    record.note(commitOf(8, 0b1101), setOf("a", "b", "c", "d"));
    expect(Object.fromEntries(record.missed)).toEqual({ a: 0, b: 1, c: 0, d: 1 });
    expect(record.lastSignedHeight).toBe(7);
  });

  it("forgets validators that left the set, so that its size has a bound", () => {
    const record = new VoteRecord("x");
    record.note(commitOf(7, 0b01), setOf("a", "b"));
    record.note(commitOf(8, 0b10), setOf("b", "c"));
    expect(Object.fromEntries(record.missed)).toEqual({ b: 2, c: 0 });
    expect(record.lastSignedHeight).toBe(0);
  });
});
