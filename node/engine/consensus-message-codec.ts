// Messages between validators as bytes. Decoding takes shapes and counts only; the engine checks what they say.

import { decodeBlock, encodeBlock } from "#shared/protocol/block.ts";
import { type CborValue, encodeCbor } from "#shared/protocol/cbor.ts";
import { CBOR_ARRAY, CBOR_NUMBER, CborCursor } from "#shared/protocol/cbor-cursor.ts";
import { MAX_VALIDATORS } from "#shared/protocol/limits.ts";
import { decodeTransaction, encodeTransaction, type FindTransaction } from "#shared/protocol/transaction-encoding.ts";
import { commitFromCbor, commitToCbor } from "#shared/protocol/vote.ts";
import { assertNever } from "#shared/util/assert.ts";
import { type ConsensusMessage, MAX_WORK_TRANSACTIONS } from "./consensus-network.ts";
import { bytesOf, countOf, listOf, proposalFromCbor, proposalToCbor, voteFromCbor, voteToCbor } from "./message-encoding.ts";

const TYPES = ["proposal", "vote", "certificate", "commit", "work"] as const satisfies readonly ConsensusMessage["type"][];

/** CBOR of [type, fields]. */
export function encodeConsensusMessage(message: ConsensusMessage): Uint8Array {
  return encodeCbor([TYPES.indexOf(message.type), fieldsOf(message)]);
}

/** Message of {@link encodeConsensusMessage}. Transactions that `find` knows are not decoded again. @throws Error on any other bytes. */
export function decodeConsensusMessage(bytes: Uint8Array, find?: FindTransaction): ConsensusMessage {
  const cursor = new CborCursor(bytes);
  if (cursor.head(CBOR_ARRAY) !== 2) throw new TypeError("A message has a type and fields");
  const type = TYPES[cursor.head(CBOR_NUMBER)];
  const message = type === "proposal" || type === "commit" ? withBlock(type, cursor, find) : messageOf(type, cursor.deterministicValue());
  if (!cursor.isAtEnd) throw new TypeError("More than a message");
  return message;
}

/** The block is not copied: it may have megabytes. */
function withBlock(type: "proposal" | "commit", cursor: CborCursor, find: FindTransaction | undefined): ConsensusMessage {
  if (cursor.head(CBOR_ARRAY) !== 2) throw new TypeError("A block comes with a signed value");
  const signed = cursor.deterministicValue();
  const block = decodeBlock(cursor.bytes(), find);
  return type === "proposal" ? { type, proposal: proposalFromCbor(signed), block } : { type, commit: commitFromCbor(signed), block };
}

function fieldsOf(message: ConsensusMessage): CborValue {
  switch (message.type) {
    case "proposal":
      return [proposalToCbor(message.proposal), encodeBlock(message.block)];
    case "vote":
      return voteToCbor(message.vote);
    case "certificate":
      return message.votes.map(voteToCbor);
    case "commit":
      return [commitToCbor(message.commit), encodeBlock(message.block)];
    case "work":
      return [message.height, message.transactions.map(encodeTransaction)];
    default:
      return assertNever(message);
  }
}

function messageOf(type: Exclude<ConsensusMessage["type"], "proposal" | "commit"> | undefined, fields: CborValue): ConsensusMessage {
  switch (type) {
    case "vote":
      return { type, vote: voteFromCbor(fields) };
    case "certificate":
      return { type, votes: shortList(fields, MAX_VALIDATORS).map(voteFromCbor) };
    case "work": {
      const [height, transactions] = listOf(fields, 2);
      const list = shortList(transactions, MAX_WORK_TRANSACTIONS);
      return { type, height: countOf(height), transactions: list.map((item) => decodeTransaction(bytesOf(item))) };
    }
    default:
      throw new TypeError("Expected a message type");
  }
}

function shortList(value: CborValue | undefined, longest: number): readonly CborValue[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= longest) return value;
  throw new TypeError(`Expected a list of 1 to ${longest}`);
}
