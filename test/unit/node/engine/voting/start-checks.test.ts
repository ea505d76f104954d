// What a node does at its start when its guard remembers more than its chain and its log.
import { describe, expect, it } from "vitest";
import type { ChainTip } from "#node/engine/execution/block-application.ts";
import { SignGuard } from "#node/engine/log/sign-guard.ts";
import { nothingSignedAbove } from "#node/engine/voting/lost-memory.ts";
import { abstainThrough } from "#node/engine/voting/right/start-checks.ts";

const OWN = { publicKey: "aa".repeat(32) };
const OTHER = "bb".repeat(32);

function guardAt(height: number): SignGuard {
  const guard = new SignGuard({ read: (): undefined => undefined, replace: (): void => undefined }, "chain", OWN);
  guard.adopt(nothingSignedAbove(height));
  return guard;
}

const tipOf = (height: number, keys: readonly string[]): ChainTip => ({
  height,
  hash: "00".repeat(32),
  timeMs: 0,
  commit: null,
  nextValidators: keys.map((publicKey) => ({ publicKey, bondUt: 1 })),
  proposers: keys.map((_, at) => at),
});

describe("a guard above the tip, as after going back to an earlier block", () => {
  it("keeps one of several validators from voting up to there", () => {
    expect(abstainThrough(guardAt(87), OWN, tipOf(80, [OWN.publicKey, OTHER]), [])).toBe(87);
  });

  it("stops the only validator, whose chain could not continue", () => {
    expect(() => abstainThrough(guardAt(87), OWN, tipOf(80, [OWN.publicKey]), [])).toThrow("The only validator has signed at height 87");
  });

  it("stops no node beside the only validator", () => {
    expect(abstainThrough(guardAt(87), OWN, tipOf(80, [OTHER]), [])).toBe(87);
  });

  it("says nothing once the chain is there", () => {
    expect(abstainThrough(guardAt(87), OWN, tipOf(87, [OWN.publicKey]), [])).toBe(0);
  });
});
