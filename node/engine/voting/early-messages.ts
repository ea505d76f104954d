// Messages for the next height, stored until it starts. They are unchecked, so they are few of each sender: one that lies fills its own
// small list, and what was dropped comes back by rebroadcast.
import type { Proposal } from "#shared/protocol/chain/vote.ts";
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
  readonly proposals: ReceivedMessage[];
  readonly commits: ReceivedMessage[];
}

/** Bounded lists. */
export class EarlyMessages {
  #lists = new Map<string, SenderList>();
  #proposalBytes = 0;
  #commitBytes = 0;

  /**
   * Stores a message of the next height, unless there is no room or its round is far. A proposal must come from the one who proposes in its
   * round, as far as is known now: the room is for those two.
   */
  add(received: ReceivedMessage, isProposer: (proposal: Proposal, sender: MessageSender) => boolean): void {
    const { message, sender } = received;
    if (message.type === "work" || (message.type !== "commit" && roundOf(message) > LAST_ROUND)) return;
    const list = this.#lists.get(sender.name) ?? { votes: [], proposals: [], commits: [] };
    if (!this.#lists.has(sender.name) && this.#lists.size >= INBOUND_LIMITS.earlySenders) return;
    this.#lists.set(sender.name, list);
    if (message.type === "vote" || message.type === "certificate") {
      if (list.votes.length < INBOUND_LIMITS.earlyVotes) list.votes.push(received);
    } else if (message.type === "commit") this.#commitBytes += pushWithin(list.commits, received, this.#commitBytes);
    else if (isProposer(message.proposal, sender)) this.#proposalBytes += pushWithin(list.proposals, received, this.#proposalBytes);
  }

  /** Takes out what was stored, blocks first: a vote is of more use when its block is known. */
  take(): readonly ReceivedMessage[] {
    const lists = [...this.#lists.values()];
    this.#lists = new Map();
    this.#proposalBytes = 0;
    this.#commitBytes = 0;
    return [...lists.flatMap(({ proposals, commits }) => [...proposals, ...commits]), ...lists.flatMap(({ votes }) => votes)];
  }
}

/** Adds a message with a block when there is room. @returns the bytes that it takes. */
function pushWithin(list: ReceivedMessage[], received: ReceivedMessage, takenBytes: number): number {
  if (list.length >= INBOUND_LIMITS.earlyBlocks || takenBytes + received.bytes > INBOUND_LIMITS.earlyBytes) return 0;
  list.push(received);
  return received.bytes;
}

function roundOf(message: Exclude<ConsensusMessage, { readonly type: "commit" | "work" }>): number {
  if (message.type === "proposal") return message.proposal.round;
  return message.type === "vote" ? message.vote.round : (message.votes[0]?.round ?? 0);
}
