// How many bytes of transactions this node puts into its own blocks: fewer after a block that took long or found no majority in its round,
// and slowly more again. Every proposer decides that for itself: it alone knows its link, and all accept any size up to the limit.
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import { MAX_BLOCK_BYTES } from "#shared/protocol/primitives/limits.ts";

/** Fewest bytes: a block of them is quick over any link that a validator may have. */
export const LEAST_BLOCK_BYTES = 131_072;
/** Bytes more after each own block that was quick. */
export const BLOCK_GROWTH_BYTES = 131_072;

/** An own block on its way. */
export interface ProposedBlock {
  readonly height: Height;
  readonly blockHash: HashHex;
  /** Bytes of its transactions. */
  readonly bytes: number;
  readonly sentMs: number;
}

/** Follows what becomes of own blocks. */
export class BlockBudget {
  readonly #slowMs: number;
  readonly #limit: () => number | undefined;
  /** Undefined while no block was slow: then it is the limit. */
  #bytes: number | undefined;
  #proposed: ProposedBlock | null = null;

  /** `slowMs` is how long a block may take from its proposal to its decision, `limit` what the protocol allows at the moment. */
  constructor(slowMs: number, limit: () => number | undefined = (): undefined => undefined) {
    this.#slowMs = slowMs;
    this.#limit = limit;
  }

  /** Bytes of transactions of the next own block. */
  get bytes(): number {
    const most = this.#limit() ?? MAX_BLOCK_BYTES;
    return Math.min(most, this.#bytes ?? most);
  }

  /** An own block was built. The first one of a height that no round decided counts as failed. */
  proposed(block: ProposedBlock): void {
    if (this.#proposed?.height === block.height) this.#shrink(this.#proposed);
    this.#proposed = block;
  }

  /** A height is over. */
  decided({ height, blockHash }: Commit, nowMs: number): void {
    const proposed = this.#proposed;
    if (proposed === null || height < proposed.height) return;
    this.#proposed = null;
    const isQuick = height === proposed.height && blockHash === proposed.blockHash && nowMs - proposed.sentMs <= this.#slowMs;
    if (isQuick) this.#grow();
    else this.#shrink(proposed);
  }

  #grow(): void {
    if (this.#bytes === undefined) return;
    const grown = this.#bytes + BLOCK_GROWTH_BYTES;
    this.#bytes = grown >= (this.#limit() ?? MAX_BLOCK_BYTES) ? undefined : grown;
  }

  /** A small block that failed says nothing about large ones. */
  #shrink({ bytes }: ProposedBlock): void {
    if (bytes > LEAST_BLOCK_BYTES) this.#bytes = Math.max(LEAST_BLOCK_BYTES, Math.floor(Math.min(this.bytes, bytes) / 2));
  }
}
