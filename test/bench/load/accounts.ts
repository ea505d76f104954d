// Accounts and signed transfers of the benchmark, with native signing.
import { createPrivateKey, createPublicKey, hash, type KeyObject, randomBytes, sign } from "node:crypto";
import { buildTransaction } from "#shared/protocol/transactions/build-transaction.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { signedBytes } from "#shared/protocol/transactions/transaction-id.ts";

/** A key pair. */
export interface BenchAccount {
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** A transfer of one µT, unless given otherwise, at the present time. */
export interface TransferDraft {
  readonly to: string;
  readonly chainId: string;
  readonly amountUt?: number;
  readonly nowMs?: number;
}

/** PrivateKeyInfo of an Ed25519 key without the seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Fresh account. */
export function createAccount(): BenchAccount {
  return accountOfSeed(randomBytes(32));
}

/** Account number n of every generated chain. */
export function numberedAccount(n: number): BenchAccount {
  return accountOfSeed(seedOfNumber(n));
}

/** Its seed. */
export function seedOfNumber(n: number): Uint8Array {
  return hash("sha256", `parley benchmark account ${n}`, "buffer");
}

/** Account of a 32-byte Ed25519 seed. */
export function accountOfSeed(seed: Uint8Array): BenchAccount {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(-32).toString("hex");
  return { publicKey, privateKey };
}

/** Signed TRANSFER. */
export function signedTransfer(from: BenchAccount, { to, chainId, amountUt = 1, nowMs = Date.now() }: TransferDraft): Transaction {
  const context = { chainId, nowMs, random: (length: number): Uint8Array => randomBytes(length) };
  const unsigned = buildTransaction({ type: "TRANSFER", from: from.publicKey, to, amount: amountUt, payload: {} }, context);
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), from.privateKey).toString("base64") };
}
