// An engine on the bench: virtual time, simulated disk, chain in memory, and a network that the test plays.
import type { Evidence } from "#node/consensus/effects.ts";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createConsensusEngine } from "#node/engine/consensus-engine.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { ConsensusEngineDependencies } from "#node/engine/engine-dependencies.ts";
import type { ConsensusEngine } from "#node/engine/engine-interface.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { proposalSignBytes, type Vote, type VoteType, voteSignBytes } from "#shared/protocol/chain/vote.ts";
import {
  CHAIN_ID,
  MemoryChain,
  type MemoryChainOptions,
  quickHash,
  quickValidators,
  quickVerify,
} from "#test/support/chain/memory-chain.ts";
import { SimulatedDisk } from "#test/support/host/simulated-disk.ts";
import { later, outcomeOf } from "#test/support/host/virtual-promise.ts";
import { VirtualTime } from "#test/support/host/virtual-time.ts";

export const START_MS = 1_800_000_000_000;
export const HEARTBEAT_MS = 60_000;
const TIMEOUTS = { proposeMs: 3_000, prevoteMs: 1_000, precommitMs: 1_000, deltaMs: 500, rebroadcastMs: 2_000 };

/** Where a bench differs from a sole validator without a block interval. */
export interface EngineBenchOptions {
  readonly size?: number;
  readonly ownIndex?: number | null;
  readonly minBlockIntervalMs?: number;
  readonly onAwake?: NonNullable<ConsensusEngineDependencies["onAwake"]>;
  readonly onWork?: NonNullable<ConsensusEngineDependencies["onWork"]>;
}

/** A chain that stores at once and says so in virtual time. */
class VirtualChain extends MemoryChain {
  readonly #time: VirtualTime;

  constructor(options: MemoryChainOptions, time: VirtualTime) {
    super(options);
    this.#time = time;
  }

  override apply(batch: readonly DecidedBlock[]): Promise<void> {
    return later(
      (callback) => void this.#time.setTimer(0, callback),
      outcomeOf(() => this.store(batch)),
    );
  }
}

/** Chain, disk and time outlive the engines that are started on them. */
export class EngineBench {
  readonly time = new VirtualTime();
  readonly disk = new SimulatedDisk();
  readonly chain: MemoryChain;
  readonly signers: readonly ValidatorSigner[];
  readonly sent: ConsensusMessage[] = [];
  readonly fatal: unknown[] = [];
  readonly warnings: string[] = [];
  readonly evidence: Evidence[] = [];
  readonly #options: EngineBenchOptions & Required<Pick<EngineBenchOptions, "size" | "ownIndex" | "minBlockIntervalMs">>;
  #sleptMs = 0;
  #engine: ConsensusEngine | null = null;
  #receive: ((message: ConsensusMessage) => void) | null = null;

  constructor(options: EngineBenchOptions = {}) {
    this.#options = { size: 1, ownIndex: 0, minBlockIntervalMs: 0, ...options };
    const { validators, signers } = quickValidators(this.#options.size);
    this.signers = signers;
    this.chain = new VirtualChain({ validators, genesisTimeMs: START_MS - 1_000, heartbeatMs: HEARTBEAT_MS }, this.time);
  }

  create(): ConsensusEngine {
    const { ownIndex, minBlockIntervalMs, onAwake, onWork } = this.#options;
    const clock = this.time.clock(START_MS);
    return createConsensusEngine(
      { chainId: CHAIN_ID, timeouts: TIMEOUTS, minBlockIntervalMs, heartbeatMs: HEARTBEAT_MS },
      {
        application: this.chain,
        storage: this.disk,
        commits: this.chain,
        signer: ownIndex === null ? null : (this.signers[ownIndex] ?? null),
        verify: quickVerify,
        hash: quickHash,
        clock: { nowMs: () => clock.nowMs() + this.#sleptMs, monotonicMs: () => clock.monotonicMs() },
        timers: this.time,
        log: { info: () => undefined, warn: (_, message) => this.warnings.push(message) },
        onFatal: (error) => this.fatal.push(error),
        onEvidence: (evidence) => this.evidence.push(evidence),
        ...(onAwake === undefined ? {} : { onAwake }),
        ...(onWork === undefined ? {} : { onWork }),
        network: {
          broadcast: (message) => this.sent.push(message),
          onMessage: (receive) => {
            this.#receive = receive;
            return () => {
              this.#receive = null;
            };
          },
        },
      },
    );
  }

  /** Starts an engine; an earlier one is gone as if by power loss. */
  start(): ConsensusEngine {
    this.#engine?.stop();
    this.#engine = this.create();
    this.#engine.start();
    return this.#engine;
  }

  /** The wall clock moves on without the monotonic one. */
  sleep(durationMs: number): void {
    this.#sleptMs += durationMs;
  }

  /** Adds a text and lets 1 ms pass. */
  commit(engine: ConsensusEngine, text: string): void {
    this.chain.add(text);
    engine.notifyWork();
    this.time.advance(1);
  }

  /** A message arrives and is handled. */
  receive(...messages: readonly ConsensusMessage[]): void {
    for (const message of messages) this.#receive?.(message);
    this.time.advance(0);
  }

  /** A signed vote. */
  vote(type: VoteType, round: number, blockHash: string | null, index: number): ConsensusMessage {
    const unsigned = { type, height: this.chain.tip().height + 1, round, blockHash };
    const vote: Vote = { ...unsigned, validatorIndex: index, signature: this.#sign(index, voteSignBytes(CHAIN_ID, unsigned)) };
    return { type: "vote", vote };
  }

  /** A signed proposal of a block. */
  proposal(block: Block, round: number, index: number, validRound = -1): Extract<ConsensusMessage, { type: "proposal" }> {
    const blockHash = headerHash(block.header, quickHash);
    const unsigned = { height: block.header.height, round, validRound, blockHash };
    const signature = this.#sign(index, proposalSignBytes(CHAIN_ID, unsigned));
    return { type: "proposal", proposal: { ...unsigned, validatorIndex: index, signature }, block };
  }

  /** A block with one text, as validator `index` would build it now. */
  block(text: string, index: number, timeMs = START_MS + this.time.nowMs): Block {
    const other = new MemoryChain({
      validators: this.chain.tip().nextValidators,
      genesisTimeMs: START_MS - 1_000,
      heartbeatMs: HEARTBEAT_MS,
    });
    for (const stored of this.chain.blocks) other.blocks.push(stored);
    other.add(text);
    return other.buildBlock({ timeMs, proposer: this.signers[index]?.publicKey ?? "" }).block;
  }

  /** Own votes and proposals sent, as "prevote 0 nil". */
  get ownMessages(): readonly string[] {
    return this.sent.map((message) => {
      if (message.type === "vote") return `${message.vote.type} ${message.vote.round} ${message.vote.blockHash?.slice(0, 6) ?? "nil"}`;
      return message.type === "proposal" ? `proposal ${message.proposal.round}` : message.type;
    });
  }

  #sign(index: number, bytes: Uint8Array): Uint8Array {
    return this.signers[index]?.sign(bytes) ?? new Uint8Array(64);
  }
}
