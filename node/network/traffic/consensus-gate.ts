// Which messages between validators go on by gossip: each once in a while, however often it comes, and those of one validator at a rate.
// What was not verified leaves no trace here, so no forgery keeps a true message out.
import type { Vote } from "#shared/protocol/chain/vote.ts";
import { toHex } from "#shared/util/bytes.ts";
import { RecentTimes } from "../flow/recent-times.ts";
import { TokenBucket } from "../flow/token-bucket.ts";
import { NETWORK_LIMITS } from "../network-limits.ts";
import type { SignedConsensusMessage } from "./consensus-check.ts";

/** Decides by what messages say, not by their bytes: a sender can give one message many forms. A forgery is none of them: it is to be blamed. */
export class ConsensusGate {
  readonly #forwarded = new RecentTimes(NETWORK_LIMITS.consensus.repeatEntries);
  readonly #authors = new Map<number, TokenBucket>();

  /** True when a message is worth its signature check: it has not just travelled, and its author has not sent too much. */
  isWanted(message: SignedConsensusMessage, nowMs: number): boolean {
    const { repeatMs, blockRepeatMs } = NETWORK_LIMITS.consensus;
    const agoMs = nowMs - this.#forwarded.get(nameOf(message));
    if (agoMs < ("block" in message ? blockRepeatMs : repeatMs)) return false;
    const author = authorOf(message);
    return author === undefined || this.#accountOf(author, nowMs).has(1, nowMs);
  }

  /** A message was verified and travels on. */
  pass(message: SignedConsensusMessage, nowMs: number): void {
    this.#forwarded.set(nameOf(message), nowMs);
    const author = authorOf(message);
    if (author !== undefined) this.#accountOf(author, nowMs).take(1, nowMs);
  }

  #accountOf(author: number, nowMs: number): TokenBucket {
    const account = this.#authors.get(author) ?? new TokenBucket(NETWORK_LIMITS.consensus.author, nowMs);
    this.#authors.set(author, account);
    return account;
  }
}

/** Position of the validator that alone signed a message. */
export function authorOf(message: SignedConsensusMessage): number | undefined {
  if (message.type === "vote") return message.vote.validatorIndex;
  return message.type === "proposal" ? message.proposal.validatorIndex : undefined;
}

function nameOf(message: SignedConsensusMessage): string {
  switch (message.type) {
    case "vote":
      return `${voteName(message.vote, message.vote.validatorIndex)} ${toHex(message.vote.signature)}`;
    case "proposal": {
      const { height, round, validRound, blockHash, signature } = message.proposal;
      return `proposal ${height} ${round} ${validRound} ${blockHash} ${toHex(signature)}`;
    }
    case "certificate": {
      const [first] = message.votes;
      const isUniform = message.votes.every(({ blockHash }) => blockHash === first?.blockHash);
      return first === undefined ? "" : voteName({ ...first, blockHash: isUniform ? first.blockHash : "mixed" }, "all");
    }
    default:
      return `commit ${message.commit.height} ${message.commit.blockHash}`;
  }
}

function voteName({ type, height, round, blockHash }: Vote, author: number | "all"): string {
  return `${type} ${height} ${round} ${blockHash} ${author}`;
}
