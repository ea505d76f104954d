// A chain in memory under the consensus engine: real blocks and hashes, whose content is texts carried as evidence.
import { hash } from "node:crypto";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import type { BlockApplication, BlockValidation, BuildInput, CandidateBlock, ChainTip } from "#node/engine/execution/block-application.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { isFinalBlock } from "#node/engine/execution/final-block.ts";
import type { CommitReader, StoredCommit } from "#node/engine/voting/right/start-checks.ts";
import { type Block, rootHex } from "#shared/protocol/chain/block.ts";
import { type BlockHeader, type HashHex, headerHash } from "#shared/protocol/chain/header.ts";
import { ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import { sortValidators, type ValidatorSet, validatorsHash } from "#shared/protocol/chain/validators.ts";
import { type Commit, commitHash, verifyCommit } from "#shared/protocol/chain/vote.ts";
import { HEADER_VERSION } from "#shared/protocol/primitives/limits.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import { equalBytes, fromHex, toHex, utf8 } from "#shared/util/bytes.ts";

export const CHAIN_ID = "memory-1";
const ZEROS = "00".repeat(32);
/** Most texts of a block. */
export const MAX_ITEMS = 8;

/** SHA-256 by the runtime. */
export function quickHash(bytes: Uint8Array): Uint8Array {
  return hash("sha256", bytes, "buffer");
}

/** Keyed hashes in place of signatures: as unforgeable as a test needs, and fast. */
export function quickSigner(index: number): ValidatorSigner {
  const publicKey = hash("sha256", `validator ${index}`);
  return { publicKey, sign: (bytes) => quickSignature(bytes, publicKey) };
}

/** Verifier of {@link quickSigner}. */
export const quickVerify: VerifySignature = (signature, message, publicKey) =>
  equalBytes(signature, quickSignature(message, toHex(publicKey)));

function quickSignature(bytes: Uint8Array, publicKey: string): Uint8Array {
  const half = hash("sha256", Buffer.concat([Buffer.from(publicKey, "hex"), bytes]), "buffer");
  return Buffer.concat([half, half]);
}

/** A set of quick signers, in set order. */
export function quickValidators(size: number): { readonly validators: ValidatorSet; readonly signers: readonly ValidatorSigner[] } {
  const signers = Array.from({ length: size }, (_, index) => quickSigner(index)).sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1));
  return { validators: sortValidators(signers.map(({ publicKey }) => ({ publicKey, bondUt: 1 }))), signers };
}

/** A committed block of a {@link MemoryChain}. */
export interface StoredBlock {
  readonly block: Block;
  readonly hash: HashHex;
  readonly commit: Commit;
}

const NO_PROPOSERS = { height: 0, order: [] } as const;

/** Options of a {@link MemoryChain}. */
export interface MemoryChainOptions {
  readonly validators: ValidatorSet;
  readonly genesisTimeMs: number;
  readonly heartbeatMs: number;
  /** Validators by the rounds of a height, where the chain is not to give the order. */
  readonly proposersAt?: (height: number) => readonly number[];
}

/** Keeps committed blocks, and pending texts. What it holds survives a "crash" of the engine above it. */
export class MemoryChain implements BlockApplication, CommitReader {
  readonly blocks: StoredBlock[] = [];
  readonly pending = new Set<string>();
  /** Calls of each kind, to see what an engine asked for. */
  readonly calls = { build: 0, validate: 0, commit: 0 };
  /** Blocks executed before it was their turn. */
  executedSpeculatively = 0;
  readonly #options: MemoryChainOptions;
  /** Committed texts in order. */
  readonly texts: string[] = [];
  readonly #committed = new Set<string>();
  readonly #validatorsHash: HashHex;
  /** Blocks that were built or found valid on the tip. */
  readonly #valid = new Set<HashHex>();
  #speculative: StoredBlock[] = [];
  #schedule = new ProposerSchedule(quickHash);
  #proposers: { readonly height: number; readonly order: readonly number[] } = NO_PROPOSERS;

  constructor(options: MemoryChainOptions) {
    this.#options = options;
    this.#validatorsHash = validatorsHash(options.validators);
  }

