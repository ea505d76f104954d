// One validator of a simulation: a real engine over a simulated disk, chain, clock and network. It can crash and come back, sleep
// and wake, and its clock can be set.
import type { Evidence } from "#node/consensus/effects.ts";
import type { RoundTimeouts } from "#node/consensus/state.ts";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createConsensusEngine } from "#node/engine/consensus-engine.ts";
import type { ConsensusMessage, MessageSender, ReceiveMessage } from "#node/engine/consensus-network.ts";
import type { ConsensusEngine } from "#node/engine/engine-interface.ts";
import type { BlockApplication, BlockValidation, CandidateBlock } from "#node/engine/execution/block-application.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import { ForkWatch, watchForks } from "#node/engine/voting/fork-watch.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { CHAIN_ID, type MemoryChain, quickHash, quickVerify, type StoredBlock } from "#test/support/chain/memory-chain.ts";
import { PowerLoss, SimulatedDisk } from "#test/support/host/simulated-disk.ts";
import { later, outcomeOf } from "#test/support/host/virtual-promise.ts";
import type { VirtualTime } from "#test/support/host/virtual-time.ts";

export const SIMULATED_TIMEOUTS: RoundTimeouts = { proposeMs: 300, prevoteMs: 150, precommitMs: 150, deltaMs: 100, rebroadcastMs: 400 };

/** What a node is made of. */
export interface SimulatedNodeDependencies {
  readonly signer: ValidatorSigner;
  readonly chain: MemoryChain;
  readonly time: VirtualTime;
  /** Wall clock at virtual time 0, ms. */
  readonly clockOffsetMs: number;
  readonly heartbeatMs: number;
  /** A bad one may be caught by its own checks. */
  readonly isBad: boolean;
  /** Forgets at every start what it has signed. */
  readonly isAmnesiac: boolean;
  /** How long checking a block in another thread takes, ms; null when it is not done there. */
  prepareMs(): number | null;
  /** How long another thread writes, ms; null for a batch that is written at once. */
  writeMs(): number | null;
  /** Whether what that thread writes is on the disk when the machine loses power meanwhile. */
  lands(): boolean;
  /** A node is notified of a block. */
  onCommitted(node: SimulatedNode, height: number, hash: string): void;
  send(from: SimulatedNode, message: ConsensusMessage): void;
  onEvidence(evidence: Evidence): void;
  /** A height was decided twice, as this node sees. */
  onFork(node: SimulatedNode): void;
  /** The engine stops because more than two thirds decided otherwise. */
  onHalt(node: SimulatedNode, error: unknown): void;
  /** The machine lost power. */
  onPowerLoss(node: SimulatedNode): void;
}

/** How a node comes back. */
export interface Restart {
  /** How much of the unsynced log survived, 0 to 1. */
  readonly keep: number;
  /** What is behind it. */
  readonly garbage?: Uint8Array;
  /** Operations of the disk until it loses power again. */
  readonly failAfter?: number;
}

/** A validator that can fail. */
export class SimulatedNode {
  readonly chain: MemoryChain;
  readonly disk = new SimulatedDisk();
  readonly #dependencies: SimulatedNodeDependencies;
  #engine: ConsensusEngine | null = null;
  #watch: ForkWatch | null = null;
  #receive: ReceiveMessage | null = null;
  /** Timers of an earlier life must not fire in this one. */
  #life = 0;
  #clockErrorMs = 0;
  #sleptMs = 0;
  #wakeAtMs = 0;
  /** True while the node starts. */
  isStarting = false;
  /** True from waking up until it is known whether the chain continued. */
  isUnsure = false;
  crashes = 0;
  /** How often its folder was emptied. */
  emptied = 0;
  /** Blocks that became durable in batches of several, and power losses while another thread wrote. */
  readonly batches = { blocks: 0, losses: 0 };
  /** What another thread writes now. */
  #writing: (() => void) | null = null;
  /** Starts that were refused because the log was damaged. */
  refusals = 0;

  constructor(dependencies: SimulatedNodeDependencies) {
    this.#dependencies = dependencies;
    this.chain = dependencies.chain;
  }

