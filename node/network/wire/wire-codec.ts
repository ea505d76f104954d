// Bytes of everything that peers send each other. Every decoder is total: undefined for bytes that are not exactly one valid value.
import { decodeConsensusMessage, encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { type Codec, decode, encode, tryDecode } from "#shared/codec/codec.ts";
import { list, nullable, record } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo, view } from "#shared/codec/scalars.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type FindTransaction, transactionCodec } from "#shared/protocol/transactions/transaction-encoding.ts";
import { equalBytes } from "#shared/util/bytes.ts";
import type { ChainStatus, EncodedFinalBlock, FinalBlock } from "../peer-network.ts";

/** First field of every message: a message of another version is invalid, another version gets topics and protocols of its own. */
export const WIRE_VERSION = 1;

/** How far a node of which chain is. */
export interface StatusMessage extends ChainStatus {
  readonly chainId: string;
  readonly genesisHash: string;
}

/** Transactions for all nodes. */
export interface TransactionsMessage {
  readonly transactions: readonly Transaction[];
  /** Unix seconds of the sender when they were sent before: gossip would take the same bytes for a repetition. Null the first time. */
  readonly repeatedAtSec: number | null;
}

/** Blocks that a peer requests. */
export interface BlocksRequest {
  readonly from: number;
  readonly count: number;
}

/** A message between validators that goes by gossip. */
export interface GossipedConsensus {
  /** Unix seconds of the sender. */
  readonly atSec: number;
  readonly message: ConsensusMessage;
}

/** [1, [transaction …], second or null] */
const transactionsCodec: Codec<TransactionsMessage> = record(
  { transactions: list(transactionCodec, undefined, 1), repeatedAtSec: nullable(integer()) },
  WIRE_VERSION,
);

/** [1, block, commit], both as byte strings */
const finalBlockCodec: Codec<EncodedFinalBlock> = record({ block: view, commit: view }, WIRE_VERSION);

/** [1, second, message]; the time lets the same message be sent again, which gossip would take for a repetition. */
const gossipedCodec = record({ atSec: integer(), message: view }, WIRE_VERSION);

/** [1, chain id, genesis hash, height, hash of the tip, first height] */
const statusCodec: Codec<StatusMessage> = record(
  { chainId: textUpTo(), genesisHash: hex(32), height: integer(), tipHash: hex(32), firstHeight: integer() },
  WIRE_VERSION,
);

/** [1, first height, count] */
const blocksRequestCodec: Codec<BlocksRequest> = record({ from: integer(), count: integer(1) }, WIRE_VERSION);

/** Bytes of at least one transaction. */
export function encodeTransactions(message: TransactionsMessage): Uint8Array {
  return encode(transactionsCodec, message);
}

/** Message of {@link encodeTransactions}. Shapes only: signatures and rules are checked later. */
export function decodeTransactions(bytes: Uint8Array): TransactionsMessage | undefined {
  return tryDecode(transactionsCodec, bytes);
}

/** Bytes of a block and its commit. */
export function encodeFinalBlock({ block, commit }: FinalBlock): Uint8Array {
  return joinFinalBlock({ block: encodeBlock(block), commit: encode(commitCodec, commit) });
}

/** The message of {@link encodeFinalBlock}, of its encoded parts. */
export function joinFinalBlock(parts: EncodedFinalBlock): Uint8Array {
  return encode(finalBlockCodec, parts);
}

/**
 * Block and commit of {@link encodeFinalBlock}. Whether they belong together is checked later. When the node has the block that the
 * commit speaks of and the bytes are the same, they are not decoded again.
 */
export function decodeFinalBlock(bytes: Uint8Array, known?: (hash: HashHex) => Block | undefined): FinalBlock | undefined {
  try {
    const parts = decode(finalBlockCodec, bytes);
    const commit = decode(commitCodec, parts.commit);
    const own = known?.(commit.blockHash);
    return { block: own !== undefined && equalBytes(encodeBlock(own), parts.block) ? own : decodeBlock(parts.block), commit };
  } catch {
    return undefined;
  }
}

/** Bytes of a message between validators that goes by gossip. */
export function encodeGossipedConsensus({ atSec, message }: GossipedConsensus): Uint8Array {
  return encode(gossipedCodec, { atSec, message: encodeConsensusMessage(message) });
}

/** Message of {@link encodeGossipedConsensus}. Shapes only. */
export function decodeGossipedConsensus(bytes: Uint8Array): GossipedConsensus | undefined {
  try {
    const { atSec, message } = decode(gossipedCodec, bytes);
    return { atSec, message: decodeConsensusMessage(message) };
  } catch {
    return undefined;
  }
}

/** A message of a validator's own stream, undefined for other bytes. Transactions that `find` knows are not decoded again. */
export function tryDecodeConsensus(bytes: Uint8Array, find?: FindTransaction): ConsensusMessage | undefined {
  try {
    return decodeConsensusMessage(bytes, find);
  } catch {
    return undefined;
  }
}

/** Bytes of a status. */
export function encodeStatus(status: StatusMessage): Uint8Array {
  return encode(statusCodec, status);
}

/** Status of {@link encodeStatus}. */
export function decodeStatus(bytes: Uint8Array): StatusMessage | undefined {
  return tryDecode(statusCodec, bytes);
}

/** Bytes of a request for at least one block. */
export function encodeBlocksRequest(request: BlocksRequest): Uint8Array {
  return encode(blocksRequestCodec, request);
}

/** Request of {@link encodeBlocksRequest}. */
export function decodeBlocksRequest(bytes: Uint8Array): BlocksRequest | undefined {
  return tryDecode(blocksRequestCodec, bytes);
}
