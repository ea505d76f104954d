// Messages between validators as bytes. Decoding takes shapes and counts only; the engine checks what they say.
import { codec, decode, encode } from "#shared/codec/codec.ts";
import { embedded, list, named, record } from "#shared/codec/composites.ts";
import { integer, view } from "#shared/codec/scalars.ts";
import { unionPair } from "#shared/codec/unions.ts";
import { type Block, decodeBlock, encodeBlock } from "#shared/protocol/chain/block.ts";
import { commitCodec, proposalCodec, voteCodec } from "#shared/protocol/chain/vote.ts";
import { MAX_VALIDATORS } from "#shared/protocol/primitives/limits.ts";
import { type FindTransaction, transactionCodec } from "#shared/protocol/transactions/transaction-encoding.ts";
import { type ConsensusMessage, MAX_WORK_TRANSACTIONS, MalformedBlockError } from "./consensus-network.ts";

/** [number of the type, content]. Blocks stay encoded: they may have megabytes, and most of their transactions are known. */
const messageCodec = unionPair("type", "numbers", {
  proposal: record({ proposal: proposalCodec, block: view }),
  vote: named("vote", voteCodec),
  // Others refuse more votes than a set can have, and the one who sends them must not stop for that.
  certificate: named("votes", codec(list(voteCodec, MAX_VALIDATORS, 1).read, list(voteCodec).write)),
  commit: record({ commit: commitCodec, block: view }),
  work: record({ height: integer(), transactions: list(embedded(transactionCodec), MAX_WORK_TRANSACTIONS, 1) }),
});

/** Bytes of a message. */
export function encodeConsensusMessage(message: ConsensusMessage): Uint8Array {
  return encode(messageCodec, "block" in message ? { ...message, block: encodeBlock(message.block) } : message);
}

/**
 * Message of {@link encodeConsensusMessage}. Its block is decoded when it is first read, so that what is of no use costs nothing;
 * transactions that `find` knows are not decoded again. @throws Error on any other bytes.
 */
export function decodeConsensusMessage(bytes: Uint8Array, find?: FindTransaction): ConsensusMessage {
  const message = decode(messageCodec, bytes);
  if (!("block" in message)) return message;
  const { block, ...rest } = message;
  return withEncodedBlock(rest, block, find);
}

/** A message with a block that is decoded when it is first read. Reading throws a {@link MalformedBlockError} when the bytes are none. */
export function withEncodedBlock<M extends object>(message: M, encoded: Uint8Array, find?: FindTransaction): M & { readonly block: Block } {
  let block: Block | undefined;
  const read = (): Block => (block ??= decodeOwnBlock(encoded, find));
  return Object.defineProperty({ ...message }, "block", { get: read, enumerable: true }) as M & { readonly block: Block };
}

function decodeOwnBlock(bytes: Uint8Array, find: FindTransaction | undefined): Block {
  try {
    return decodeBlock(bytes, find);
  } catch (cause) {
    throw new MalformedBlockError("The block of a message is malformed", { cause });
  }
}
