// What the chain says of a payment that a message names: that it happened as said, and nothing less.
import { expect, it } from "vitest";
import { compareWithChain, type StatedPayment } from "#renderer/features/inbox/payments/payment-on-chain.ts";

const ME = "11".repeat(32);
const BOB = "22".repeat(32);
const THEIRS: StatedPayment = { txId: "tx1", amountUt: 5, peer: BOB, direction: "in", at: 0 };
const ENTRY = { type: "TRANSFER", from: BOB, to: ME, amount_ut: 5, status: "ok", block_index: 7, time: "2026-11-28T08:00:00Z" };
const TIME = Date.parse(ENTRY.time);

it("a payment in a block, as the message says", () => {
  expect(compareWithChain(THEIRS, ME, ENTRY)).toEqual({ kind: "inBlock", height: 7 });
  expect(compareWithChain({ ...THEIRS, direction: "out" }, ME, { ...ENTRY, from: ME, to: BOB })).toEqual({ kind: "inBlock", height: 7 });
});

it("one that its block refused moved no money", () => {
  expect(compareWithChain(THEIRS, ME, { ...ENTRY, status: "failed" })).toEqual({ kind: "failed" });
});

it.each([
  ["of another amount", { amount_ut: 4 }],
  ["of another kind", { type: "CONTACT_REQUEST" }],
  ["of another person", { from: ME }],
  ["to another person", { to: BOB }],
])("one %s is not what the message says", (_, change) => {
  expect(compareWithChain(THEIRS, ME, { ...ENTRY, ...change })).toEqual({ kind: "different" });
});

it("an older payment than the request answers nothing, as far as clocks can say", () => {
  const minutes = (count: number): number => count * 60_000;
  expect(compareWithChain({ ...THEIRS, since: TIME + minutes(9) }, ME, ENTRY)).toEqual({ kind: "inBlock", height: 7 });
  expect(compareWithChain({ ...THEIRS, since: TIME + minutes(11) }, ME, ENTRY)).toEqual({ kind: "different" });
});
