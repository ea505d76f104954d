// Canonical bytes of a transaction: compact JSON with exactly these keys in this order. Every character in it is one that
// no JSON library escapes (id, type and timestamp are restricted, the rest is hex, base64 and digits).
import { utf8 } from "#shared/util/bytes.ts";
import type { UnsignedTransaction } from "./transaction.ts";

/** Text whose UTF-8 bytes are signed, with the transaction's own id or another one. */
export function canonicalText(tx: UnsignedTransaction, id: string = tx.id): string {
  return `{"id":"${id}","type":"${tx.type}","from":"${tx.from}","to":"${tx.to}","amount":${tx.amount},"fee":${tx.fee},"payload":"${tx.payload}","timestamp":"${tx.timestamp}"}`;
}

/** Bytes that the sender signs. */
export function signBytes(tx: UnsignedTransaction, id: string = tx.id): Uint8Array {
  return utf8(canonicalText(tx, id));
}
