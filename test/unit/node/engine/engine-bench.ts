// An engine on the bench: virtual time, simulated disk, chain in memory, and a network that the test plays.
import type { Evidence } from "#node/consensus/effects.ts";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createConsensusEngine } from "#node/engine/consensus-engine.ts";
import { type ConsensusMessage, type MessageSender, type ReceiveMessage, UNKNOWN_SENDER } from "#node/engine/consensus-network.ts";
import type { ConsensusEngineDependencies } from "#node/engine/engine-dependencies.ts";
import type { ConsensusEngine } from "#node/engine/engine-interface.ts";
import type { DecidedBlock } from "#node/engine/execution/decided-block.ts";
import type { RemoteSigner } from "#node/engine/voting/right/remote-signer.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import { headerHash } from "#shared/protocol/chain/header.ts";
import { type Commit, proposalSignBytes, type Vote, type VoteType, voteSignBytes } from "#shared/protocol/chain/vote.ts";
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
  readonly hasNewKey?: boolean;
  /** The order of proposers that the chain gives; by default they take turns, so that tests can say who proposes. */
  readonly isShuffled?: boolean;
  /** Takes the place of the own key: one in another process. */
  readonly remote?: (own: ValidatorSigner, time: VirtualTime) => RemoteSigner;
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
  /** What was sent to one validator alone. */
  readonly replies: { readonly to: number; readonly message: ConsensusMessage }[] = [];
  /** Validators that sent what no honest one does. */
  readonly rejected: number[] = [];
  readonly fatal: unknown[] = [];
  readonly warnings: string[] = [];
  readonly evidence: Evidence[] = [];
  /** Signatures that the engine checked. */
  readonly checks = { valid: 0, wrong: 0 };
  readonly #options: EngineBenchOptions & Required<Pick<EngineBenchOptions, "size" | "ownIndex" | "minBlockIntervalMs">>;
  #sleptMs = 0;
  #engine: ConsensusEngine | null = null;
  #receive: ReceiveMessage | null = null;

  constructor(options: EngineBenchOptions = {}) {
    this.#options = { size: 1, ownIndex: 0, minBlockIntervalMs: 0, ...options };
    const { validators, signers } = quickValidators(this.#options.size);
    this.signers = signers;
    const proposersAt = (height: number): readonly number[] => validators.map((_, round) => (height + round) % validators.length);
    const order = this.#options.isShuffled === true ? {} : { proposersAt };
    this.chain = new VirtualChain({ validators, genesisTimeMs: START_MS - 1_000, heartbeatMs: HEARTBEAT_MS, ...order }, this.time);
  }

  create(): ConsensusEngine {
    const { ownIndex, minBlockIntervalMs, onAwake, onWork, hasNewKey = false } = this.#options;
    const clock = this.time.clock(START_MS);
    return createConsensusEngine(
      { chainId: CHAIN_ID, timeouts: TIMEOUTS, minBlockIntervalMs, heartbeatMs: HEARTBEAT_MS },
      {
        application: this.chain,
        storage: this.disk,
        commits: this.chain,
        hasNewKey,
        signer: this.#signer(ownIndex),
        verify: (signature, message, publicKey) => {
          const isValid = quickVerify(signature, message, publicKey);
          this.checks[isValid ? "valid" : "wrong"] += 1;
          return isValid;
        },
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

  #signer(ownIndex: number | null): ValidatorSigner | RemoteSigner | null {
    const own = ownIndex === null ? undefined : this.signers[ownIndex];
    if (own === undefined) return null;
    return this.#options.remote?.(own, this.time) ?? own;
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

  /** Messages arrive and are handled: votes and proposals on the streams of those whom they name, the others from anywhere. */
  receive(...messages: readonly ConsensusMessage[]): void {
    for (const message of messages) this.#receive?.(message, this.#authorOf(message));
    this.time.advance(0);
  }

  /** Messages arrive on the stream of a validator. */
  receiveFrom(index: number, ...messages: readonly ConsensusMessage[]): void {
    this.queueFrom(index, ...messages);
    this.time.advance(0);
  }

  /** Messages arrive that others passed on. */
  receivePassedOn(...messages: readonly ConsensusMessage[]): void {
    for (const message of messages) this.#receive?.(message, UNKNOWN_SENDER);
    this.time.advance(0);
  }

  /** The same as {@link receiveFrom}; they wait for their turn. */
  queueFrom(index: number, ...messages: readonly ConsensusMessage[]): void {
    for (const message of messages) this.#receive?.(message, this.#sender(index), "block" in message ? 1_048_576 : 0);
  }

  /** A signed vote. */
  vote(type: VoteType, round: number, blockHash: string | null, index: number): ConsensusMessage {
    const unsigned = { type, height: this.chain.tip().height + 1, round, blockHash };
    const vote: Vote = { ...unsigned, validatorIndex: index, signature: this.#sign(index, voteSignBytes(CHAIN_ID, unsigned)) };
    return { type: "vote", vote };
  }

  /** The commit of a block of the next height by these validators. */
  commitOf(blockHash: string, indexes: readonly number[]): Commit {
    const votes = indexes.map((index) => this.vote("precommit", 0, blockHash, index));
    const signatures = votes.flatMap((message) => (message.type === "vote" ? [message.vote.signature] : []));
    const bitmap = new Uint8Array(Math.ceil(this.#options.size / 8));
    for (const index of indexes) bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
    return { height: this.chain.tip().height + 1, round: 0, blockHash, bitmap, signatures };
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

  #authorOf(message: ConsensusMessage): MessageSender {
    if (message.type === "vote") return this.#sender(message.vote.validatorIndex);
    return message.type === "proposal" ? this.#sender(message.proposal.validatorIndex) : UNKNOWN_SENDER;
  }

  #sender(index: number): MessageSender {
    return {
      name: `validator ${index}`,
      publicKey: this.signers[index]?.publicKey ?? null,
      reject: (): void => void this.rejected.push(index),
      reply: (message): void => void this.replies.push({ to: index, message }),
    };
  }

  #sign(index: number, bytes: Uint8Array): Uint8Array {
    return this.signers[index]?.sign(bytes) ?? new Uint8Array(64);
  }
}
