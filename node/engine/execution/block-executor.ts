// The chain below consensus: builds blocks of pending transactions, checks those of others, makes decided ones durable, here or through
// a thread that writes for it. One caller; while a node runs, nothing else writes its chain database.

import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import { paramsAfter } from "#node/ledger/records/params-records.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import type { CommittedBlock } from "#node/queries/chain-events.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import { PageCache } from "#node/state/page-cache.ts";
import { StateCache } from "#node/state/state-cache.ts";
import type { BlockWriter } from "#node/storage/chain/block-writer.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import { withoutReplacedPages, writeBlocks } from "#node/storage/chain/stored-block.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import { type Block, encodeBlock } from "#shared/protocol/chain/block.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import { type BlockHeader, type HashHex, type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { ProposerSchedule } from "#shared/protocol/chain/proposers.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import { type Commit, verifyCommit } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { KNOWN_VERSIONS } from "#shared/protocol/primitives/limits.ts";
import { firstParams, type NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { TakeLists } from "../genesis/load-carried-state.ts";
import type { BlockApplication, BlockValidation, BuildInput, CandidateBlock, ChainTip } from "./block-application.ts";
import { type BlockFrame, buildExecutedBlock, type ChainState, type ExecutedBlock, executeTransactions } from "./block-execution.ts";
import { indexBlock } from "./block-index.ts";
import { blockProblem, type ParentBlock, type RuleContext } from "./chain-rules.ts";
import type { DecidedBlock } from "./decided-block.ts";
import { isFinalBlock } from "./final-block.ts";
import { createGenesisBlock } from "./genesis-block.ts";
import { openProposerSchedule, openTip } from "./open-tip.ts";
import { reusePooledTransactions } from "./reuse-pooled-transactions.ts";
import { PayloadBudget } from "./selection/payload-budget.ts";
import type { TransactionSource } from "./selection/transaction-source.ts";
import { type SpeculativeBlock, SpeculativeBlocks } from "./speculative-blocks.ts";
import { blockSummary, storedBlock, storedBytes } from "./stored-form.ts";

export interface BlockExecutorDependencies {
  readonly database: ChainDatabase;
  readonly genesis: Genesis;
  /** State file of the data folder, for a chain that continues another one. */
  readonly stateFile?: string | undefined;
  readonly source: TransactionSource;
  readonly verify: VerifySignature;
  /** Runs the modules of contracts; one of its own when none is given. */
  readonly vm?: ContractVm;
  /** Versions of headers and rules that the program has; those of this release by default. */
  readonly knownVersions?: readonly number[] | undefined;
  /** A cached form of isAcceptablePublicKey. */
  readonly isAcceptableKey?: (publicKey: PublicKeyHex) => boolean;
  /** True for a transaction, this object, whose signature was found valid; none by default. */
  readonly isSigned?: (tx: Transaction) => boolean;
  /** What {@link BlockApplication.prepareBlock} does; nothing by default. */
  readonly prepare?: (block: Block) => Promise<void> | null;
  /** Writes large blocks on another thread; without it all are written here. */
  readonly writer?: BlockWriter;
  /** What records of the state, and pages of its tree, each may take of memory. */
  readonly cacheBytes?: number;
}

/** The application that consensus drives, with events of committed blocks. */
export interface BlockExecutor extends BlockApplication {
  /** Committed state of the tip, from memory as far as it was used lately. */
  readonly state: StateReader;
  /** Parameters of the next height. */
  readonly params: NetworkParams;
  /** Calls back after each block is durable, in order of registration; listeners must not throw. Returns the way to stop that. */
  onCommit(listener: (committed: CommittedBlock) => void): () => void;
  /** True for an id of the last two hours before the tip's time. */
  hasSeenId(id: string): boolean;
}

/** A block, as it was handed in, with its execution on the tip. */
type Candidate = Pick<SpeculativeBlock, "block" | "executed">;

/** Executed blocks kept for one height: as many as rounds with different proposals that may still be committed. */
const MAX_CANDIDATES = 16;

/**
 * Opens the chain of a database, writing block 0 when it is empty.
 * @throws CodedError STORAGE_CORRUPT when the stored state is not the one of the stored tip.
 */
export function createBlockExecutor(dependencies: BlockExecutorDependencies): BlockExecutor {
  const { database } = dependencies;
  return database.guard(() => {
    if (database.blocks.tipHeight() === undefined) storeGenesis(dependencies);
    return new Executor(dependencies);
  });
}

class Executor implements BlockExecutor {
  readonly #database: ChainDatabase;
  readonly #source: TransactionSource;
  readonly #knownVersions: readonly number[];
  readonly #prepare: BlockExecutorDependencies["prepare"];
  readonly #writer: BlockWriter | undefined;
  readonly #pages: PageCache;
  readonly state: StateCache;
  readonly #chain: ChainState;
  readonly #rules: Omit<RuleContext, "params">;
  readonly #candidates = new Map<HashHex, Candidate>();
  readonly #speculative: SpeculativeBlocks;
  readonly #listeners = new Set<(committed: CommittedBlock) => void>();
  #parent: ParentBlock;
  /** Of the next height. */
  #params: NetworkParams;
  readonly #schedule: ProposerSchedule;
  /** Validators of the next height by its rounds. */
  #proposers: readonly number[];
  /** Height of the newest block that is durable or on its way: its tables may come before its outcome, so nothing is executed below it. */
  #storedThrough: Height;
  readonly #payloads: PayloadBudget;
  /** Key for which this node builds blocks. */
  #ownKey: PublicKeyHex | undefined;

  constructor(dependencies: BlockExecutorDependencies) {
    const { database, genesis, source, prepare, writer, cacheBytes, vm, knownVersions = KNOWN_VERSIONS, ...rules } = dependencies;
    const { chain_id: chainId } = genesis;
    this.#database = database;
    this.#prepare = prepare;
    this.#writer = writer;
    this.#source = source;
    this.#knownVersions = knownVersions;
    this.#pages = new PageCache(database.state, cacheBytes);
    this.state = new StateCache(database.state, cacheBytes);
    const hasSeenId = (id: string, timeMs: number): boolean => database.seenIds.has(id, timeMs);
    const ownVm = vm ?? createContractVm({ sha256: nativeSha256, verify: rules.verify });
    this.#chain = { chainId, first: firstParams(genesis.params), state: this.state, pages: this.#pages, vm: ownVm, hasSeenId };
    this.#rules = { chainId, ...rules, checkedTransaction: (id): ReturnType<TransactionSource["get"]> => source.get(id) };
    this.#speculative = new SpeculativeBlocks(this.#chain);
    this.#parent = openTip(database, genesis);
    this.#params = this.#nextParams();
    this.#schedule = openProposerSchedule(database, this.#parent.header.height);
    this.#proposers = this.#nextProposers();
    this.#storedThrough = this.#parent.header.height;
    this.#payloads = new PayloadBudget(this.#parent.header.timeMs, this.#parent.nextValidators.length);
  }

  get params(): NetworkParams {
    return this.#params;
  }

  tip(): ChainTip {
    const { header, hash, commit, nextValidators } = this.#parent;
    return { height: header.height, hash, timeMs: header.timeMs, commit, nextValidators, proposers: this.#proposers };
  }

  missingVersion(): number | undefined {
    const { version } = this.#params;
    return this.#knownVersions.includes(version) ? undefined : version;
  }

  proposersAfter(proposer: number): readonly number[] {
    const { header, nextValidators } = this.#parent;
    const publicKey = nextValidators[proposer]?.publicKey ?? "";
    const block = { height: header.height + 1, validatorsHash: header.nextValidatorsHash, proposer: publicKey };
    return this.#schedule.orderAfter(block, nextValidators);
  }

  hasWork(nowMs: number): boolean {
    const parentTimeMs = this.#parent.header.timeMs;
    const isHeartbeatDue = nowMs >= parentTimeMs + this.#params.heartbeat_interval_ms;
    const timeMs = Math.max(nowMs, parentTimeMs + 1);
    return isHeartbeatDue || this.#source.hasPending(timeMs, this.#payloads.waitMs(timeMs) === 0);
  }

  waitMs(nowMs: number): number | null {
    const timeMs = Math.max(nowMs, this.#parent.header.timeMs + 1);
    const waitMs = this.#payloads.waitMs(timeMs);
    return waitMs > 0 && this.#source.hasPending(timeMs + waitMs, true) ? timeMs + waitMs - nowMs : null;
  }

  buildBlock({ timeMs, proposer, lastCommit, maxBytes }: BuildInput): CandidateBlock {
    return this.#database.guard(() => {
      const frame = frameOn(this.#parent, Math.max(timeMs, this.#parent.header.timeMs + 1), proposer, lastCommit ?? this.#parent.commit);
      this.#ownKey = proposer;
      const room = { maxBytes: maxBytes ?? this.#params.max_block_bytes, largeBytes: this.#payloads.roomAt(frame.timeMs) };
      const { executed, refused } = buildExecutedBlock(this.#chain, frame, this.#source.candidates(frame.timeMs), room);
      if (refused.length > 0) this.#source.remove(refused);
      this.#remember({ block: executed.block, executed });
      return { block: executed.block, hash: executed.hash };
    });
  }

  reusePooledTransactions(block: Block): Block {
    return reusePooledTransactions(block, (id) => this.#source.get(id));
  }

  prepareBlock(block: Block): Promise<void> | null {
    return this.#prepare?.(block) ?? null;
  }

  validateBlock(block: Block): BlockValidation {
    return this.#database.guard(() => {
      const executed = this.#executeOnTip(block);
      return typeof executed === "string" ? { isValid: false, reason: executed } : { isValid: true };
    });
  }

  executeSpeculatively(batch: readonly DecidedBlock[]): readonly ValidatorSet[] {
    const fresh = batch.filter(({ block }) => block.header.height > this.#storedThrough);
    return this.#executeBatch(fresh).map(({ validators }) => validators);
  }

  async apply(batch: readonly DecidedBlock[]): Promise<void> {
    const blocks = this.#executeBatch(batch);
    assertInvariant(blocks.length === batch.length, "A block to be applied is not the next one, or its commit does not prove it");
    this.#storedThrough += blocks.length;
    const stored = withoutReplacedPages(blocks.map(({ executed, commit }) => storedBlock(executed, commit)));
    if (this.#writer?.takes(blocks.reduce((sum, { block }) => sum + block.transactions.length, 0)) === true) {
      await this.#writer.write(stored);
      this.#database.explorer.history.forget();
    } else {
      this.#database.inTransaction(() => writeBlocks(this.#database, stored));
      this.#writer?.wroteHere();
    }
    for (const { executed, commit } of blocks) this.#takeOver(executed, commit);
    this.#speculative.drop(blocks.length);
    for (const { executed } of blocks) this.#tell(executed);
  }

  onCommit(listener: (committed: CommittedBlock) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  hasSeenId(id: string): boolean {
    return this.#database.seenIds.has(id, this.#parent.header.timeMs);
  }

  /** Decided blocks with their execution, up to the first that is not the next one, or that its commit does not prove. */
  #executeBatch(batch: readonly DecidedBlock[]): readonly SpeculativeBlock[] {
    return this.#database.guard(() => {
      const blocks: SpeculativeBlock[] = [];
      for (const decided of batch) {
        const block = this.#executeDecided(decided);
        if (block === undefined) break;
        blocks.push(block);
      }
      return blocks;
    });
  }

  #executeDecided({ block, commit }: DecidedBlock): SpeculativeBlock | undefined {
    const { height } = block.header;
    const known = this.#speculative.at(height);
    if (known?.block === block && known.commit === commit) return known;
    if (known !== undefined) this.#speculative.cut(height);
    const { last } = this.#speculative;
    const parent = last === undefined ? this.#parent : parentOf(last);
    // What this program cannot execute waits for one that can.
    const chain = last === undefined ? this.#chain : this.#speculative.chain;
    if (!this.#knownVersions.includes(this.#paramsOn(parent, chain).version)) return undefined;
    if (!this.#isProven(block, commit, parent)) return undefined;
    const executed = last === undefined ? this.#executeOnTip(block) : this.#execute(block, parent, chain);
    const problem = typeof executed === "string" ? executed : "";
    assertInvariant(
      typeof executed !== "string",
      `More than two thirds committed block ${commit.blockHash}, which is invalid here: ${problem}`,
    );
    const speculative: SpeculativeBlock = { block, executed, commit, validators: parent.nextValidators };
    this.#speculative.add(speculative);
    return speculative;
  }

  /** True when the block is a whole one of the height after its parent and decided by the validators of that height. */
  #isProven(block: Block, commit: Commit, { header, nextValidators: validators }: ParentBlock): boolean {
    const { chainId, verify } = this.#rules;
    const height = header.height + 1;
    const isCandidate = this.#candidates.get(commit.blockHash)?.block === block && block.header.height === height;
    if (isCandidate) return commit.height === height && verifyCommit(chainId, validators, commit, verify);
    return isFinalBlock(block, commit, { chainId, validators, state: { height }, verify, hash: nativeSha256 });
  }

  #tell({ block, hash, receipts, reward }: ExecutedBlock): void {
    for (const listener of this.#listeners) listener({ block, hash, receipts, reward });
  }

  /** The block is the tip. */
  #takeOver(executed: ExecutedBlock, commit: Commit): void {
    const { block, hash, pages, changes, nextValidators } = executed;
    const { header, transactions } = block;
    this.#database.guard(() =>
      this.#database.seenIds.remember(
        transactions.map(({ id }) => id),
        header.timeMs,
      ),
    );
    this.#pages.committed(pages);
    this.state.committed(changes);
    this.#candidates.clear();
    const validators = this.#parent.nextValidators;
    this.#parent = { header, hash, commit, validators, nextValidators };
    this.#params = this.#nextParams();
    this.#schedule.decided(header, validators);
    this.#payloads.committed(block, this.#ownKey, nextValidators.length);
    this.#proposers = this.#nextProposers();
  }

  #paramsOn(parent: ParentBlock, chain: ChainState): NetworkParams {
    return chain === this.#chain ? this.#params : paramsAfter(chain.state, chain.first, parent.header);
  }

  #nextParams(): NetworkParams {
    return paramsAfter(this.state, this.#chain.first, this.#parent.header);
  }

  #nextProposers(): readonly number[] {
    const { header, nextValidators } = this.#parent;
    return this.#schedule.order(header.height + 1, header.nextValidatorsHash, nextValidators);
  }

  /** The execution of a block on the tip, made once; or why the block is invalid. */
  #executeOnTip(block: Block): ExecutedBlock | string {
    const known = this.#candidates.get(headerHash(block.header, nativeSha256));
    if (known !== undefined && isSameBody(known.block, block)) return known.executed;
    const executed = this.#execute(block, this.#parent, this.#chain);
    if (typeof executed !== "string") this.#remember({ block, executed });
    return executed;
  }

  #execute(block: Block, parent: ParentBlock, chain: ChainState): ExecutedBlock | string {
    const params = this.#paramsOn(parent, chain);
    if (!this.#knownVersions.includes(params.version)) return `this program lacks version ${params.version} of the rules`;
    const problem = blockProblem(block, parent, { ...this.#rules, params });
    if (problem !== undefined) return problem;
    const frame = frameOn(parent, block.header.timeMs, block.header.proposer, block.lastCommit);
    const executed = executeTransactions(chain, frame, block.transactions);
    if (typeof executed === "string") return executed;
    const field = differingField(block.header, executed.block.header);
    return field === undefined ? executed : `${field} of the header is not the one that execution gives`;
  }

  #remember(candidate: Candidate): void {
    this.#candidates.set(candidate.executed.hash, candidate);
    if (this.#candidates.size <= MAX_CANDIDATES) return;
    const oldest = this.#candidates.keys().next();
    if (!oldest.done) this.#candidates.delete(oldest.value);
  }
}

function storeGenesis({ database, genesis, stateFile }: BlockExecutorDependencies): void {
  database.inTransaction(() => {
    const take: TakeLists = (lists) => database.explorer.insertCarried(lists);
    const executed = createGenesisBlock(genesis, { store: database.state, stateFile, take });
    const { changes, pages, nextValidators } = executed;
    database.blocks.insert(blockSummary(executed), { ...storedBytes(executed), commitRecord: null });
    database.validatorSets.insert(0, nextValidators);
    database.state.apply(changes, pages);
    database.explorer.insert(indexBlock(executed));
  });
}

/** The header binds the transactions and the commit by their roots, so equal hashes leave only the uncommitted encoding open. */
function isSameBody(a: Block, b: Block): boolean {
  return a === b || Buffer.compare(encodeBlock(a), encodeBlock(b)) === 0;
}

function frameOn(parent: ParentBlock, timeMs: number, proposer: string, lastCommit: Commit | null): BlockFrame {
  const { header, hash, validators: parentValidators, nextValidators: validators } = parent;
  const { height, timeMs: parentTimeMs } = header;
  return { height: height + 1, timeMs, proposer, parentHash: hash, parentTimeMs, lastCommit, evidence: [], validators, parentValidators };
}

function parentOf({ executed, commit, validators }: SpeculativeBlock): ParentBlock {
  const { block, hash, nextValidators } = executed;
  return { header: block.header, hash, commit, validators, nextValidators };
}

function differingField(header: BlockHeader, expected: BlockHeader): string | undefined {
  const names = Object.keys(expected) as (keyof BlockHeader)[];
  return names.find((name) => header[name] !== expected[name]);
}
