// How the engine talks to the other validators. Delivery may lose, repeat and reorder.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { Commit, Proposal, Vote } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";

/**
 * A message between validators. Nothing in a received one has been checked; the block of one that came over the network is decoded when
 * it is first read: {@link readBlock}.
 */
export type ConsensusMessage =
  | { readonly type: "proposal"; readonly proposal: Proposal; readonly block: Block }
  | { readonly type: "vote"; readonly vote: Vote }
  /** Votes of one height, round and type that together are more than two thirds. */
  | { readonly type: "certificate"; readonly votes: readonly Vote[] }
  /** A decided block, for a node that missed the votes. */
  | { readonly type: "commit"; readonly commit: Commit; readonly block: Block }
  /** Transactions that wait too long for the block of a height: the others may not know them, and would sleep on. */
  | { readonly type: "work"; readonly height: Height; readonly transactions: readonly Transaction[] };

/** The bytes of a message's block are none. */
export class MalformedBlockError extends Error {
  override readonly name = "MalformedBlockError";
}

/** The block of a message, undefined when its bytes are none. */
export function readBlock(message: { readonly block: Block }): Block | undefined {
  try {
    return message.block;
  } catch (error) {
    if (error instanceof MalformedBlockError) return undefined;
    throw error;
  }
}

/** Most transactions of one `work` message. */
export const MAX_WORK_TRANSACTIONS = 64;

/** Who brought a message. */
export interface MessageSender {
  /** Its messages wait in a queue of this name. */
  readonly name: string;
  /** Key of the validator whose own stream it is; null when the message was passed on by others. */
  readonly publicKey: PublicKeyHex | null;
  /** The message was one that no honest node sends. */
  reject(): void;
  /** Sends to this one alone, when there is a way to it. */
  reply(message: ConsensusMessage): void;
}

/** A sender of whom nothing is known. */
export const UNKNOWN_SENDER: MessageSender = {
  name: "",
  publicKey: null,
  reject: () => undefined,
  reply: () => undefined,
};

/** Takes a message in. `bytes` is its size as far as it matters: that of its block. */
export type ReceiveMessage = (message: ConsensusMessage, sender?: MessageSender, bytes?: number) => void;

/** Sends to all other validators and hands over what they send. */
export interface ConsensusNetwork {
  broadcast(message: ConsensusMessage): void;
  /** Registers the receiver of messages; returns how to remove it. */
  onMessage(receive: ReceiveMessage): () => void;
}
