// Helps a validator that missed the end of the last height: it gets the commit in response to its messages of that height.
import type { Clock } from "#shared/util/clock.ts";
import type { ConsensusMessage } from "../consensus-network.ts";
import type { DecidedBlock } from "../execution/decided-block.ts";
import { messageHeight } from "./message-admission.ts";

/** Decides when the last commit is worth sending. */
export class LaggingPeerHelp {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #last: DecidedBlock | null = null;
  #sentMs = 0;

  /** `intervalMs` is how long late votes are on their way at most, and how often the commit is sent. */
  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** A height is over. */
  committed(decided: DecidedBlock): void {
    this.#last = decided;
    // Votes that were on their way when the height ended come from no lagging peer.
    this.#sentMs = this.#clock.monotonicMs();
  }

  /** The response to a message of an earlier height, if it deserves one. Further behind, block sync is quicker. */
  responseTo(message: ConsensusMessage): ConsensusMessage | undefined {
    const nowMs = this.#clock.monotonicMs();
    if (this.#last === null || message.type === "commit" || message.type === "work") return undefined;
    if (messageHeight(message) !== this.#last.commit.height || nowMs < this.#sentMs + this.#intervalMs) return undefined;
    this.#sentMs = nowMs;
    return { type: "commit", commit: this.#last.commit, block: this.#last.block };
  }
}
