// Bytes of everything that peers send each other. Every decoder is total: undefined for bytes that are not exactly one valid value.
import { decodeConsensusMessage, encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { bytesOf, countOf, hashOf, listOf } from "#node/engine/message-encoding.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/block.ts";
import { type CborValue, decodeCbor, encodeCbor, encodeCborList } from "#shared/protocol/cbor.ts";
import { CBOR_ARRAY, CBOR_NUMBER, CborCursor } from "#shared/protocol/cbor-cursor.ts";
import type { HashHex } from "#shared/protocol/header.ts";
import type { Transaction } from "#shared/protocol/transaction.ts";
import { encodeTransaction, type FindTransaction, readTransactions } from "#shared/protocol/transaction-encoding.ts";
import { commitFromCbor, commitToCbor } from "#shared/protocol/vote.ts";
import { fromHex } from "#shared/util/bytes.ts";
import type { ChainStatus, EncodedFinalBlock, FinalBlock } from "../peer-network.ts";

/** First field of every message: a message of another version is invalid, another version gets topics and protocols of its own. */
export const WIRE_VERSION = 1;

const TRANSACTIONS_FIELDS = 3;
const FINAL_BLOCK_FIELDS = 3;

/** How far a node of which chain is. */
export interface StatusMessage extends ChainStatus {
  readonly chainId: string;
  readonly genesisHash: string;
}

/** Transactions for everybody. */
export interface TransactionsMessage {
  readonly transactions: readonly Transaction[];
  /** Unix seconds of the sender when they were told before: gossip would take the same bytes for a repetition. Null the first time. */
  readonly repeatedAtSec: number | null;
}

/** Which blocks a peer wants. */
export interface BlocksQuestion {
  readonly from: number;
  readonly count: number;
}

/** A message between validators that goes by gossip. */
export interface GossipedConsensus {
  /** Unix seconds of the sender. */
  readonly atSec: number;
  readonly message: ConsensusMessage;
}

/** Reads a decoded value; throws on another shape. */
type ReadFields<T> = (fields: readonly CborValue[]) => T;

/** [1, [transaction …], second or null] */
export function encodeTransactions({ transactions, repeatedAtSec }: TransactionsMessage): Uint8Array {
  return encodeCborList([encodeCbor(WIRE_VERSION), encodeCborList(transactions.map(encodeTransaction)), encodeCbor(repeatedAtSec)]);
}

/** Message of {@link encodeTransactions} with at least one transaction. Shapes only: signatures and rules are checked later. */
export function decodeTransactions(bytes: Uint8Array): TransactionsMessage | undefined {
  try {
    const cursor = new CborCursor(bytes);
    if (cursor.head(CBOR_ARRAY) !== TRANSACTIONS_FIELDS || cursor.head(CBOR_NUMBER) !== WIRE_VERSION) return undefined;
    const transactions = readTransactions(bytes, cursor);
    const repeatedAtSec = cursor.value();
    const message: TransactionsMessage = { transactions, repeatedAtSec: repeatedAtSec === null ? null : countOf(repeatedAtSec) };
    // The second came from the general decoder, which takes other forms too.
    return transactions.length > 0 && Buffer.compare(encodeTransactions(message), bytes) === 0 ? message : undefined;
  } catch {
    return undefined;
  }
}

/** [1, block, commit], both as byte strings. */
export function encodeFinalBlock({ block, commit }: FinalBlock): Uint8Array {
  return encodeCbor([WIRE_VERSION, encodeBlock(block), encodeCbor(commitToCbor(commit))]);
}

/** The message of {@link encodeFinalBlock}, of its encoded parts. */
export function joinFinalBlock({ block, commit }: EncodedFinalBlock): Uint8Array {
  return encodeCbor([WIRE_VERSION, block, commit]);
}

/**
 * Block and commit of {@link encodeFinalBlock}. Whether they belong together is checked later. When the node has the block that the
 * commit speaks of and the bytes are the same, they are not decoded again.
 */
export function decodeFinalBlock(bytes: Uint8Array, known?: (hash: HashHex) => Block | undefined): FinalBlock | undefined {
  try {
    const cursor = new CborCursor(bytes);
    if (cursor.head(CBOR_ARRAY) !== FINAL_BLOCK_FIELDS || cursor.head(CBOR_NUMBER) !== WIRE_VERSION) return undefined;
    const [blockBytes, commitBytes] = [cursor.bytes(), cursor.bytes()];
    if (!cursor.isAtEnd) return undefined;
    const commit = commitFromCbor(decodeCbor(commitBytes));
    const own = known?.(commit.blockHash);
    return { block: own !== undefined && Buffer.compare(encodeBlock(own), blockBytes) === 0 ? own : decodeBlock(blockBytes), commit };
  } catch {
    return undefined;
  }
}

/** [1, second, message]; the time lets the same message be told again, which gossip would take for a repetition. */
export function encodeGossipedConsensus({ atSec, message }: GossipedConsensus): Uint8Array {
  return encodeCbor([WIRE_VERSION, atSec, encodeConsensusMessage(message)]);
}

/** Message of {@link encodeGossipedConsensus}. Shapes only. */
export function decodeGossipedConsensus(bytes: Uint8Array): GossipedConsensus | undefined {
  return decodeMessage(bytes, 3, ([, atSec, message]) => ({
    atSec: countOf(atSec),
    message: decodeConsensusMessage(bytesOf(message)),
  }));
}

/** A message of a validator's own stream, undefined for other bytes. Transactions that `find` knows are not decoded again. */
export function tryDecodeConsensus(bytes: Uint8Array, find?: FindTransaction): ConsensusMessage | undefined {
  try {
    return decodeConsensusMessage(bytes, find);
  } catch {
    return undefined;
  }
}

/** [1, chain id, genesis hash, height, hash of the tip, first height] */
export function encodeStatus(status: StatusMessage): Uint8Array {
  const { chainId, genesisHash, height, tipHash, firstHeight } = status;
  return encodeCbor([WIRE_VERSION, chainId, fromHex(genesisHash), height, fromHex(tipHash), firstHeight]);
}

/** Status of {@link encodeStatus}. */
export function decodeStatus(bytes: Uint8Array): StatusMessage | undefined {
  return decodeMessage(bytes, 6, ([, chainId, genesisHash, height, tipHash, firstHeight]) => ({
    chainId: textOf(chainId),
    genesisHash: hashOf(genesisHash),
    height: countOf(height),
    tipHash: hashOf(tipHash),
    firstHeight: countOf(firstHeight),
  }));
}

/** [1, first height, count] */
export function encodeBlocksQuestion({ from, count }: BlocksQuestion): Uint8Array {
  return encodeCbor([WIRE_VERSION, from, count]);
}

/** Question of {@link encodeBlocksQuestion}, for at least one block. */
export function decodeBlocksQuestion(bytes: Uint8Array): BlocksQuestion | undefined {
  return decodeMessage(bytes, 3, ([, from, count]) => {
    if (countOf(count) === 0) throw new TypeError("A question asks for something");
    return { from: countOf(from), count: countOf(count) };
  });
}

/** The fields of a message of this version, of `length` when given; undefined when the bytes are something else. */
export function decodeMessage<T>(bytes: Uint8Array, length: number | undefined, read: ReadFields<T>): T | undefined {
  try {
    const value = decodeCbor(bytes);
    if (!Array.isArray(value) || value[0] !== WIRE_VERSION) return undefined;
    return read(length === undefined ? value : listOf(value, length));
  } catch {
    return undefined;
  }
}

/** A list with something in it. @throws TypeError on anything else. */
export function nonEmptyList(value: CborValue | undefined): readonly CborValue[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new TypeError("Expected a list that is not empty");
}

/** A text. @throws TypeError on anything else. */
export function textOf(value: CborValue | undefined): string {
  if (typeof value === "string") return value;
  throw new TypeError("Expected a text");
}
