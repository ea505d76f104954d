// What must hold in every run: agreement, validity, no honest double signing, evidence only against the guilty.

import type { Evidence } from "#node/consensus/effects.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { ValidatorSet } from "#shared/protocol/validators.ts";
import { verifyCommit } from "#shared/protocol/vote.ts";
import { CHAIN_ID, type MemoryChain, quickVerify } from "#test/support/memory-chain.ts";

/** Watches one run and throws at the first violation. */
export class Invariants {
  readonly #validators: ValidatorSet;
  readonly #guilty: ReadonlySet<number>;
  readonly #signed = new Map<string, string>();
  readonly #hashes = new Map<number, string>();
  readonly #texts = new Set<string>();
  /** Offenders named by evidence. */
  readonly accused = new Set<number>();

  constructor(validators: ValidatorSet, guilty: ReadonlySet<number>) {
    this.#validators = validators;
    this.#guilty = guilty;
  }

  /** A text that blocks may hold. */
  allow(text: string): void {
    this.#texts.add(text);
  }

  /** A message that left a node: no honest validator signs twice for one position. */
  onSent(message: ConsensusMessage): void {
    if (message.type === "certificate") for (const vote of message.votes) this.onSent({ type: "vote", vote });
    if (message.type !== "vote" && message.type !== "proposal") return;
    const signed = message.type === "vote" ? message.vote : message.proposal;
    const step = message.type === "vote" ? message.vote.type : "proposal";
    const content = message.type === "vote" ? String(signed.blockHash) : `${signed.blockHash} ${message.proposal.validRound}`;
    if (this.#guilty.has(signed.validatorIndex)) return;
    const position = `${signed.validatorIndex}/${signed.height}/${signed.round}/${step}`;
    const earlier = this.#signed.get(position);
    if (earlier !== undefined && earlier !== content) throw new Error(`double signing at ${position}: ${earlier} and ${content}`);
    this.#signed.set(position, content);
  }

  /** Evidence names only the guilty. */
  onEvidence(evidence: Evidence): void {
    const index = evidence.first.validatorIndex;
    if (!this.#guilty.has(index)) throw new Error(`evidence against honest validator ${index}`);
    this.accused.add(index);
  }

  /** Agreement, commits that verify, increasing time, each text once and only those that were added. */
  checkChain(chain: MemoryChain): void {
    let lastTimeMs = 0;
    for (const { block, hash, commit } of chain.blocks) {
      const { height, timeMs } = block.header;
      const agreed = this.#hashes.get(height);
      if (agreed !== undefined && agreed !== hash) throw new Error(`two blocks at height ${height}`);
      if (agreed === undefined && !verifyCommit(CHAIN_ID, this.#validators, commit, quickVerify))
        throw new Error(`bad commit at height ${height}`);
      if (timeMs <= lastTimeMs) throw new Error(`time does not increase at height ${height}`);
      this.#hashes.set(height, hash);
      lastTimeMs = timeMs;
    }
    if (new Set(chain.texts).size !== chain.texts.length) throw new Error("a text was committed twice");
    for (const text of chain.texts) if (!this.#texts.has(text)) throw new Error(`unknown text ${text}`);
  }
}