  get signer(): ValidatorSigner {
    return this.#dependencies.signer;
  }

  get isUp(): boolean {
    return this.#engine !== null;
  }

  /** True while another thread writes blocks. */
  get isWriting(): boolean {
    return this.#writing !== null;
  }

  get isAsleep(): boolean {
    return this.#dependencies.time.nowMs < this.#wakeAtMs;
  }

  get status(): ReturnType<ConsensusEngine["status"]> | null {
    return this.#engine?.status() ?? null;
  }

  start(): void {
    const { signer, chain, heartbeatMs, send, onEvidence, isAmnesiac } = this.#dependencies;
    if (isAmnesiac) this.disk.wipe();
    const watch = this.#forkWatch();
    const engine = createConsensusEngine(
      { chainId: CHAIN_ID, timeouts: SIMULATED_TIMEOUTS, minBlockIntervalMs: 0, heartbeatMs },
      {
        application: this.#application(),
        storage: this.disk,
        commits: isAmnesiac ? { readCommit: () => undefined } : chain,
        signer,
        verify: quickVerify,
        hash: quickHash,
        clock: this.#clock(),
        timers: this.#timersOfLife(),
        log: { info: () => undefined, warn: () => undefined },
        onFatal: (error) => this.#onFatal(error),
        onEvidence,
        onAwake: () => {
          this.isUnsure = true;
        },
        network: watchForks(
          {
            broadcast: (message) => send(this, message),
            onMessage: (receive) => {
              this.#receive = receive;
              return () => {
                this.#receive = null;
              };
            },
          },
          watch,
          this.#clock(),
        ),
      },
    );
    this.#engine = engine;
    this.#watch = watch;
    this.isUnsure = false;
    this.isStarting = true;
    engine.onCommit(({ block, commit }) => this.#dependencies.onCommitted(this, block.header.height, commit.blockHash));
    try {
      engine.start();
    } catch (error) {
      this.#onFatal(error);
    }
    this.isStarting = false;
  }

  /** Power loss now. */
  crash(): void {
    if (this.#engine === null) return;
    this.crashes += 1;
    this.#life += 1;
    this.#engine.stop();
    this.#engine = null;
    this.#receive = null;
    if (this.#writing !== null) this.batches.losses += 1;
    if (this.#writing !== null && this.#dependencies.lands()) this.#writing();
    this.#writing = null;
    this.chain.forgetExecuted();
  }

  /** Comes back, and may fail again while it does. */
  restart({ keep, garbage, failAfter }: Restart): void {
    if (this.#engine !== null) return;
    this.disk.restart(keep, garbage);
    if (failAfter !== undefined) this.disk.failAfter(failAfter, true);
    this.start();
  }

  /** The folder is emptied while the node is down; it has the first block again before it starts. A network without any may be a new one. */
  empty(): void {
    if (this.#engine !== null || this.chain.blocks.length === 0) return;
    this.emptied += 1;
    this.disk.wipe();
    this.chain.truncate(1);
  }

  /** Sets the wall clock this far from the right time. */
  setClock(errorMs: number): void {
    this.#clockErrorMs = errorMs;
  }

  /** Closes the lid: nothing happens for a while, and the monotonic clock stands still. */
  sleep(durationMs: number): void {
    if (this.isAsleep) return;
    this.#wakeAtMs = this.#dependencies.time.nowMs + durationMs;
    this.#sleptMs += durationMs;
  }

  deliver(message: ConsensusMessage, sender: MessageSender): void {
    if (!this.isAsleep) this.#receive?.(message, sender);
  }

  /** What block synchronisation does with blocks of other nodes. */
  follow(batch: readonly StoredBlock[]): void {
    if (this.isAsleep) return;
    for (const { block, commit } of batch) this.#watch?.check(block, commit);
    void this.#engine?.applyBatch(batch);
  }

  /** Block synchronisation found no node ahead of this one. */
  isLevel(): void {
    if (!this.isUnsure || this.isAsleep) return;
    this.isUnsure = false;
    this.#engine?.setAbstaining(false);
  }

  notifyWork(): void {
    if (!this.isAsleep) this.#engine?.notifyWork();
  }

  #forkWatch(): ForkWatch {
    const { chain, onEvidence, onFork } = this.#dependencies;
    return new ForkWatch({
      chainId: CHAIN_ID,
      hashAt: (height): string | undefined => chain.blocks[height - 1]?.hash,
      commits: chain,
      verify: quickVerify,
      onFork: (_height, evidence): void => {
        onFork(this);
        for (const item of evidence) onEvidence(item);
      },
    });
  }

  #application(): BlockApplication {
    const { chain, time, prepareMs, writeMs } = this.#dependencies;
    return {
      tip: (): ReturnType<BlockApplication["tip"]> => chain.tip(),
      proposersAfter: (proposer): readonly number[] => chain.proposersAfter(proposer),
      hasWork: (nowMs): boolean => chain.hasWork(nowMs),
      waitMs: (nowMs): number | null => chain.waitMs(nowMs),
      buildBlock: (input): CandidateBlock => chain.buildBlock(input),
      prepareBlock: (): Promise<void> | null => {
        const durationMs = prepareMs();
        return durationMs === null ? null : later((callback) => void time.setTimer(durationMs, callback));
      },
      validateBlock: (block): BlockValidation => chain.validateBlock(block),
      reusePooledTransactions: (block): Block => chain.reusePooledTransactions(block),
      executeSpeculatively: (batch): ReturnType<MemoryChain["executeSpeculatively"]> => chain.executeSpeculatively(batch),
      apply: (batch): Promise<void> => {
        if (batch.length > 1) this.batches.blocks += batch.length;
        const durationMs = writeMs();
        return durationMs === null ? this.#writeHere(batch) : this.#writeInWorker(batch, durationMs);
      },
    };
  }

  /** Durable when the call returns; the engine learns that a turn later. */
  #writeHere(batch: readonly DecidedBlock[]): Promise<void> {
    return later(
      (callback) => void this.#timersOfLife().setTimer(0, callback),
      outcomeOf(() => this.#write(batch)),
    );
  }

  /** On another thread: the machine continues meanwhile, and may lose power before, while and after. */
  #writeInWorker(batch: readonly DecidedBlock[], durationMs: number): Promise<void> {
    this.#writing = (): void => this.chain.store(batch);
    const { setTimer } = this.#timersOfLife();
    return later(
      (callback) => void setTimer(durationMs, callback),
      () => {
        this.#writing = null;
        this.#write(batch);
      },
    );
  }

  /** All of it or nothing. */
  #write(batch: readonly DecidedBlock[]): void {
    this.disk.operation(() => {
      this.chain.storeBlocks(batch);
      this.chain.rememberTexts(batch);
    }, "block commit");
  }

  #onFatal(error: unknown): void {
    if (error instanceof PowerLoss) {
      this.#dependencies.onPowerLoss(this);
      this.crash();
      return;
    }
    const isDamaged = isCodedError(error, "STORAGE_CORRUPT");
    // A twin finds out at a restart that its key votes on another node, an amnesiac runs into its own past: they stay down.
    const isCaught = this.#dependencies.isBad && (isCodedError(error, "VALIDATOR_UNSAFE") || isCodedError(error, "INVARIANT"));
    if (isDamaged) this.refusals += 1;
    else if (!isCaught) this.#dependencies.onHalt(this, error);
    this.crash();
  }

  #clock(): Clock {
    const { time, clockOffsetMs } = this.#dependencies;
    return {
      nowMs: (): number => time.nowMs + clockOffsetMs + this.#clockErrorMs,
      monotonicMs: (): number => time.nowMs - this.#sleptMs,
    };
  }

  #timersOfLife(): Timers {
    const life = this.#life;
    const { time } = this.#dependencies;
    const setTimer = (delayMs: number, callback: () => void): CancelTimer => {
      let cancel: CancelTimer = () => undefined;
      const fire = (): void => {
        if (life !== this.#life) return;
        if (this.isAsleep) cancel = time.setTimer(this.#wakeAtMs - time.nowMs, fire);
        else callback();
      };
      cancel = time.setTimer(delayMs, fire);
      return () => cancel();
    };
    return { setTimer };
  }
}
