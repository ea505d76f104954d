// When this node does not vote because it is behind. Only proofs decide: a block above the tip that the validators have decided. What
// peers claim, and how fast the own chain grows, changes nothing, so no peer can silence a validator that is not behind.
import type { Height } from "#shared/protocol/chain/header.ts";
import type { CancelTimer, Timers } from "#shared/util/clock.ts";

/**
 * How long proofs keep this node from voting at one tip, ms. Who proved a block may keep it back, and the others may need this node's vote
 * for it.
 */
export const PROOF_MS = 10_000;

export interface AbstentionDependencies {
  /** Height of the tip. */
  height(): Height;
  setAbstaining(isAbstaining: boolean): void;
  readonly timers: Timers;
}

/** Knows the greatest proven height. */
export class Abstention {
  readonly #dependencies: AbstentionDependencies;
  #provenHeight: Height = 0;
  /** The tip at which no proven block came in time. */
  #doubtedTip: Height | null = null;
  #isUnsure = false;
  #cancel: CancelTimer | null = null;

  constructor(dependencies: AbstentionDependencies) {
    this.#dependencies = dependencies;
  }

  /** True while a block above the tip is known to be decided, and is to come. */
  get isBehind(): boolean {
    const tip = this.#dependencies.height();
    return this.#provenHeight > tip && tip !== this.#doubtedTip;
  }

  /** The same, and the chain is known to be longer by more than the one block that is the normal course of a network. */
  get isFarBehind(): boolean {
    return this.isBehind && this.#provenHeight > this.#dependencies.height() + 1;
  }

  /** A block of this height is decided. */
  prove(height: Height): void {
    this.#provenHeight = Math.max(this.#provenHeight, height);
    if (this.#cancel === null) this.#await();
    this.#update();
  }

  /** The chain has a new block. */
  onCommitted(): void {
    this.#await();
    this.#update();
  }

  /** The machine slept: until {@link settle}, a proof may be on its way. */
  wake(): void {
    this.#isUnsure = true;
    this.#update();
  }

  /** What peers had to prove after sleep is there, or does not come. */
  settle(): void {
    this.#isUnsure = false;
    this.#update();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Begins to wait for the next block, if there is one to come. Further proofs do not prolong that. */
  #await(): void {
    this.stop();
    if (!this.isBehind) return;
    this.#cancel = this.#dependencies.timers.setTimer(PROOF_MS, () => {
      this.#cancel = null;
      this.#doubtedTip = this.#dependencies.height();
      this.#update();
    });
  }

  #update(): void {
    this.#dependencies.setAbstaining(this.#isUnsure || this.isBehind);
  }
}
