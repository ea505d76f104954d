// Decided blocks that are executed one upon the other before they are durable, and the chain as it is after them: records, pages and
// ids of what is not stored yet lie in front of what is. Nothing of this is announced, and a crash forgets it.
import type { StateReader } from "#node/ledger/state-view.ts";
import { OverlayStateView } from "#node/state/overlay-state-view.ts";
import type { PageStore } from "#node/state/state-tree.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { SEEN_WINDOW_MS } from "#shared/protocol/primitives/limits.ts";
import type { ChainState, ExecutedBlock } from "./block-execution.ts";
import type { DecidedBlock } from "./decided-block.ts";

/** A decided block, as it was handed in, with its execution. */
export interface SpeculativeBlock extends DecidedBlock {
  readonly executed: ExecutedBlock;
  /** The set that decided it. */
  readonly validators: ValidatorSet;
}

/** Blocks in the order of their heights, without gaps. */
export class SpeculativeBlocks {
  readonly #base: ChainState;
  #blocks: SpeculativeBlock[] = [];
  /** How many of the blocks records, pages and ids cover: none before something is executed on them. */
  #covered = 0;
  #records: OverlayStateView;
  readonly #pages = new Map<string, Uint8Array | undefined>();
  /** Block time by id. */
  readonly #ids = new Map<string, number>();

  /** @param base the durable chain, which takes over blocks before {@link SpeculativeBlocks.drop} is called. */
  constructor(base: ChainState) {
    this.#base = base;
    this.#records = new OverlayStateView(base.state);
  }

  /** The newest block. */
  get last(): SpeculativeBlock | undefined {
    return this.#blocks.at(-1);
  }

  /** The chain after the newest block, until the next change. */
  get chain(): ChainState {
    for (const block of this.#blocks.slice(this.#covered)) this.#cover(block);
    this.#covered = this.#blocks.length;
    const state: StateReader = this.#records;
    const pages: PageStore = {
      getPage: (prefix) => (this.#pages.has(prefix) ? this.#pages.get(prefix) : this.#base.pages.getPage(prefix)),
    };
    const hasSeenId = (id: string, timeMs: number): boolean =>
      (this.#ids.get(id) ?? Number.NEGATIVE_INFINITY) > timeMs - SEEN_WINDOW_MS || this.#base.hasSeenId(id, timeMs);
    return { ...this.#base, state, pages, hasSeenId };
  }

  /** The block of a height. */
  at(height: Height): SpeculativeBlock | undefined {
    const [first] = this.#blocks;
    return first === undefined ? undefined : this.#blocks[height - first.block.header.height];
  }

  add(block: SpeculativeBlock): void {
    this.#blocks.push(block);
  }

  /** Forgets the oldest blocks: they are durable. */
  drop(count: number): void {
    this.#reset(this.#blocks.slice(count));
  }

  /** Forgets the block of a height and what is built on it. */
  cut(height: Height): void {
    this.#reset(this.#blocks.filter(({ block }) => block.header.height < height));
  }

  #reset(blocks: SpeculativeBlock[]): void {
    this.#blocks = blocks;
    this.#covered = 0;
    this.#records = new OverlayStateView(this.#base.state);
    this.#pages.clear();
    this.#ids.clear();
  }

  #cover({ executed: { block, changes, pages } }: SpeculativeBlock): void {
    for (const { namespace, key, value } of changes) {
      if (value === undefined) this.#records.delete(namespace, key);
      else this.#records.set(namespace, key, value);
    }
    for (const { prefix, after } of pages) this.#pages.set(prefix, after);
    for (const { id } of block.transactions) this.#ids.set(id, block.header.timeMs);
  }
}
