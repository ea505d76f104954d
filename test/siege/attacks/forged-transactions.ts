// Transactions that no account signed, or that no account can pay.
import { randomBytes } from "node:crypto";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { toBase64 } from "#shared/util/bytes.ts";
import { loadAccount } from "../../support/nodes/node-load.ts";

const KEYS = 64;

/** Transfers with random signatures, from fresh keys without an account, or from the given one. */
export function forgedTransactions(chainId: string, count: number, from?: string): readonly Transaction[] {
  const keys = Array.from({ length: KEYS }, () => loadAccount(new Uint8Array(randomBytes(32))).publicKey);
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => new Uint8Array(randomBytes(length)) };
  return Array.from({ length: count }, (_, n) => {
    const key = keys[n % KEYS] ?? "";
    const to = keys[(n + 1) % KEYS] ?? "";
    const unsigned = buildTransaction({ type: "TRANSFER", from: from ?? key, to, amount: 1, payload: {} }, context);
    return { ...unsigned, signature: toBase64(new Uint8Array(randomBytes(64))) };
  });
}
