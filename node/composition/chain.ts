// The chain of a node: database → execution → mempool → consensus, wired to each other.

import { existsSync } from "node:fs";
import { type DataFolder, takeNewKeyMark } from "#node/config/files/data-folder.ts";
import type { FullNodeMode } from "#node/config/node-config.ts";
import { systemTimers } from "#node/config/system-clock.ts";
import type { Evidence } from "#node/consensus/effects.ts";
import type { RoundTimeouts } from "#node/consensus/state.ts";
import { createBlockPreparation } from "#node/crypto/block-preparation.ts";
import { keyChecks } from "#node/crypto/key-checks.ts";
import { RememberedSignatures } from "#node/crypto/remembered-signatures.ts";
import { createValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createConsensusEngine } from "#node/engine/consensus-engine.ts";
import type { ConsensusNetwork, MessageSender } from "#node/engine/consensus-network.ts";
import type { ConsensusEngineOptions } from "#node/engine/engine-dependencies.ts";
import type { ConsensusEngine } from "#node/engine/engine-interface.ts";
import { type BlockExecutor, createBlockExecutor } from "#node/engine/execution/block-executor.ts";
import type { DecidedBlock, FollowOutcome } from "#node/engine/execution/decided-block.ts";
import { createEngineStorage, type EngineStorage } from "#node/engine/log/engine-storage.ts";
import { type TimedStorage, timedStorage } from "#node/engine/log/timed-storage.ts";
import { createStandaloneNetwork } from "#node/engine/standalone-network.ts";
import { DEFAULT_TIMEOUTS, DEVELOPMENT_TIMEOUTS, LOCAL_NETWORK_TIMEOUTS } from "#node/engine/voting/default-timeouts.ts";
import { ForkWatch, watchForks } from "#node/engine/voting/fork-watch.ts";
import type { RemoteSigner } from "#node/engine/voting/right/remote-signer.ts";
import type { CommitReader } from "#node/engine/voting/right/start-checks.ts";
import type { ContractVm } from "#node/ledger/contracts/contract-vm.ts";
import type { StateReader } from "#node/ledger/state-view.ts";
import { Mempool, type MempoolChain, type MempoolOptions, type Submission } from "#node/mempool/mempool.ts";
import type { ContractWatch } from "#node/observability/contract-watch.ts";
import type { Log } from "#node/observability/log.ts";
import { nativeSha256 } from "#node/state/native-sha256.ts";
import type { BlockWriter } from "#node/storage/chain/block-writer.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { HistorySealer } from "#node/storage/chain/sealing/history-sealer.ts";
import { createDecidedProofs, type DecidedProofs } from "#node/sync/decided-proof.ts";
import { createContractVm } from "#node/vm/contract-vm.ts";
import { prepareThread } from "#node/vm/prepare-thread.ts";
import type { Genesis } from "#shared/protocol/chain/genesis.ts";
import type { HashHex } from "#shared/protocol/chain/header.ts";
import type { LightBlock } from "#shared/protocol/chain/light-block.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { NetworkParams } from "#shared/protocol/primitives/params.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Clock } from "#shared/util/clock.ts";
import { takeOverGuard } from "./changes/validator-key.ts";
import type { ContractProcess } from "./reads/contract-process.ts";

export interface ChainOptions {
  readonly folder: DataFolder;
  readonly database: ChainDatabase;
  /** Versions of headers and rules that the program has; those of this release when absent. */
  readonly knownVersions?: readonly number[] | undefined;
  /** Undefined: validator when its key is in the validator set. */
  readonly mode: FullNodeMode | undefined;
  /** Where the validator's key is; undefined where the folder's key votes. */
  readonly signer?: RemoteSigner | undefined;
  /** Writes large blocks on another thread; without it all are written here. */
  readonly writer?: BlockWriter;
  /** Catching up waits for it where too many blocks are unsealed. */
  readonly sealer?: Pick<HistorySealer, "room">;
  /** Checks what blocks and votes carry, at once. */
  readonly verify: VerifySignature;
  /** Checks what is submitted; may answer later, from a worker. */
  readonly verifyLater: MempoolOptions["verify"];
  /** Checks keys of what is submitted, likewise. */
  readonly isAcceptableKeyLater: (publicKey: Uint8Array) => boolean | Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
  /** Consensus has stopped because it cannot continue safely. */
  readonly onFatal: (error: unknown) => void;
  /** A validator contradicted itself at the height after the tip. Must not throw. */
  readonly onEvidence: (evidence: Evidence) => void;
  /** More than two thirds of a set signed a block that is not the own one of its height. Must not throw. */
  readonly onFalseBlock?: (block: LightBlock) => void;
  /** What the engine that runs contracts failed at; nothing is marked without it. */
  readonly watch?: ContractWatch;
  /** Runs contracts for what is submitted; they run here without it. */
  readonly contracts?: Pick<ContractProcess, "problemOf" | "isRefused">;
  /** Way to the other nodes; null for a node without any. */
  readonly peers: ChainPeers | null;
}

