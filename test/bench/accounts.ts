// Accounts and signed transfers of the benchmark, with native signing.
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { buildTransaction } from "#shared/protocol/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { signedBytes } from "#shared/protocol/transaction-id.ts";

/** A key pair. */
export interface BenchAccount {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Fresh account. */
export function createAccount(): BenchAccount {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: raw.toString("hex"), privateKey: createPrivateKey(privateKey.export({ format: "pem", type: "pkcs8" })) };
}

/** Signed TRANSFER of one µT. */
export function signedTransfer(from: BenchAccount, to: string, chainId: string): Transaction {
  const context = { chainId, nowMs: Date.now(), random: (length: number): Uint8Array => randomBytes(length) };
  const unsigned = buildTransaction({ type: "TRANSFER", from: from.publicKey, to, amount: 1, payload: {} }, context);
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), from.privateKey).toString("base64") };
}
