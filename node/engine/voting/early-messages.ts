// Messages for the next height, stored until it starts. They are unchecked, so they are few of each sender: one that lies fills its own
// small list, and what was dropped comes back by rebroadcast.
import type { ConsensusMessage, MessageSender } from "../consensus-network.ts";
import { INBOUND_LIMITS } from "../inbound/inbound-limits.ts";

/** Highest round of the next height that is of use when it starts. */
const LAST_ROUND = 1;

/** A message with its sender. */
export interface ReceivedMessage {
  readonly message: ConsensusMessage;
  readonly sender: MessageSender;
  readonly bytes: number;
}

interface SenderList {
  readonly votes: ReceivedMessage[];
  readonly blocks: ReceivedMessage[];
}

/** Bounded lists. */
export class EarlyMessages {
  #lists = new Map<string, SenderList>();
  #blockBytes = 0;

  /** Stores a message of the next height, unless there is no room or its round is far. */
  add(received: ReceivedMessage): void {
    const { message, sender, bytes } = received;
    if (message.type === "work" || (message.type !== "commit" && roundOf(message) > LAST_ROUND)) return;
    const list = this.#lists.get(sender.name) ?? { votes: [], blocks: [] };
    if (!this.#lists.has(sender.name) && this.#lists.size >= INBOUND_LIMITS.earlySenders) return;
    this.#lists.set(sender.name, list);
    if (message.type === "vote" || message.type === "certificate") {
      if (list.votes.length < INBOUND_LIMITS.earlyVotes) list.votes.push(received);
      return;
    }
    if (list.blocks.length >= INBOUND_LIMITS.earlyBlocks || this.#blockBytes + bytes > INBOUND_LIMITS.earlyBytes) return;
    this.#blockBytes += bytes;
    list.blocks.push(received);
  }

  /** Takes out what was stored, blocks first: a vote is of more use when its block is known. */
  take(): readonly ReceivedMessage[] {
    const lists = [...this.#lists.values()];
    this.#lists = new Map();
    this.#blockBytes = 0;
    return [...lists.flatMap(({ blocks }) => blocks), ...lists.flatMap(({ votes }) => votes)];
  }
}

function roundOf(message: Exclude<ConsensusMessage, { readonly type: "commit" | "work" }>): number {
  if (message.type === "proposal") return message.proposal.round;
  return message.type === "vote" ? message.vote.round : (message.votes[0]?.round ?? 0);
}
