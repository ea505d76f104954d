// What must hold in every run: agreement, valid commits, time, each text once, no honest double signing or evidence against the honest.
import type { Evidence } from "#node/consensus/effects.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { AppendFile } from "#node/engine/log/engine-storage.ts";
import { decodeLogRecord } from "#node/engine/log/log-record.ts";
import { openWriteAheadLog } from "#node/engine/log/write-ahead-log.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Proposal, type Vote, verifyCommit } from "#shared/protocol/chain/vote.ts";
import { CHAIN_ID, type MemoryChain, quickVerify, type StoredBlock } from "#test/support/chain/memory-chain.ts";

/** What the invariants know of the run. */
export interface InvariantOptions {
  readonly validators: ValidatorSet;
  readonly guilty: ReadonlySet<number>;
  /** Too many are guilty: forks are counted, not refused. */
  readonly allowsForks: boolean;
}

/** Watches one run and throws at the first violation. */
export class Invariants {
  readonly #options: InvariantOptions;
  readonly #signed = new Map<string, string>();
  readonly #hashes = new Map<number, string>();
  readonly #allowed = new Set<string>();
  readonly #checked = new Map<MemoryChain, number>();
  /** Offenders named by evidence. */
  readonly accused = new Set<number>();
  /** Heights with two decided blocks. */
  readonly forks = new Set<number>();

  constructor(options: InvariantOptions) {
    this.#options = options;
  }

  /** A text that blocks may hold. */
  allow(text: string): void {
    this.#allowed.add(text);
  }

  /** A message of an honest node: no honest validator signs twice for one position (I4). */
  onSent(message: ConsensusMessage): void {
    if (message.type === "certificate") for (const vote of message.votes) this.#onVote(vote);
    else if (message.type === "vote") this.#onVote(message.vote);
    else if (message.type === "proposal") this.#onProposal(message.proposal);
  }

  /** A node is notified of a block only after it is durable there, on top of all that were reported before. */
  onNotified(chain: MemoryChain, height: number, hash: string): void {
    if (chain.blocks[height - 1]?.hash !== hash) throw new Error(`block ${height} was reported before it was durable`);
  }

  /** Evidence names only the guilty (I7). */
  onEvidence(evidence: Evidence): void {
    const index = evidence.first.validatorIndex;
    if (!this.#options.guilty.has(index)) throw new Error(`evidence against honest validator ${index}`);
    this.accused.add(index);
  }

  /** What is new on a chain: agreement (I1, I2), commits (I3), each text once (I5), time (I8); `latestMs`: latest time of a block. */
  checkChain(chain: MemoryChain, latestMs: number): void {
    const checked = this.#checked.get(chain) ?? 0;
    if (checked === chain.blocks.length) return;
    const from = checked > chain.blocks.length ? 0 : checked;
    for (const [offset, stored] of chain.blocks.slice(from).entries()) this.#checkBlock(stored, chain.blocks[from + offset - 1], latestMs);
    this.#checked.set(chain, chain.blocks.length);
    if (new Set(chain.texts).size !== chain.texts.length) throw new Error("a text was committed twice");
    for (const text of chain.texts) if (!this.#allowed.has(text)) throw new Error(`unknown text ${text}`);
    for (const text of chain.texts) if (chain.pending.has(text)) throw new Error(`a committed text is pending: ${text}`);
  }

  /** Executes a chain again (I9). */
  checkReplay(chain: MemoryChain, fresh: MemoryChain): void {
    for (const { block, commit, hash } of chain.blocks) {
      const validation = fresh.validateBlock(block);
      if (!validation.isValid) throw new Error(`block ${block.header.height} is invalid when it is executed again: ${validation.reason}`);
      fresh.store([{ block, commit }]);
      if (fresh.tip().hash !== hash) throw new Error(`block ${block.header.height} has another hash when it is executed again`);
    }
  }

  /** Own messages in the log of an honest node: what never left it counts too (I4). */
  checkLog(bytes: Uint8Array, ownIndex: number): void {
    for (const payload of readLog(bytes)) {
      const { input } = decodeLogRecord(payload);
      if (input.type === "vote" && input.vote.validatorIndex === ownIndex) this.#onVote(input.vote);
      if (input.type === "proposal" && input.proposal.validatorIndex === ownIndex) this.#onProposal(input.proposal);
    }
  }

  #onVote({ validatorIndex, height, round, type, blockHash }: Vote): void {
    this.#onSigned(validatorIndex, `${validatorIndex}/${height}/${round}/${type}`, String(blockHash));
  }

  #onProposal({ validatorIndex, height, round, blockHash, validRound }: Proposal): void {
    this.#onSigned(validatorIndex, `${validatorIndex}/${height}/${round}/proposal`, `${blockHash} ${validRound}`);
  }

  #onSigned(index: number, position: string, content: string): void {
    if (this.#options.guilty.has(index)) return;
    const earlier = this.#signed.get(position);
    if (earlier !== undefined && earlier !== content) throw new Error(`double signing at ${position}: ${earlier} and ${content}`);
    this.#signed.set(position, content);
  }

  #checkBlock({ block, hash, commit }: StoredBlock, parent: StoredBlock | undefined, latestMs: number): void {
    const { height, timeMs } = block.header;
    const agreed = this.#hashes.get(height);
    if (agreed !== undefined && agreed !== hash) {
      if (!this.#options.allowsForks) throw new Error(`two blocks at height ${height}`);
      this.forks.add(height);
    }
    if (commit.blockHash !== hash || !verifyCommit(CHAIN_ID, this.#options.validators, commit, quickVerify))
      throw new Error(`bad commit at height ${height}`);
    if (timeMs <= (parent?.block.header.timeMs ?? 0)) throw new Error(`time does not increase at height ${height}`);
    if (timeMs > latestMs) throw new Error(`block ${height} is ${timeMs - latestMs} ms from the future`);
    this.#hashes.set(height, hash);
  }
}

/** Records of a log as its node would read it; none of one that its node refuses. */
function readLog(bytes: Uint8Array): readonly Uint8Array[] {
  const file: AppendFile = {
    read: () => bytes,
    append: () => undefined,
    sync: () => undefined,
    truncate: () => undefined,
    close: () => undefined,
  };
  try {
    return openWriteAheadLog(file).payloads;
  } catch (error) {
    if (isCodedError(error, "STORAGE_CORRUPT")) return [];
    throw error;
  }
}
