// A block: header, transactions, evidence and the commit of its parent.

import { equalBytes, toHex } from "#shared/util/bytes.ts";
import { type CborValue, encodeCbor, encodeCborList, readFirstOfShortList } from "./cbor.ts";
import { CBOR_ARRAY, CborCursor } from "./cbor-cursor.ts";
import { type Sha256, sha256 } from "./hash.ts";
import type { HashHex } from "./header.ts";
import { type BlockHeader, headerFromCbor, headerToCbor } from "./header.ts";
import { merkleRoot } from "./merkle.ts";
import type { Transaction } from "./transaction.ts";
import { encodeTransaction, type FindTransaction, readTransactions } from "./transaction-encoding.ts";
import { type Commit, commitFromCbor, commitToCbor } from "./vote.ts";

/** Bytes at the front of an encoded block that hold its header: ten hashes, four numbers and the name of a chain. */
export const BLOCK_FRONT_BYTES = 1_024;

const FIELDS = 4;

/** A block is checked on its way in, and its header is made once more when it is executed. */
const roots = new WeakMap<readonly Transaction[], HashHex>();

/** A block as nodes store and send it. The commit that makes it final stands beside it. */
export interface Block {
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
  /** Encoded evidence, opaque here. */
  readonly evidence: readonly Uint8Array[];
  /** Commit of the parent; null in blocks 0 and 1. */
  readonly lastCommit: Commit | null;
}

/** CBOR of [header, transactions, evidence, lastCommit]. */
export function encodeBlock(block: Block): Uint8Array {
  return encodeCborList([
    encodeCbor(headerToCbor(block.header)),
    encodeCborList(block.transactions.map(encodeTransaction)),
    encodeCbor(block.evidence),
    encodeCbor(block.lastCommit === null ? null : commitToCbor(block.lastCommit)),
  ]);
}

/**
 * Block of {@link encodeBlock}. Transactions that `find` knows under their ids with the same bytes are not decoded again.
 * @throws Error on any other bytes. Roots and rules are not checked here.
 */
export function decodeBlock(bytes: Uint8Array, find?: FindTransaction): Block {
  const cursor = new CborCursor(bytes);
  if (cursor.head(CBOR_ARRAY) !== FIELDS) throw new TypeError("A block is an array of 4 fields");
  const header = headerFromCbor(cursor.value());
  const transactions = readTransactions(bytes, cursor, find);
  const [evidence, lastCommit] = [cursor.value(), cursor.value()];
  if (!Array.isArray(evidence)) throw new TypeError("A block has a list of evidence");
  const block: Block = {
    header,
    transactions,
    evidence: (evidence as readonly CborValue[]).map(asBytes),
    lastCommit: lastCommit === null ? null : commitFromCbor(lastCommit),
  };
  // Header, evidence and commit came from the general decoder, which takes other forms too.
  if (!equalBytes(encodeBlock(block), bytes)) throw new TypeError("The block is not in deterministic form");
  return block;
}

/** Header of an encoded block, of its first bytes: {@link BLOCK_FRONT_BYTES} are enough for every header. @throws Error on other bytes. */
export function decodeBlockHeader(front: Uint8Array): BlockHeader {
  return headerFromCbor(readFirstOfShortList(front));
}

/** Root over already encoded leaves (transactions, receipts or evidence), hex. */
export function rootHex(leaves: readonly Uint8Array[], hash: Sha256 = sha256): HashHex {
  return toHex(merkleRoot(leaves, hash));
}

/** Root over the transactions of a block, hex. The same list gets the same root without a look: it must not be changed. */
export function transactionsRoot(transactions: readonly Transaction[], hash: Sha256 = sha256): HashHex {
  const known = roots.get(transactions);
  if (known !== undefined) return known;
  const root = rootHex(transactions.map(encodeTransaction), hash);
  roots.set(transactions, root);
  return root;
}

function asBytes(value: CborValue): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError("Evidence is a byte string");
  return value;
}
