// Which submitted payments owe their chat a receipt.
import { expect, it } from "vitest";
import { owesReceipt } from "#renderer/features/inbox/payments/payment-receipts.ts";
import type { PendingTransaction } from "#renderer/lib/transactions/pending-store.ts";

const ME = "11".repeat(32);
const BOB = "22".repeat(32);
const EVE = "33".repeat(32);

const SUMMARY = { kind: "pay", from: ME, to: BOB, amountUt: 5, feeUt: 1, totalUt: 6, publicText: null } as PendingTransaction["summary"];

const made = (changes: Partial<PendingTransaction>): PendingTransaction => ({
  id: "tx1",
  summary: SUMMARY,
  submittedAtMs: 0,
  state: { kind: "submitted" },
  chat: { peer: BOB, request: null },
  ...changes,
});

it.each<readonly [string, Partial<PendingTransaction>, boolean]>([
  ["that a node took", {}, true],
  ["in a block", { state: { kind: "inBlock", blockIndex: 4 } }, true],
  ["without a clear response", { isUncertain: true }, false],
  ["without a clear response, found in a block", { isUncertain: true, state: { kind: "inBlock", blockIndex: 4 } }, true],
  ["that failed", { state: { kind: "failed", blockIndex: 4, reason: "" } }, false],
  ["that expired", { state: { kind: "expired" } }, false],
  ["to another person than that of the chat", { chat: { peer: EVE, request: null } }, false],
  ["of another account", { summary: { ...SUMMARY, from: EVE } }, false],
  ["of another kind", { summary: { ...SUMMARY, kind: "requestContact" } }, false],
])("a payment %s", (_, changes, isOwed) => {
  expect(owesReceipt(made(changes), ME)).toBe(isOwed);
});

it("a payment that no chat began, or whose chat has its receipt", () => {
  const { chat: _, ...settled } = made({});
  expect(owesReceipt(settled, ME)).toBe(false);
});