/** What the chain sends to other nodes and receives from them. */
export interface ChainPeers {
  readonly network: ConsensusNetwork;
  /** A transaction was taken in here first. */
  onSubmitted(transaction: Transaction): void;
  /** A validator reports transactions that wait. */
  onWork(transactions: readonly Transaction[], sender: MessageSender): void;
  /** The machine slept: see the engine. */
  onAwake(): void;
}

/** A chain that takes transactions and makes blocks once its engine is started. */
export interface Chain extends DecidedProofs, Pick<TimedStorage, "onLogSync"> {
  readonly mode: FullNodeMode;
  readonly executor: BlockExecutor;
  readonly mempool: Mempool;
  readonly engine: ConsensusEngine;
  /** Takes a transaction in and wakes the engine. @throws CodedError with the reason; nothing was taken in. */
  submit(raw: unknown, nowMs: number): Promise<Submission>;
  /** Takes a transaction in that another node sent, as it was decoded. @throws CodedError as {@link Chain.submit} */
  receive(transaction: Transaction): Promise<void>;
  /** Pending transactions that may be in a block now, in order of arrival. */
  ready(): readonly Transaction[];
  /** Takes in blocks that others decided, see the engine. */
  applyBatch(batch: readonly DecidedBlock[]): Promise<FollowOutcome>;
}

/**
 * Opens the chain of a database; the engine is not started yet.
 * @throws CodedError CONFIG_INVALID when this thread cannot run contracts as every other node does.
 */
export function openChain(options: ChainOptions): Chain {
  const { folder, database, verifyLater, isAcceptableKeyLater, clock, peers } = options;
  const chainId = folder.genesis.chain_id;
  const keys = keyChecks(isAcceptableKeyLater);
  const { isAcceptableKey } = keys;
  const signatures = new RememberedSignatures(options.verify);
  const { verify } = signatures;
  const vm = openVm(options);
  // Mempool and executor know each other: the pool asks for the tip only once both exist.
  const mempool: Mempool = new Mempool(
    poolChain({ chainId, vm }, () => executor),
    { verify: verifyLater, ...keys, ...moduleTrials(options) },
  );
  // What the block checks accept without a look, the thread need not look at either.
  const isChecked = (tx: Transaction): boolean => mempool.get(tx.id)?.signature === tx.signature;
  const preparation = createBlockPreparation({ chainId, signatures, verifyLater, keys, isChecked });
  const executor = createBlockExecutor({
    vm,
    database,
    genesis: folder.genesis,
    stateFile: existsSync(folder.paths.genesisState) ? folder.paths.genesisState : undefined,
    source: mempool,
    verify,
    isSigned: signatures.isSigned,
    isAcceptableKey,
    prepare: preparation.prepareBlock,
    knownVersions: options.knownVersions,
    ...(options.writer === undefined ? {} : { writer: options.writer }),
  });
  executor.onCommit((committed) => mempool.removeCommitted(committed, clock.nowMs()));
  const commits: CommitReader = { readCommit: (height): ReturnType<CommitReader["readCommit"]> => readCommit(database, height) };
  const forks = createForkWatch(options, commits, executor);
  const storage = timedStorage(createEngineStorage(folder.paths.consensus));
  const engine = openEngine(options, { executor, commits, forks, verify, storage });
  const submit = async (raw: unknown, nowMs: number): Promise<Submission> => {
    const submission = await mempool.submit(raw, nowMs);
    engine.notifyWork();
    const transaction = mempool.get(submission.id);
    if (transaction !== undefined) peers?.onSubmitted(transaction);
    return submission;
  };
  const receive = async (transaction: Transaction): Promise<void> => {
    await mempool.receive(transaction, clock.nowMs());
    engine.notifyWork();
  };
  const validators = (): ValidatorSet => executor.tip().nextValidators;
  const proofs = createDecidedProofs({ chainId, validators, preparation, verify, hash: nativeSha256 });
  const applyBatch = whenRoom(options.sealer, (batch) => {
    for (const { block, commit } of batch) forks.check(block, commit);
    return engine.applyBatch(batch);
  });
  return {
    get mode(): FullNodeMode {
      return modeOf(options, executor);
    },
    executor,
    mempool,
    engine,
    submit,
    receive,
    ready: (): readonly Transaction[] => mempool.ready(clock.nowMs(), executor.waitMs(clock.nowMs()) === null),
    ...proofs,
    onLogSync: storage.onLogSync,
    applyBatch,
  };
}

function poolChain({ chainId, vm }: Pick<MempoolChain, "chainId" | "vm">, executor: () => BlockExecutor): MempoolChain {
  return {
    chainId,
    vm,
    get params(): NetworkParams {
      return executor().params;
    },
    get state(): StateReader {
      return executor().state;
    },
    tip: () => executor().tip(),
    hasSeenId: (id) => executor().hasSeenId(id),
  };
}

/** Blocks of others wait while too many old ones are in no file yet. */
function whenRoom(sealer: ChainOptions["sealer"], apply: Chain["applyBatch"]): Chain["applyBatch"] {
  return (batch) => {
    const room = sealer?.room();
    return room === undefined ? apply(batch) : room.then(() => apply(batch));
  };
}

