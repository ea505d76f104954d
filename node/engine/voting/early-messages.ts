// Messages for the next height, stored until it starts. They are unchecked, so they are few: a sender that lies fills a small
// list, and what was dropped comes back by rebroadcast.
import type { ConsensusMessage } from "../consensus-network.ts";

/** Votes and certificates that are stored. */
const VOTE_CAPACITY = 1_024;
/** Messages with a block that are stored: each may have megabytes. */
const BLOCK_CAPACITY = 4;
/** Highest round of the next height that is of use when it starts. */
const LAST_ROUND = 1;

/** A bounded list. */
export class EarlyMessages {
  #votes: ConsensusMessage[] = [];
  #blocks: ConsensusMessage[] = [];

  /** Stores a message of the next height, unless there is no room or its round is far. */
  add(message: ConsensusMessage): void {
    const hasBlock = message.type === "proposal" || message.type === "commit";
    if (message.type === "work" || (message.type !== "commit" && roundOf(message) > LAST_ROUND)) return;
    const list = hasBlock ? this.#blocks : this.#votes;
    if (list.length < (hasBlock ? BLOCK_CAPACITY : VOTE_CAPACITY)) list.push(message);
  }

  /** Takes out what was stored, blocks first: a vote is of more use when its block is known. */
  take(): readonly ConsensusMessage[] {
    const taken = [...this.#blocks, ...this.#votes];
    this.#blocks = [];
    this.#votes = [];
    return taken;
  }
}

function roundOf(message: Exclude<ConsensusMessage, { readonly type: "commit" | "work" }>): number {
  if (message.type === "proposal") return message.proposal.round;
  return message.type === "vote" ? message.vote.round : (message.votes[0]?.round ?? 0);
}
