// Bytes of everything that peers send each other. Those of a stranger are read with `tryDecode`: undefined unless they are one valid value.
import { decodeConsensusMessage, encodeConsensusMessage } from "#node/engine/consensus-message-codec.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import { type Codec, decode, encode } from "#shared/codec/codec.ts";
import { list, mapped, nullable, record } from "#shared/codec/composites.ts";
import { hex, integer, textUpTo, view } from "#shared/codec/scalars.ts";
import { BLOCK_FRONT_BYTES, type Block, decodeBlock, decodeBlockHeader, encodeBlock } from "#shared/protocol/chain/block.ts";
import { commitCodec } from "#shared/protocol/chain/vote.ts";
import { type FindTransaction, transactionCodec } from "#shared/protocol/transactions/transaction-encoding.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { EncodedFinalBlock, FinalBlock, ReceivedBlock } from "../peer-network.ts";

/** First field of every message: a message of another version is invalid, another version gets topics and protocols of its own. */
export const WIRE_VERSION = 1;
/** Heights of snapshots in a status. */
const MOST_SNAPSHOTS = 8;

/** [1, [transaction …], second or null], at least one transaction. Shapes only: signatures and rules are checked later. */
export const transactionsMessageCodec = record(
  {
    transactions: list(transactionCodec, NETWORK_LIMITS.transactionItems, 1),
    /** Unix seconds of the sender when they were sent before: gossip would take the same bytes for a repetition. Null the first time. */
    repeatedAtSec: nullable(integer()),
  },
  WIRE_VERSION,
);

/** [1, block, commit], both as byte strings */
export const encodedFinalBlockCodec: Codec<EncodedFinalBlock> = record({ block: view, commit: view }, WIRE_VERSION);

/**
 * [1, unix seconds of the sender, message]: a message between validators that goes by gossip, its shape only. The time lets the same
 * message be sent again, which gossip would take for a repetition.
 */
export const gossipedConsensusCodec = record(
  { atSec: integer(), message: mapped(view, (bytes) => decodeConsensusMessage(bytes), encodeConsensusMessage) },
  WIRE_VERSION,
);

const STATUS_FIELDS = { chainId: textUpTo(), genesisHash: hex(32), height: integer(), tipHash: hex(32), firstHeight: integer() };

/** [1, chain id, genesis hash, height, hash of the tip, first height] */
export const firstStatusCodec = record(STATUS_FIELDS, WIRE_VERSION);

const SECOND_STATUS_FIELDS = { ...STATUS_FIELDS, firstHeader: integer(), snapshots: list(integer(1), MOST_SNAPSHOTS) };

/** [2, chain id, genesis hash, height, hash of the tip, first height, first header, [height of a snapshot …]] */
export const secondStatusCodec = record(SECOND_STATUS_FIELDS, 2);

/** [3, the same, height from which on all is kept] */
export const statusCodec = record({ ...SECOND_STATUS_FIELDS, keepsFrom: integer() }, 3);

/** [1, first height, count], at least one block. */
export const blocksRequestCodec = record({ from: integer(), count: integer(1) }, WIRE_VERSION);

/** Bytes of a block and its commit. */
export function encodeFinalBlock({ block, commit }: FinalBlock): Uint8Array {
  return encode(encodedFinalBlockCodec, { block: encodeBlock(block), commit: encode(commitCodec, commit) });
}

/** Block and commit of {@link encodeFinalBlock}. Whether they belong together is checked later. */
export function decodeFinalBlock(bytes: Uint8Array): FinalBlock | undefined {
  const received = decodeBlockFront(bytes);
  const block = received?.read();
  return received === undefined || block === undefined ? undefined : { block, commit: received.commit };
}

/** The same, of which only header and commit are decoded: both are short. Transactions that `find` knows are not decoded again. */
export function decodeBlockFront(bytes: Uint8Array, find?: FindTransaction): ReceivedBlock | undefined {
  try {
    const parts = decode(encodedFinalBlockCodec, bytes);
    const commit = decode(commitCodec, parts.commit);
    const header = decodeBlockHeader(parts.block.subarray(0, BLOCK_FRONT_BYTES));
    return { header, commit, encoded: parts.block, read: (): Block | undefined => tryDecodeBlock(parts.block, find) };
  } catch {
    return undefined;
  }
}

function tryDecodeBlock(bytes: Uint8Array, find: FindTransaction | undefined): Block | undefined {
  try {
    return decodeBlock(bytes, find);
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
