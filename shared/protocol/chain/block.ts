// A block: header, transactions, evidence and the commit of its parent.

import { CborReader } from "#shared/codec/cbor-reader.ts";
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { fields, list, nullable, record } from "#shared/codec/composites.ts";
import { bytesUpTo } from "#shared/codec/scalars.ts";
import { toHex } from "#shared/util/bytes.ts";
import { type Sha256, sha256 } from "../primitives/hash.ts";
import { MAX_BLOCK_EVIDENCE, MOST_BLOCK_TXS } from "../primitives/limits.ts";
import { merkleRoot } from "../primitives/merkle.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { encodeTransaction, type FindTransaction, transactionsCodec } from "../transactions/transaction-encoding.ts";
import { type BlockHeader, type HashHex, headerCodec } from "./header.ts";
import { type Commit, commitCodec } from "./vote.ts";

/** Bytes at the front of an encoded block that hold its header: ten hashes, five numbers and the name of a chain. */
export const BLOCK_FRONT_BYTES = 1_024;

/** A block is checked on its way in, and its header is made once more when it is executed. */
const roots = new WeakMap<readonly Transaction[], HashHex>();

/** A block as nodes store and send it. The commit that makes it final is beside it. */
export interface Block {
  readonly header: BlockHeader;
  readonly transactions: readonly Transaction[];
  /** Encoded evidence, opaque here. */
  readonly evidence: readonly Uint8Array[];
  /** Commit of the parent; null in blocks 0 and 1. */
  readonly lastCommit: Commit | null;
}

/** What follows the transactions in an encoded block. */
export const blockTailCodec = fields({ evidence: list(bytesUpTo(), MAX_BLOCK_EVIDENCE), lastCommit: nullable(commitCodec) });

/** [header, transactions, evidence, last commit or null] */
const blockCodec = blockCodecWith(undefined);

export function encodeBlock(block: Block): Uint8Array {
  return encode(blockCodec, block);
}

/**
 * Block of {@link encodeBlock}. Transactions that `find` knows under their ids with the same bytes are not decoded again.
 * @throws Error on any other bytes. Roots and rules are not checked here.
 */
export function decodeBlock(bytes: Uint8Array, find?: FindTransaction): Block {
  return decode(find === undefined ? blockCodec : blockCodecWith(find), bytes);
}

/** Header of an encoded block, of its first bytes: {@link BLOCK_FRONT_BYTES} are enough for every header. @throws Error on other bytes. */
export function decodeBlockHeader(front: Uint8Array): BlockHeader {
  const reader = new CborReader(front);
  reader.array();
  return headerCodec.read(reader);
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

function blockCodecWith(find: FindTransaction | undefined): Codec<Block> {
  return record({
    header: headerCodec,
    transactions: transactionsCodec(find, MOST_BLOCK_TXS),
    evidence: list(bytesUpTo(), MAX_BLOCK_EVIDENCE),
    lastCommit: nullable(commitCodec),
  });
}
