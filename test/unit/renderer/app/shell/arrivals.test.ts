import { describe, expect, it } from "vitest";
import { newRequests, newsOf, paymentOf } from "#renderer/app/shell/arrivals/arrivals.ts";
import type { PushFrame } from "#shared/api/socket/frames.ts";

const ME = "aa".repeat(32);
const BOB = "bb".repeat(32);
const FRAME = { id: "t1", tx_type: "TRANSFER", from: BOB, to: ME, amount_ut: 250_000, status: "ok" } as PushFrame<"tx">;

describe("a payment that arrives", () => {
  it("is one of another person to this account, in a block", () => {
    expect(paymentOf(FRAME, ME)).toEqual({ id: "t1", from: BOB, amountUt: 250_000 });
  });

  it.each([
    ["an own one", { from: ME, to: BOB }],
    ["one to oneself", { from: ME }],
    ["a refused one", { status: "failed" as const }],
    ["a contact request", { tx_type: "CONTACT_REQUEST" }],
    ["a payment of nothing", { amount_ut: 0 }],
  ])("is not %s", (_what, change) => {
    expect(paymentOf({ ...FRAME, ...change }, ME)).toBeUndefined();
  });

  it("is said by itself, and many at once in one sentence", () => {
    const payment = { id: "t1", from: BOB, amountUt: 250_000 };
    expect(newsOf([])).toBeUndefined();
    expect(newsOf([payment])).toEqual({ kind: "one", payment });
    expect(newsOf(Array.from({ length: 1_000 }, (_, index) => ({ ...payment, id: `t${index}` })))).toEqual({
      kind: "many",
      count: 1_000,
      sumUt: 250_000_000,
    });
  });
});

describe("a contact request that arrives", () => {
  it("is one that was not open before; what is there at the start is not news", () => {
    const open = [{ id: "a" }, { id: "b" }];
    expect(newRequests(undefined, open)).toEqual([]);
    expect(newRequests(new Set(["a"]), open)).toEqual([{ id: "b" }]);
    expect(newRequests(new Set(["a", "b"]), open)).toEqual([]);
  });
});
