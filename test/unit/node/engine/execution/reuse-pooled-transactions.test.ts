import { describe, expect, it } from "vitest";
import { reusePooledTransactions } from "#node/engine/execution/reuse-pooled-transactions.ts";
import { encodeBlock } from "#shared/protocol/chain/block.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { EngineBench } from "../engine-bench.ts";

const transaction = (id: string): Transaction => ({
  id,
  type: "TRANSFER",
  from: "ab".repeat(32),
  to: "cd".repeat(32),
  amount: 1,
  fee: 1_000,
  payload: "",
  timestamp: "2026-01-01T00:00:00Z",
  signature: Buffer.alloc(64, 7).toString("base64"),
});
const block = { ...new EngineBench().block("a", 0), transactions: [transaction("a"), transaction("b"), transaction("c")] };

describe("reusing pooled transactions in a block", () => {
  it("takes the known objects, and makes the same block", () => {
    const known = new Map([transaction("a"), transaction("c")].map((tx) => [tx.id, tx]));
    const reused = reusePooledTransactions(block, (id) => known.get(id));
    expect(reused.transactions[0]).toBe(known.get("a"));
    expect(reused.transactions[1]).toBe(block.transactions[1]);
    expect(reused.transactions[2]).toBe(known.get("c"));
    expect(Buffer.compare(encodeBlock(reused), encodeBlock(block))).toBe(0);
  });

  it("leaves a block as it is when nothing is known", () => {
    expect(reusePooledTransactions(block, () => undefined)).toBe(block);
  });

  it.each<readonly [keyof Transaction, Partial<Transaction>]>([
    ["id", { id: "z" }],
    ["type", { type: "HEARTBEAT" }],
    ["from", { from: "ef".repeat(32) }],
    ["to", { to: "" }],
    ["amount", { amount: 2 }],
    ["fee", { fee: 1_001 }],
    ["payload", { payload: "e30=" }],
    ["timestamp", { timestamp: "2026-01-01T00:00:01Z" }],
    ["signature", { signature: Buffer.alloc(64, 8).toString("base64") }],
  ])("does not take one with another %s", (_, change) => {
    expect(reusePooledTransactions(block, (id) => ({ ...transaction(id), ...change })).transactions).toEqual(block.transactions);
  });
});