function moduleTrials({ watch, contracts }: ChainOptions): Pick<MempoolOptions, "isRefused" | "tryModule"> {
  return {
    isRefused: (id) => watch?.marks.isRefused(id) === true || contracts?.isRefused(id) === true,
    ...(contracts === undefined ? {} : { tryModule: (tx, nowMs) => contracts.problemOf(tx, nowMs) }),
  };
}

/** Runs contracts in this thread. */
function openVm({ verify, watch }: ChainOptions): ContractVm {
  prepareThread();
  return createContractVm({ sha256: nativeSha256, verify, ...watch });
}

/** What an engine is made of beside the options. */
interface EngineDependencies {
  readonly executor: BlockExecutor;
  readonly commits: CommitReader;
  readonly forks: ForkWatch;
  readonly verify: VerifySignature;
  readonly storage: EngineStorage;
}

function openEngine(options: ChainOptions, { executor, commits, forks, verify, storage }: EngineDependencies): ConsensusEngine {
  const { folder, mode, clock, peers, log, onFatal, onEvidence } = options;
  if (mode === "validator" && modeOf({ ...options, mode: undefined }, executor) !== "validator")
    log.warn({ node_key: votingKey(options) }, "The node's key is not in the validator set, so it does not vote yet");
  return createConsensusEngine(engineOptions(folder.genesis, executor), {
    application: executor,
    storage,
    hasNewKey: mode !== "full" && isNewKey(options, executor),
    commits,
    network: watchForks(peers?.network ?? createStandaloneNetwork(), forks, clock),
    // A node that may vote is ready to: its key may enter the set at any height.
    signer: mode === "full" ? null : (options.signer ?? createValidatorSigner(folder.nodeKey.secret)),
    verify,
    hash: nativeSha256,
    clock,
    timers: systemTimers,
    log: log.child("consensus"),
    onFatal,
    onEvidence,
    ...(peers === null ? {} : { onWork: (transactions, sender) => peers.onWork(transactions, sender), onAwake: () => peers.onAwake() }),
  });
}

/** True when the key that votes has signed nothing yet; its guard is in its place then. */
function isNewKey(options: ChainOptions, executor: BlockExecutor): boolean {
  const { folder, signer } = options;
  const tookOver = takeOverGuard(folder.paths.consensus, votingKey(options), executor.state, executor.tip().height);
  return tookOver || (signer === undefined && takeNewKeyMark(folder));
}

/** The pace is that of the next height. */
function engineOptions(genesis: Genesis, executor: Pick<BlockExecutor, "params">): ConsensusEngineOptions {
  return {
    chainId: genesis.chain_id,
    timeouts: timeoutsOf(genesis),
    get minBlockIntervalMs(): number {
      return executor.params.min_block_interval_ms;
    },
    get heartbeatMs(): number {
      return executor.params.heartbeat_interval_ms;
    },
    get maxBlockBytes(): number {
      return executor.params.max_block_bytes;
    },
  };
}

function createForkWatch(
  { folder, database, verify, log, onEvidence, onFalseBlock }: ChainOptions,
  commits: CommitReader,
  executor: BlockExecutor,
): ForkWatch {
  return new ForkWatch({
    chainId: folder.genesis.chain_id,
    hashAt: (height): HashHex | undefined =>
      height === executor.tip().height ? executor.tip().hash : database.blocks.summary(height)?.hash,
    commits,
    verify,
    onFork: (height, evidence, other): void => {
      log.error(
        { height, accused: evidence.length },
        "Two blocks of one height were decided: a third of the validators or more is dishonest",
      );
      for (const found of evidence) onEvidence(found);
      if (other !== undefined) onFalseBlock?.(other);
    },
  });
}

/** Validators on one machine share its processors: rounds of a development network with several of them are longer. */
function timeoutsOf({ development, validators }: Genesis): RoundTimeouts {
  if (!development) return DEFAULT_TIMEOUTS;
  return validators.length === 1 ? DEVELOPMENT_TIMEOUTS : LOCAL_NETWORK_TIMEOUTS;
}

function readCommit(database: ChainDatabase, height: number): ReturnType<CommitReader["readCommit"]> {
  const commit = database.blocks.commit(height);
  const carried = database.blocks.get(height + 1)?.block.lastCommit ?? commit;
  return commit === undefined || carried === undefined ? undefined : { commit, carried, validators: database.validatorSets.at(height) };
}

/** As the configuration says, else by the validator set, which may take the key in or drop it at any height. */
function modeOf(options: ChainOptions, executor: BlockExecutor): FullNodeMode {
  if (options.mode !== undefined) return options.mode;
  const own = votingKey(options);
  return executor.tip().nextValidators.some((validator) => validator.publicKey === own) ? "validator" : "full";
}

function votingKey({ folder, signer }: ChainOptions): PublicKeyHex {
  return signer?.publicKey ?? folder.nodeKey.publicKey;
}
