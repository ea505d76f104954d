// When this node does not vote because it is behind. Only proofs decide: a block above the tip that the validators have decided. What
// peers claim, and how fast the own chain grows, changes nothing, so no peer can silence a validator that is not behind.
import type { Height } from "#shared/protocol/chain/header.ts";

export interface AbstentionDependencies {
  /** Height of the tip. */
  height(): Height;
  setAbstaining(isAbstaining: boolean): void;
}

/** Knows the greatest proven height. */
export class Abstention {
  readonly #dependencies: AbstentionDependencies;
  #provenHeight: Height = 0;
  #isUnsure = false;

  constructor(dependencies: AbstentionDependencies) {
    this.#dependencies = dependencies;
  }

  /** True while a block above the tip is known to be decided. */
  get isBehind(): boolean {
    return this.#provenHeight > this.#dependencies.height();
  }

  /** A block of this height is decided. */
  prove(height: Height): void {
    this.#provenHeight = Math.max(this.#provenHeight, height);
    this.update();
  }

  /** The machine slept: until {@link settle}, a proof may be on its way. */
  wake(): void {
    this.#isUnsure = true;
    this.update();
  }

  /** What peers had to prove after sleep is there, or does not come. */
  settle(): void {
    this.#isUnsure = false;
    this.update();
  }

  /** To be called when the tip has changed. */
  update(): void {
    this.#dependencies.setAbstaining(this.#isUnsure || this.isBehind);
  }
}
