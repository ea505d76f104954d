// One validator of a simulation: a real engine over a simulated disk, chain, clock and network. It can crash and come back.

import type { Evidence } from "#node/consensus/effects.ts";
import type { RoundTimeouts } from "#node/consensus/state.ts";
import { type ConsensusEngine, createConsensusEngine } from "#node/engine/consensus-engine.ts";
import type { ConsensusMessage } from "#node/engine/consensus-network.ts";
import type { ValidatorSigner } from "#node/engine/sign-guard.ts";
import type { CancelTimer, Timers } from "#node/engine/timers.ts";
import { isCodedError } from "#shared/errors/coded-error.ts";
import { CHAIN_ID, type MemoryChain, quickHash, quickVerify } from "#test/support/memory-chain.ts";
import { PowerLoss, SimulatedDisk } from "#test/support/simulated-disk.ts";
import type { VirtualTime } from "#test/support/virtual-time.ts";

export const SIMULATED_TIMEOUTS: RoundTimeouts = { proposeMs: 300, prevoteMs: 150, precommitMs: 150, deltaMs: 100, rebroadcastMs: 400 };

/** What a node is made of. */
export interface SimulatedNodeParts {
  readonly signer: ValidatorSigner;
  readonly chain: MemoryChain;
  readonly time: VirtualTime;
  readonly clockOffsetMs: number;
  readonly heartbeatMs: number;
  /** One of two with the same key. */
  readonly isGuilty: boolean;
  send(from: SimulatedNode, message: ConsensusMessage): void;
  onEvidence(evidence: Evidence): void;
}

/** A validator that can crash. */
export class SimulatedNode {
  readonly chain: MemoryChain;
  readonly disk = new SimulatedDisk();
  readonly #parts: SimulatedNodeParts;
  #engine: ConsensusEngine | null = null;
  #receive: ((message: ConsensusMessage) => void) | null = null;
  /** Timers of an earlier life must not fire in this one. */
  #life = 0;
  crashes = 0;

  constructor(parts: SimulatedNodeParts) {
    this.#parts = parts;
    this.chain = parts.chain;
  }

  get isUp(): boolean {
    return this.#engine !== null;
  }

  get status(): ReturnType<ConsensusEngine["status"]> | null {
    return this.#engine?.status() ?? null;
  }

  start(): void {
    const { signer, chain, time, clockOffsetMs, heartbeatMs, send, onEvidence } = this.#parts;
    const { disk } = this;
    const application = new Proxy(chain, {
      get(target, name) {
        if (name === "commitBlock")
          return (...args: Parameters<MemoryChain["commitBlock"]>): void => disk.operation(() => target.commitBlock(...args));
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const engine = createConsensusEngine(
      { chainId: CHAIN_ID, timeouts: SIMULATED_TIMEOUTS, minBlockIntervalMs: 0, heartbeatMs },
      {
        application,
        storage: disk,
        commits: chain,
        signer,
        verify: quickVerify,
        hash: quickHash,
        clock: time.clock(clockOffsetMs),
        timers: this.#timersOfLife(),
        log: { info: () => undefined, warn: () => undefined },
        onFatal: (error) => this.#onFatal(error),
        onEvidence,
        network: {
          broadcast: (message) => send(this, message),
          onMessage: (receive) => {
            this.#receive = receive;
            return () => {
              this.#receive = null;
            };
          },
        },
      },
    );
    this.#engine = engine;
    try {
      engine.start();
    } catch (error) {
      this.#onFatal(error);
    }
  }

  /** Power loss now. */
  crash(): void {
    if (this.#engine === null) return;
    this.crashes += 1;
    this.#life += 1;
    this.#engine.stop();
    this.#engine = null;
    this.#receive = null;
  }

  /** Comes back; `keep` is how much of the unsynced log survived. */
  restart(keep: number): void {
    if (this.#engine !== null) return;
    this.disk.restart(keep);
    this.start();
  }

  deliver(message: ConsensusMessage): void {
    this.#receive?.(message);
  }

  notifyWork(): void {
    this.#engine?.notifyWork();
  }

  #onFatal(error: unknown): void {
    // A twin finds out at a restart that its key votes elsewhere: it stays down.
    const isCaught = this.#parts.isGuilty && isCodedError(error, "VALIDATOR_UNSAFE");
    if (!(error instanceof PowerLoss) && !isCaught) throw error;
    this.crash();
  }

  #timersOfLife(): Timers {
    const life = this.#life;
    const { time } = this.#parts;
    return {
      setTimer: (delayMs, callback): CancelTimer =>
        time.setTimer(delayMs, () => {
          if (life === this.#life) callback();
        }),
    };
  }
}
