// Self-certifying transaction ids: `tx1` + salt (16 hex) + hex SHA-256(chain_id ‖ 0x00 ‖ salt ‖ sign bytes with id "").
import { concatBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import { MAX_TX_ID_CHARS } from "../primitives/limits.ts";
import { signBytes } from "./sign-bytes.ts";
import type { UnsignedTransaction } from "./transaction.ts";

/** Prefix that claims an id to be self-certifying. */
export const TX_ID_PREFIX = "tx1";
/** Salt bytes of an id. */
export const TX_ID_SALT_BYTES = 8;
/** Salt of the id that a node gives to a transaction submitted without one; such a transaction is signed over id "". */
export const ZERO_SALT: Uint8Array = new Uint8Array(TX_ID_SALT_BYTES);

/** Prefix of the ids of block rewards; no submitted transaction may use it. */
export const REWARD_ID_PREFIX = "reward-";

/** How ids begin that a node gives. */
const GIVEN_ID_PREFIX = `${TX_ID_PREFIX}${toHex(ZERO_SALT)}`;

const CERTIFIED_PATTERN = /^tx1([0-9a-f]{16})[0-9a-f]{64}$/;
const HEIGHT_PATTERN = /^(?:0|[1-9]\d{0,14})$/;
const ID_PATTERN = /^[A-Za-z0-9._:-]+$/;

/** True for 1–128 characters of A–Z a–z 0–9 . _ : - that do not begin like the id of a block reward. */
export function isTransactionId(text: string): boolean {
  return text.length <= MAX_TX_ID_CHARS && ID_PATTERN.test(text) && !text.startsWith(REWARD_ID_PREFIX);
}

/** Id of the reward entry of a block. */
export function rewardId(height: number): string {
  return `${REWARD_ID_PREFIX}${height}`;
}

/** Height of the block whose reward has this id; undefined for the id of a transaction. */
export function rewardHeight(id: string): number | undefined {
  const digits = id.startsWith(REWARD_ID_PREFIX) ? id.slice(REWARD_ID_PREFIX.length) : "";
  return HEIGHT_PATTERN.test(digits) ? Number(digits) : undefined;
}

/** The self-certifying id of a transaction on a chain. The transaction's own `id` does not matter. */
export function transactionId(chainId: string, salt: Uint8Array, tx: UnsignedTransaction, hash: Sha256 = sha256): string {
  const digest = hash(concatBytes(utf8(chainId), Uint8Array.of(0), salt, signBytes(tx, "")));
  return `${TX_ID_PREFIX}${toHex(salt)}${toHex(digest)}`;
}

/** True unless the id begins with `tx1` and is not this transaction's own on this chain. */
export function isIdAuthentic(chainId: string, tx: UnsignedTransaction, hash: Sha256 = sha256): boolean {
  if (!tx.id.startsWith(TX_ID_PREFIX)) return true;
  const salt = CERTIFIED_PATTERN.exec(tx.id)?.[1];
  return salt !== undefined && transactionId(chainId, fromHex(salt), tx, hash) === tx.id;
}

/** Bytes over which the signature is checked: over id "" for an id with the zero salt, else over the transaction's own id. */
export function signedBytes(tx: UnsignedTransaction): Uint8Array {
  return signBytes(tx, tx.id.startsWith(GIVEN_ID_PREFIX) ? "" : tx.id);
}
