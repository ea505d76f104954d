// Decided blocks that are executed one upon the other before they are durable, and the chain as it is after them: records, pages and
// ids of what is not stored yet lie in front of what is. Nothing of this is announced, and a crash forgets it.
import type { StateReader } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { PageStore } from "#node/state/state-tree.ts";
import type { Block } from "#shared/protocol/block.ts";
import type { Height } from "#shared/protocol/header.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/limits.ts";
import type { ValidatorSet } from "#shared/protocol/validators.ts";
import type { Commit } from "#shared/protocol/vote.ts";
import type { ChainState, ExecutedBlock } from "./block-execution.ts";

/** An executed block with the proof that it is decided. */
export interface AheadBlock {
  /** As it was handed in. */
  readonly block: Block;
  readonly executed: ExecutedBlock;
  readonly commit: Commit;
  /** The set that decided it. */
  readonly validators: ValidatorSet;
}

/** Blocks in the order of their heights, without gaps. */
export class AheadBlocks {
  readonly #base: ChainState;
  #blocks: AheadBlock[] = [];
  #records: OverlayStateView;
  readonly #pages = new Map<string, Uint8Array | undefined>();
  /** Block time by id. */
  readonly #ids = new Map<string, number>();

  /** @param base the durable chain, which takes over blocks before {@link AheadBlocks.drop} is called. */
  constructor(base: ChainState) {
    this.#base = base;
    this.#records = new OverlayStateView(base.state);
  }

  /** The newest block. */
  get last(): AheadBlock | undefined {
    return this.#blocks.at(-1);
  }

  /** The chain after the newest block; to be asked for anew after every change. */
  get chain(): ChainState {
    const state: StateReader = this.#records;
    const pages: PageStore = {
      getPage: (prefix) => (this.#pages.has(prefix) ? this.#pages.get(prefix) : this.#base.pages.getPage(prefix)),
    };
    const hasSeenId = (id: string, timeMs: number): boolean =>
      (this.#ids.get(id) ?? Number.NEGATIVE_INFINITY) > timeMs - SEEN_WINDOW_MS || this.#base.hasSeenId(id, timeMs);
    return { ...this.#base, state, pages, hasSeenId };
  }

  /** The block of a height. */
  at(height: Height): AheadBlock | undefined {
    const [first] = this.#blocks;
    return first === undefined ? undefined : this.#blocks[height - first.executed.block.header.height];
  }

  /** The oldest blocks. */
  first(count: number): readonly AheadBlock[] {
    return this.#blocks.slice(0, count);
  }

  add(block: AheadBlock): void {
    this.#blocks.push(block);
    this.#cover(block);
  }

  /** Forgets the oldest blocks: they are durable. */
  drop(count: number): void {
    this.#keep(this.#blocks.slice(count));
  }

  /** Forgets the block of a height and what stands on it. */
  cut(height: Height): void {
    this.#keep(this.#blocks.filter(({ executed }) => executed.block.header.height < height));
  }

  #keep(blocks: AheadBlock[]): void {
    this.#blocks = blocks;
    this.#records = new OverlayStateView(this.#base.state);
    this.#pages.clear();
    this.#ids.clear();
    for (const block of blocks) this.#cover(block);
  }

  #cover({ executed: { block, changes, pages } }: AheadBlock): void {
    for (const { namespace, key, value } of changes) {
      if (value === undefined) this.#records.delete(namespace, key);
      else this.#records.set(namespace, key, value);
    }
    for (const { prefix, after } of pages) this.#pages.set(prefix, after);
    for (const { id } of block.transactions) this.#ids.set(id, block.header.timeMs);
  }
}
