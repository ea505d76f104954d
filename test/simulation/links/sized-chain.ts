// A chain under a consensus engine whose blocks have a given size and say nothing: what is measured is how they travel.
import { createHash } from "node:crypto";
import type { BlockApplication, BlockValidation, CandidateBlock, ChainTip } from "#node/engine/execution/block-application.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { type Block, rootHex } from "#shared/protocol/chain/block.ts";
import { type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import { ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import { type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { commitHash } from "#shared/protocol/chain/vote.ts";
import { PROTOCOL_VERSION } from "#shared/protocol/primitives/limits.ts";
import { CHAIN_ID, quickHash } from "#test/support/chain/memory-chain.ts";
import { later } from "#test/support/host/virtual-promise.ts";
import type { VirtualTime } from "#test/support/host/virtual-time.ts";

const ZEROS = "00".repeat(32);

/** What a chain is made of. */
export interface SizedChainOptions {
  readonly validators: ValidatorSet;
  readonly time: VirtualTime;
  readonly blockBytes: number;
  readonly lastHeight: number;
  readonly genesisTimeMs: number;
}

/** Remembers its tip only. */
export class SizedChain implements BlockApplication {
  readonly #options: SizedChainOptions;
  readonly #schedule = new ProposerSchedule(quickHash);
  readonly #setHash: HashHex;
  #tip: ChainTip;

  constructor(options: SizedChainOptions) {
    this.#options = options;
    const { validators, genesisTimeMs: timeMs } = options;
    this.#setHash = validatorsHash(validators);
    const proposers = this.#schedule.order(1, this.#setHash, validators);
    this.#tip = { height: 0, hash: ZEROS, timeMs, commit: null, nextValidators: validators, proposers };
  }

  tip(): ChainTip {
    return this.#tip;
  }

  proposersAfter(proposer: number): readonly number[] {
    const { validators } = this.#options;
    const block = { height: this.#tip.height + 1, validatorsHash: this.#setHash, proposer: validators[proposer]?.publicKey ?? "" };
    return this.#schedule.orderAfter(block, validators);
  }

  hasWork(): boolean {
    return this.#tip.height < this.#options.lastHeight;
  }

  waitMs(): number | null {
    return null;
  }

  buildBlock({ timeMs, proposer }: { readonly timeMs: number; readonly proposer: string }): CandidateBlock {
    const { height, hash, commit } = this.#tip;
    const evidence = [noise(`${height} ${proposer} ${timeMs}`, this.#options.blockBytes)];
    const setHash = this.#setHash;
    const block: Block = {
      header: {
        version: PROTOCOL_VERSION,
        chainId: CHAIN_ID,
        height: height + 1,
        timeMs,
        parentHash: hash,
        lastCommitHash: commit === null ? ZEROS : commitHash(commit, quickHash),
        txRoot: rootHex([], quickHash),
        stateRoot: ZEROS,
        receiptsRoot: rootHex([], quickHash),
        validatorsHash: setHash,
        nextValidatorsHash: setHash,
        paramsHash: ZEROS,
        evidenceRoot: rootHex(evidence, quickHash),
        proposer,
        txCount: 0,
      },
      transactions: [],
      evidence,
      lastCommit: commit,
    };
    return { block, hash: headerHash(block.header, quickHash) };
  }

  reusePooledTransactions(block: Block): Block {
    return block;
  }

  prepareBlock(): null {
    return null;
  }

  validateBlock(block: Block): BlockValidation {
    const isNext = block.header.height === this.#tip.height + 1 && block.header.parentHash === this.#tip.hash;
    return isNext ? { isValid: true } : { isValid: false, reason: "not the next block" };
  }

  executeSpeculatively(batch: readonly DecidedBlock[]): readonly ValidatorSet[] {
    return batch.map(() => this.#options.validators);
  }

  apply(batch: readonly DecidedBlock[]): Promise<void> {
    const { validators } = this.#options;
    for (const { block, commit } of batch) {
      const { header } = block;
      this.#schedule.decided(header, validators);
      const proposers = this.#schedule.order(header.height + 1, this.#setHash, validators);
      this.#tip = { ...this.#tip, height: commit.height, hash: commit.blockHash, timeMs: header.timeMs, commit, proposers };
    }
    return later((callback) => void this.#options.time.setTimer(0, callback));
  }
}

/** Bytes that no two seeds share. */
function noise(seed: string, length: number): Uint8Array {
  return createHash("shake256", { outputLength: length }).update(seed).digest();
}
