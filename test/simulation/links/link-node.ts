// One validator of a network over links: a real engine and real proposals in parts.
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import { createConsensusEngine } from "#node/engine/consensus-engine.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { ConsensusEngine } from "#node/engine/engine-interface.ts";
import type { EngineStorage } from "#node/engine/log/engine-storage.ts";
import { DEFAULT_TIMEOUTS } from "#node/engine/voting/default-timeouts.ts";
import type { PeerOffence } from "#node/network/peer-network.ts";
import { ProposalParts } from "#node/network/traffic/parts/proposal-parts.ts";
import { decodeBlock } from "#shared/protocol/chain/block.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import type { Clock } from "#shared/util/clock.ts";
import { CHAIN_ID, quickHash, quickVerify } from "#test/support/chain/memory-chain.ts";
import { createRandom } from "#test/support/host/random.ts";
import type { VirtualTime } from "#test/support/host/virtual-time.ts";
import { SizedChain } from "./sized-chain.ts";

const GENESIS_TIME_MS = 1_800_000_000_000;
const HEARTBEAT_MS = 3_600_000;

/** What a node is made of. */
export interface LinkNodeDependencies {
  readonly signer: ValidatorSigner;
  readonly validators: ValidatorSet;
  readonly time: VirtualTime;
  readonly blockBytes: number;
  readonly heights: number;
  /** False to send every block whole. */
  readonly inParts: boolean;
  broadcast(message: ConsensusMessage): void;
  send(to: readonly PublicKeyHex[], frame: Uint8Array): void;
  report(validator: PublicKeyHex, offence: PeerOffence): void;
  /** A height was decided here. */
  decided(height: Height): void;
}

/** A validator. */
export class LinkNode {
  readonly #dependencies: LinkNodeDependencies;
  readonly #chain: SizedChain;
  readonly #engine: ConsensusEngine;
  readonly #parts: ProposalParts;
  readonly #random = createRandom(11);
  #receive: (message: ConsensusMessage) => void = () => undefined;

  constructor(dependencies: LinkNodeDependencies) {
    this.#dependencies = dependencies;
    const { validators, blockBytes, heights, time, decided } = dependencies;
    this.#chain = new SizedChain({ validators, time, blockBytes, lastHeight: heights, genesisTimeMs: GENESIS_TIME_MS });
    this.#engine = this.#createEngine();
    this.#parts = this.#createParts();
    this.#engine.onCommit(({ commit }) => decided(commit.height));
  }

  start(): void {
    this.#engine.start();
  }

  receive(message: ConsensusMessage, from: PublicKeyHex): void {
    if (message.type === "vote") this.#parts.noteVote(message.vote, from);
    this.#receive(message);
  }

  receivePart(frame: Uint8Array, from: PublicKeyHex): void {
    this.#parts.receive(frame, from);
  }

  #createEngine(): ConsensusEngine {
    const { signer, time } = this.#dependencies;
    return createConsensusEngine(
      { chainId: CHAIN_ID, timeouts: DEFAULT_TIMEOUTS, minBlockIntervalMs: 0, heartbeatMs: HEARTBEAT_MS },
      {
        application: this.#chain,
        storage: NO_STORAGE,
        commits: { readCommit: () => undefined },
        signer,
        verify: quickVerify,
        hash: quickHash,
        clock: this.#clock(),
        timers: time,
        log: { info: () => undefined, warn: () => undefined },
        onFatal: (error) => {
          throw error;
        },
        onEvidence: () => undefined,
        network: {
          broadcast: (message) => this.#broadcast(message),
          onMessage: (receive) => {
            this.#receive = receive;
            return () => undefined;
          },
        },
      },
    );
  }

  #createParts(): ProposalParts {
    const { signer, validators, time, send, report } = this.#dependencies;
    const keys = validators.map(({ publicKey }) => publicKey);
    return new ProposalParts({
      chainId: CHAIN_ID,
      ownKey: signer.publicKey,
      clock: this.#clock(),
      timers: time,
      hash: quickHash,
      verify: quickVerify,
      sign: (_proposal, bytes): Uint8Array => signer.sign(bytes),
      validators: (): readonly PublicKeyHex[] => keys,
      tipHeight: (): Height => this.#chain.tip().height,
      proposalUse: (proposal): ReturnType<ConsensusEngine["proposalUse"]> => this.#engine.proposalUse(proposal),
      send,
      randomBelow: (count): number => this.#random.between(0, count - 1),
      deliver: (proposal, block): void => this.#receive({ type: "proposal", proposal, block: decodeBlock(block) }),
      report,
    });
  }

  #broadcast(message: ConsensusMessage): void {
    const { inParts, broadcast } = this.#dependencies;
    const isSent = message.type === "proposal" && inParts && this.#parts.propose(message) !== "whole";
    if (!isSent) broadcast(message);
  }

  #clock(): Clock {
    const { time } = this.#dependencies;
    return { nowMs: (): number => GENESIS_TIME_MS + Math.floor(time.nowMs), monotonicMs: (): number => time.nowMs };
  }
}

/** What is signed and logged is not what is measured. */
const NO_STORAGE: EngineStorage = {
  openLog: () => ({
    read: () => new Uint8Array(),
    append: () => undefined,
    sync: () => undefined,
    truncate: () => undefined,
    close: () => undefined,
  }),
  openGuard: () => ({ read: () => undefined, replace: () => undefined }),
};
