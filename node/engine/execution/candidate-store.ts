// Block bodies of the current height by hash. Bounded by what the core accepts: a few a round.
import type { Block } from "#shared/protocol/chain/block.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import { assertInvariant } from "#shared/util/assert.ts";

/** Holds the blocks that the core knows by hash. */
export class CandidateStore {
  readonly #blocks = new Map<HashHex, Block>();

  /** Keeps a block; false when it was known. */
  add(hash: HashHex, block: Block): boolean {
    if (this.#blocks.has(hash)) return false;
    this.#blocks.set(hash, block);
    return true;
  }

  /** The block of a hash. @throws CodedError INVARIANT when the core names an unknown one. */
  get(hash: HashHex): Block {
    const block = this.#blocks.get(hash);
    assertInvariant(block !== undefined, `The body of block ${hash} is missing`);
    return block;
  }

  /** Forgets all blocks: the height is over. */
  clear(): void {
    this.#blocks.clear();
  }
}
