// What transactions are found by: a number made of the id, a seventh of its size, so that the index of a long chain stays in memory.
import { hash } from "node:crypto";

/** Hex digits of the key: 48 bits. */
const KEY_DIGITS = 12;

/** Key of a transaction id. Different ids may share one, but many cannot be made to share one. */
export function transactionKey(id: string): number {
  return Number.parseInt(hash("sha256", id).slice(0, KEY_DIGITS), 16);
}
