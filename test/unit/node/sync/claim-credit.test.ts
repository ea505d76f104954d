// Whose claims of heights are believed: those of peers that delivered, until they are gone or lie.
import { beforeEach, describe, expect, it } from "vitest";
import { ClaimCredit, FIRST_CLAIM_MS } from "#node/sync/claim-credit.ts";

let nowMs: number;
let credit: ClaimCredit;
beforeEach(() => {
  nowMs = 0;
  credit = new ClaimCredit({ nowMs: () => nowMs, monotonicMs: () => nowMs });
});

describe("a peer", () => {
  it("has credit once the chain holds what it delivered, and not before", () => {
    credit.deliver("a", 4);
    expect(credit.has("a")).toBe(false);
    credit.reached(3);
    expect(credit.has("a")).toBe(false);
    credit.reached(4);
    expect([credit.has("a"), credit.has("b")]).toEqual([true, false]);
  });

  it("has none after it left or lied, and has to deliver again", () => {
    credit.deliver("a", 4);
    credit.reached(4);
    credit.withdraw("a");
    expect(credit.has("a")).toBe(false);
    credit.reached(5);
    expect(credit.has("a")).toBe(false);
    credit.deliver("a", 8);
    credit.reached(8);
    expect(credit.has("a")).toBe(true);
  });

  it("that lies gets none for what it delivered before", () => {
    credit.deliver("a", 4);
    credit.withdraw("a");
    credit.reached(4);
    expect(credit.has("a")).toBe(false);
  });
});

describe("the first claim", () => {
  it("is believed for so long, and by a node that was up to date not at all", () => {
    expect(credit.isFresh).toBe(false);
    credit.begin();
    expect(credit.isFresh).toBe(true);
    nowMs = FIRST_CLAIM_MS - 1;
    // A later claim begins nothing.
    credit.begin();
    expect(credit.isFresh).toBe(true);
    nowMs = FIRST_CLAIM_MS;
    expect(credit.isFresh).toBe(false);
    nowMs = 0;
    credit.settle();
    expect(credit.isFresh).toBe(false);
  });
});
