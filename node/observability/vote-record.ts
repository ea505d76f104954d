// Which validators signed what: read from the commits that blocks carry, so that it says the same on every node.
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitSigners } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";

/** Signatures since the start of the node. */
export class VoteRecord {
  readonly #ownKey: PublicKeyHex;
  readonly #missed = new Map<PublicKeyHex, number>();
  #lastSignedHeight = 0;

  constructor(ownKey: PublicKeyHex) {
    this.#ownKey = ownKey;
  }

  /** Height of the newest block whose commit carries a signature of the own key; 0 when there is none since the start. */
  get lastSignedHeight(): number {
    return this.#lastSignedHeight;
  }

  /** Commits without a signature, by the validators of the newest one. */
  get missed(): ReadonlyMap<PublicKeyHex, number> {
    return this.#missed;
  }

  /** Counts a commit by the validators of its height; those who have left the set are forgotten. */
  note(commit: Commit, validators: ValidatorSet): void {
    const signers = new Set(commitSigners(commit, validators.length));
    const keys = new Set(validators.map(({ publicKey }) => publicKey));
    for (const key of this.#missed.keys()) if (!keys.has(key)) this.#missed.delete(key);
    for (const [index, { publicKey }] of validators.entries()) {
      this.#missed.set(publicKey, (this.#missed.get(publicKey) ?? 0) + (signers.has(index) ? 0 : 1));
      if (publicKey === this.#ownKey && signers.has(index)) this.#lastSignedHeight = Math.max(this.#lastSignedHeight, commit.height);
    }
  }
}