  /** Adds a text to be committed, once. */
  add(text: string): void {
    if (!this.#committed.has(text)) this.pending.add(text);
  }

  tip(): ChainTip {
    const last = this.#last();
    return { ...last, nextValidators: this.#options.validators, proposers: this.#proposersAt(last.height + 1) };
  }

  /** The tip without what takes long to find out. */
  #last(): Pick<ChainTip, "height" | "hash" | "timeMs" | "commit"> {
    const last = this.blocks.at(-1);
    if (last === undefined) return { height: 0, hash: ZEROS, timeMs: this.#options.genesisTimeMs, commit: null };
    const { height, timeMs } = last.block.header;
    return { height, hash: last.hash, timeMs, commit: last.commit };
  }

  proposersAfter(proposer: number): readonly number[] {
    const { validators, proposersAt } = this.#options;
    const height = this.blocks.length + 1;
    if (proposersAt !== undefined) return proposersAt(height + 1);
    this.#proposersAt(height);
    const block = { height, validatorsHash: this.#validatorsHash, proposer: validators[proposer]?.publicKey ?? "" };
    return this.#schedule.orderAfter(block, validators);
  }

  #proposersAt(height: number): readonly number[] {
    const { validators, proposersAt } = this.#options;
    if (proposersAt !== undefined) return proposersAt(height);
    if (this.#proposers.height === height) return this.#proposers.order;
    for (let at = Math.max(1, this.#proposers.height); at < height; at += 1) {
      const header = this.blocks[at - 1]?.block.header;
      if (header !== undefined) this.#schedule.decided(header, validators);
    }
    this.#proposers = { height, order: this.#schedule.order(height, this.#validatorsHash, validators) };
    return this.#proposers.order;
  }

  hasWork(nowMs: number): boolean {
    return this.pending.size > 0 || nowMs >= this.#last().timeMs + this.#options.heartbeatMs;
  }

  /** Nothing waits for its time, but in a test that says so. */
  waitMs(_nowMs: number): number | null {
    return null;
  }

  buildBlock(input: BuildInput): CandidateBlock {
    this.calls.build += 1;
    const evidence = [...this.pending].slice(0, MAX_ITEMS).map(utf8);
    const block = this.#blockOf({ evidence, lastCommit: input.lastCommit ?? this.#last().commit }, input.timeMs, input.proposer);
    const hash = headerHash(block.header, quickHash);
    this.#valid.add(hash);
    return { block, hash };
  }

  reusePooledTransactions(block: Block): Block {
    return block;
  }

  prepareBlock(): Promise<void> | null {
    return null;
  }

  validateBlock(block: Block): BlockValidation {
    this.calls.validate += 1;
    const { timeMs, proposer } = block.header;
    if (timeMs <= this.#last().timeMs) return { isValid: false, reason: "the time does not increase" };
    if (!this.#isParentCommit(block.lastCommit)) return { isValid: false, reason: "the commit of the parent does not verify" };
    const texts = block.evidence.map(textOf);
    if (texts.length > MAX_ITEMS) return { isValid: false, reason: "the block is too large" };
    if (texts.some((text) => this.#committed.has(text))) return { isValid: false, reason: "a text is committed already" };
    if (texts.length === 0 && timeMs < this.#last().timeMs + this.#options.heartbeatMs)
      return { isValid: false, reason: "an empty block without need" };
    const expected = headerHash(this.#blockOf(block, timeMs, proposer).header, quickHash);
    if (headerHash(block.header, quickHash) !== expected) return { isValid: false, reason: "a header field differs" };
    this.#valid.add(expected);
    return { isValid: true };
  }

  executeSpeculatively(batch: readonly DecidedBlock[]): readonly ValidatorSet[] {
    const sets: ValidatorSet[] = [];
    for (const { block, commit } of batch) {
      const position = block.header.height - this.blocks.length - 1;
      if (position < 0) break;
      const known = this.#speculative[position];
      if ((known?.block !== block || known.commit !== commit) && !this.#extend(position, { block, commit })) break;
      sets.push(this.#options.validators);
    }
    return sets;
  }

  apply(batch: readonly DecidedBlock[]): Promise<void> {
    this.store(batch);
    return Promise.resolve();
  }

  /** What {@link MemoryChain.apply} does, at once. */
  store(batch: readonly DecidedBlock[]): void {
    this.storeBlocks(batch);
    this.rememberTexts(batch);
  }

  /** The first half of {@link MemoryChain.store}: the blocks themselves. */
  storeBlocks(batch: readonly DecidedBlock[]): void {
    const { length } = this.executeSpeculatively(batch);
    assertInvariant(length === batch.length, "A block to be applied is not the next one, or not proven");
    const stored = this.#speculative.splice(0, batch.length);
    this.calls.commit += stored.length;
    this.#valid.clear();
    this.blocks.push(...stored);
    this.texts.push(...stored.flatMap(({ block }) => block.evidence.map(textOf)));
  }

  /** The second half: no text of the blocks may stand in another one. */
  rememberTexts(batch: readonly DecidedBlock[]): void {
    for (const text of batch.flatMap(({ block }) => block.evidence.map(textOf))) {
      this.#committed.add(text);
      this.pending.delete(text);
    }
  }

  /** Forgets all blocks above a height, as a folder that was emptied and filled again. */
  truncate(height: number): void {
    this.forgetExecuted();
    this.blocks.length = height;
    this.#schedule = new ProposerSchedule(quickHash);
    this.#proposers = NO_PROPOSERS;
    this.#committed.clear();
    this.texts.length = 0;
    this.texts.push(...this.blocks.flatMap(({ block }) => block.evidence.map(textOf)));
    for (const text of this.texts) this.#committed.add(text);
  }

  /** What was executed and not stored is gone with the process. */
  forgetExecuted(): void {
    this.#valid.clear();
    this.#speculative = [];
  }

  #extend(position: number, { block, commit }: DecidedBlock): boolean {
    const { validators } = this.#options;
    this.#speculative.splice(position);
    const state = { height: this.blocks.length + this.#speculative.length + 1 };
    if (!isFinalBlock(block, commit, { chainId: CHAIN_ID, validators, state, verify: quickVerify, hash: quickHash })) return false;
    this.executedSpeculatively += 1;
    const isKnown = position === 0 && this.#valid.has(commit.blockHash);
    const validation: BlockValidation = isKnown ? { isValid: true } : this.#after(this.#speculative).validateBlock(block);
    assertInvariant(
      validation.isValid,
      validation.isValid ? "" : `More than two thirds committed block ${commit.blockHash}: ${validation.reason}`,
    );
    this.#speculative.push({ block, commit, hash: commit.blockHash });
    return true;
  }

  /** This chain after blocks that are not stored yet. */
  #after(blocks: readonly StoredBlock[]): MemoryChain {
    if (blocks.length === 0) return this;
    const chain = new MemoryChain(this.#options);
    chain.blocks.push(...this.blocks, ...blocks);
    for (const text of this.#committed) chain.#committed.add(text);
    chain.rememberTexts(blocks);
    return chain;
  }

  /** A block on the tip with any content, as a dishonest proposer would make it; its roots are right. */
  forgeBlock(texts: readonly string[], timeMs: number, proposer: string): Block {
    return this.#blockOf({ evidence: texts.map(utf8), lastCommit: this.#last().commit }, timeMs, proposer);
  }

  readCommit(height: number): StoredCommit | undefined {
    const stored = this.blocks[height - 1];
    if (stored === undefined) return undefined;
    return { commit: stored.commit, carried: this.blocks[height]?.block.lastCommit ?? stored.commit, validators: this.#options.validators };
  }

  // Validators may hold different commits of the parent: any that verifies will do.
  #isParentCommit(commit: Commit | null): boolean {
    const { height, hash: parentHash } = this.#last();
    if (commit === null || height === 0) return commit === null && height === 0;
    return (
      commit.height === height && commit.blockHash === parentHash && verifyCommit(CHAIN_ID, this.#options.validators, commit, quickVerify)
    );
  }

  #blockOf(content: Pick<Block, "evidence" | "lastCommit">, timeMs: number, proposer: string): Block {
    const { evidence, lastCommit } = content;
    const tip = this.#last();
    const stateRoot = hash("sha256", Buffer.concat([fromHex(tip.hash), ...evidence]));
    const header: BlockHeader = {
      version: HEADER_VERSION,
      chainId: CHAIN_ID,
      height: tip.height + 1,
      timeMs,
      parentHash: tip.hash,
      lastCommitHash: lastCommit === null ? ZEROS : commitHash(lastCommit, quickHash),
      txRoot: rootHex([], quickHash),
      stateRoot,
      receiptsRoot: rootHex([], quickHash),
      validatorsHash: this.#validatorsHash,
      nextValidatorsHash: this.#validatorsHash,
      paramsHash: ZEROS,
      evidenceRoot: rootHex(evidence, quickHash),
      proposer,
      txCount: 0,
    };
    return { header, transactions: [], evidence, lastCommit };
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
