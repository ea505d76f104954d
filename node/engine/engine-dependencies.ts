// What a consensus engine is wired to and how it is set.
import type { Evidence } from "#node/consensus/effects.ts";
import type { RoundTimeouts } from "#node/consensus/state.ts";
import type { ValidatorSigner } from "#node/crypto/validator-signer.ts";
import type { Sha256 } from "#shared/protocol/primitives/hash.ts";
import type { VerifySignature } from "#shared/protocol/primitives/signature.ts";
import type { Transaction } from "#shared/protocol/transactions/transaction.ts";
import type { Clock, Timers } from "#shared/util/clock.ts";
import type { ConsensusNetwork, MessageSender } from "./consensus-network.ts";
import type { BlockApplication } from "./execution/block-application.ts";
import type { EngineStorage } from "./log/engine-storage.ts";
import type { Pace } from "./voting/pacemaker.ts";
import type { RemoteSigner } from "./voting/right/remote-signer.ts";
import type { CommitReader } from "./voting/right/start-checks.ts";

/** Settings of an engine. Those that an UPGRADE changes are looked at each time: they are of the height after the tip. */
export interface ConsensusEngineOptions extends Pace {
  readonly chainId: string;
  readonly timeouts: RoundTimeouts;
  /** Most bytes of transactions of a block; those of a network that never changed by default. */
  readonly maxBlockBytes?: number;
}

/** Where the engine writes what a person may want to know; a pino logger fits. */
export interface EngineLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What an engine is wired to. */
export interface ConsensusEngineDependencies {
  readonly application: BlockApplication;
  readonly storage: EngineStorage;
  readonly commits: CommitReader;
  readonly network: ConsensusNetwork;
  /** The key, here or in another process. Null: this node only watches. */
  readonly signer: ValidatorSigner | RemoteSigner | null;
  /** True when the key has signed nothing: it was made by this start, or took over from another one in the newest block. */
  readonly hasNewKey?: boolean;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: EngineLog;
  /** The engine has stopped because of a failure that it cannot survive; the node should exit. */
  onFatal(error: unknown): void;
  onEvidence(evidence: Evidence): void;
  /** Another validator reports transactions that wait. */
  onWork?(transactions: readonly Transaction[], sender: MessageSender): void;
  /**
   * The machine slept, or its clock was set. The engine abstains from now on: the listener finds out whether the chain
   * continued without this node, and ends that with `setAbstaining`.
   */
  onAwake?(jumpMs: number): void;
}
