// A chain on disk for tests: the database, the executor and a list of pending transactions, committed by the genesis validator.

import { type BlockExecutor, createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import type { TransactionSource } from "#node/engine/execution/selection/transaction-source.ts";
import type { BlockWriter } from "#node/storage/chain/block-writer.ts";
import { type ChainDatabase, openChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { type Genesis, genesisHash } from "#shared/protocol/chain/genesis.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type Commit, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import { signEd25519, type VerifySignature, verifyZip215 } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import { type Actor, GENESIS, validator } from "../worlds/ledger-world.ts";

/** Pending transactions as a plain list. */
export interface PendingList extends TransactionSource {
  readonly pending: Transaction[];
}

/** An open chain. */
export interface TestChain extends Disposable {
  readonly database: ChainDatabase;
  readonly executor: BlockExecutor;
  readonly source: PendingList;
  /** Builds a block of the given transactions (and what is pending), commits it and returns it. */
  commit(transactions?: readonly Transaction[], timeMs?: number): Block;
  /** The same by the writer's thread, when that is there to take it. @returns whether it was. */
  commitInWorker(transactions: readonly Transaction[]): Promise<{ readonly block: Block; readonly isInWorker: boolean }>;
  /** Blocks above a height as another node hands them out. */
  decidedAfter(height: number): readonly DecidedBlock[];
  /** Makes the proven blocks of a batch durable together. @returns how many those are. */
  applyBatch(batch: readonly DecidedBlock[]): Promise<number>;
  close(): void;
}

/** What a test may choose. */
export interface TestChainOptions {
  readonly genesis?: Genesis;
  readonly verify?: VerifySignature;
  readonly writer?: BlockWriter;
  /** Versions of the rules that the program has. */
  readonly knownVersions?: readonly number[];
  /** State file of a chain that continues another one. */
  readonly stateFile?: string;
}

/** A list of pending transactions. */
export function pendingList(): PendingList {
  const pending: Transaction[] = [];
  return {
    pending,
    candidates: (): readonly Transaction[] => [...pending],
    hasPending: (): boolean => pending.length > 0,
    get: (id): Transaction | undefined => pending.find((tx) => tx.id === id),
    remove: (ids): void => {
      const gone = new Set(ids);
      pending.splice(0, pending.length, ...pending.filter((tx) => !gone.has(tx.id)));
    },
  };
}

/** Precommits of validators for a block, as a commit; `signers` by their index in the sorted set. */
export function commitOf(
  block: Block,
  signers: readonly (readonly [number, Actor])[] = [[0, validator]],
  { round = 0, size = 1 }: { readonly round?: number; readonly size?: number } = {},
): Commit {
  const blockHash = headerHash(block.header);
  const { height, chainId } = block.header;
  const message = voteSignBytes(chainId, { type: "precommit", height, round, blockHash });
  const bitmap = new Uint8Array(Math.ceil(size / 8));
  for (const [index] of signers) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
  return { height, round, blockHash, bitmap, signatures: signers.map(([, actor]) => signEd25519(message, actor.seed)) };
}

/** Commits a block that no other thread writes: it is durable when the call returns. A failure is in the promise, which is not caught. */
export function commitNow(executor: BlockExecutor, block: Block, commit: Commit): void {
  void executor.apply([{ block, commit }]);
  if (executor.tip().height !== block.header.height) throw new Error(`Block ${block.header.height} was not committed`);
}

/** Opens the chain of a folder. */
export function openTestChain(directory: string, options: TestChainOptions = {}): TestChain {
  const { genesis = GENESIS, verify = verifyZip215 } = options;
  const database = openChainDatabase(directory, { chainId: genesis.chain_id, genesisHash: genesisHash(genesis) });
  const source = pendingList();
  const executor = createBlockExecutor({
    database,
    genesis,
    source,
    verify,
    stateFile: options.stateFile,
    knownVersions: options.knownVersions,
    ...(options.writer === undefined ? {} : { writer: options.writer }),
  });
  const build = (transactions: readonly Transaction[], timeMs?: number): Block => {
    source.pending.push(...transactions);
    const isEmpty = source.pending.length === 0;
    const earliest = executor.tip().timeMs + (isEmpty ? genesis.params.heartbeat_interval_ms : genesis.params.min_block_interval_ms);
    return executor.buildBlock({ timeMs: timeMs ?? earliest, proposer: validator.pub }).block;
  };
  const commit = (transactions: readonly Transaction[] = [], timeMs?: number): Block => {
    const block = build(transactions, timeMs);
    commitNow(executor, block, commitOf(block));
    source.remove(block.transactions.map((tx) => tx.id));
    return block;
  };
  const commitInWorker = async (transactions: readonly Transaction[]): Promise<{ block: Block; isInWorker: boolean }> => {
    const block = build(transactions);
    const storing = executor.apply([{ block, commit: commitOf(block) }]);
    const isInWorker = executor.tip().height < block.header.height;
    await storing;
    source.remove(block.transactions.map((tx) => tx.id));
    return { block, isInWorker };
  };
  const decidedAfter = (height: number): readonly DecidedBlock[] =>
    Array.from({ length: executor.tip().height - height }, (_, index) => {
      const { block, commit } = database.blocks.get(height + 1 + index) ?? {};
      if (block === undefined || commit === undefined || commit === null) throw new Error(`Block ${height + 1 + index} is missing`);
      return { block, commit };
    });
  const applyBatch = async (batch: readonly DecidedBlock[]): Promise<number> => {
    const { length } = executor.executeSpeculatively(batch);
    await executor.apply(batch.slice(0, length));
    return length;
  };
  const close = (): void => database.close();
  return { database, executor, source, commit, commitInWorker, decidedAfter, applyBatch, close, [Symbol.dispose]: close };
}
