// Holds the journal to the chain: own outgoing transactions say in their salts which connection ordered them. What the journal lacks is
// counted, and then all connections rest until the person confirms each: an older state was put back.

import { fromHex } from "#shared/util/bytes.ts";
import { decryptSalt, MAX_CONNECTION_NUMBER } from "../judging/payment-salt.ts";
import type { OwnTransaction } from "../messages/apps-api.ts";
import type { AppStore, LineContent } from "../storage/app-store.ts";
import { saltAndDigest } from "./order-checks.ts";

const ACTIONS: Readonly<Record<string, "pay" | "call">> = { TRANSFER: "pay", CALL_CONTRACT: "call" };
const SALT_BYTES = 8;
const NO_BYTES = new Uint8Array();

/** Takes own outgoing transactions that are in blocks. */
export async function countHistory(store: AppStore, transactions: readonly OwnTransaction[]): Promise<void> {
  const lines = transactions.flatMap((transaction) => lineOf(store, transaction) ?? []);
  if (lines.length === 0) return;
  const unknown = lines.filter(({ keyHash = NO_BYTES }) => keyHash.length === 0);
  if (unknown.length > 0) await restAll(store, Math.max(...unknown.map(({ connection }) => connection)));
  await store.append(...lines);
}

/** All connections rest, and numbers up to this one are not used again. */
async function restAll(store: AppStore, number: number): Promise<void> {
  const awake = store.connections.filter(({ isResting }) => !isResting);
  await store.write((state) => ({
    ...state,
    nextNumber: Math.min(Math.max(state.nextNumber, number + 1), MAX_CONNECTION_NUMBER + 1),
    connections: state.connections.map((connection) => ({ ...connection, isResting: true })),
  }));
  await store.appendChange("rest", awake);
}

function lineOf({ ledger, numberKey }: AppStore, transaction: OwnTransaction): LineContent | undefined {
  const hex = saltAndDigest(transaction.id);
  const action = ACTIONS[transaction.type];
  if (hex === undefined || action === undefined) return undefined;
  const txId = fromHex(hex);
  const known = ledger.byTransaction(hex);
  if (known !== undefined) {
    const { connection, subject, amountUt, order, timestampMs: timeMs } = known;
    const outcome = known.outcome === "expired" ? "found" : transaction.hasFailed ? "failed" : "committed";
    if (known.outcome !== "expired" && known.outcome !== "reserved") return undefined;
    const hashes = { keyHash: fromHex(known.keyHash), bodyHash: fromHex(known.bodyHash) };
    return { connection, action, outcome, subject, amountUt, ...hashes, txId, order, timeMs };
  }
  const number = decryptSalt(numberKey, txId.subarray(0, SALT_BYTES));
  if (number === undefined) return undefined;
  return { ...number, action, outcome: "found", subject: "", amountUt: transaction.totalUt, txId };
}
