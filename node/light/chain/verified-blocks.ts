// Blocks that this node has verified: genesis, those in the store, and the last ones that were asked for, in memory.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { TrustedBlock } from "#shared/protocol/chain/light-block.ts";

/** Blocks in memory. A large set of validators makes each some tens of kilobytes. */
export const MOST_IN_MEMORY = 256;

/** Where verified blocks outlive the process. */
export interface BlockStore {
  tip(): TrustedBlock | undefined;
  at(height: Height): TrustedBlock | undefined;
  below(height: Height): TrustedBlock | undefined;
  above(height: Height): TrustedBlock | undefined;
}

/** Verified blocks by height. */
export class VerifiedBlocks {
  readonly #genesis: TrustedBlock;
  readonly #store: BlockStore;
  /** From the least to the most recently used. */
  readonly #memory = new Map<Height, TrustedBlock>();

  constructor(genesis: TrustedBlock, store: BlockStore) {
    this.#genesis = genesis;
    this.#store = store;
  }

  at(height: Height): TrustedBlock | undefined {
    if (height === 0) return this.#genesis;
    const block = this.#memory.get(height) ?? this.#store.at(height);
    if (block !== undefined) this.remember(block);
    return block;
  }

  /** The nearest block below a height, genesis at last. */
  below(height: Height): TrustedBlock {
    let nearest = this.#store.below(height) ?? this.#genesis;
    for (const block of this.#memory.values())
      if (block.header.height < height && block.header.height > nearest.header.height) nearest = block;
    return nearest;
  }

  /** The nearest block above a height. */
  above(height: Height): TrustedBlock | undefined {
    let nearest = this.#store.above(height);
    for (const block of this.#memory.values())
      if (block.header.height > height && block.header.height < (nearest?.header.height ?? Number.POSITIVE_INFINITY)) nearest = block;
    return nearest;
  }

  /** Keeps a verified block in memory for a while. */
  remember(block: TrustedBlock): void {
    const { height } = block.header;
    if (height === 0) return;
    this.#memory.delete(height);
    this.#memory.set(height, block);
    const [oldest] = this.#memory.keys();
    if (this.#memory.size > MOST_IN_MEMORY && oldest !== undefined) this.#memory.delete(oldest);
  }

  /** Forgets what is in memory. */
  forget(): void {
    this.#memory.clear();
  }
}
