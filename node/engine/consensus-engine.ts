// The consensus engine: lifecycle, mailbox and wake-up around the driver. One instance per node and data folder.

import type { Evidence } from "#node/consensus/effects.ts";
import type { Timeout } from "#node/consensus/inputs.ts";
import { initialState, type RoundTimeouts, type Step } from "#node/consensus/state.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Sha256 } from "#shared/protocol/hash.ts";
import type { Height } from "#shared/protocol/header.ts";
import type { VerifySignature } from "#shared/protocol/signature.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { BlockApplication } from "./block-application.ts";
import { type CommittedBlock, ConsensusDriver, type VotingKey } from "./consensus-driver.ts";
import type { ConsensusMessage, ConsensusNetwork } from "./consensus-network.ts";
import type { EngineStorage } from "./engine-storage.ts";
import { decodeLogRecord, inputHeight } from "./log-record.ts";
import { Mailbox } from "./mailbox.ts";
import { admitMessage, messageHeight } from "./message-admission.ts";
import { Pacemaker } from "./pacemaker.ts";
import { SignGuard, type ValidatorSigner } from "./sign-guard.ts";
import { abstainThrough, assertGuardIsCurrent, type CommitReader, validatorPosition } from "./start-checks.ts";
import { TimeoutSchedule } from "./timeout-schedule.ts";
import type { Timers } from "./timers.ts";
import { openWriteAheadLog, type WriteAheadLog } from "./write-ahead-log.ts";

/** Timeouts of a network of strangers' machines. */
export const DEFAULT_TIMEOUTS: RoundTimeouts = {
  proposeMs: 3_000,
  prevoteMs: 1_000,
  precommitMs: 1_000,
  deltaMs: 500,
  rebroadcastMs: 2_000,
};
/** Timeouts of a development network on one machine. */
export const DEVELOPMENT_TIMEOUTS: RoundTimeouts = { proposeMs: 500, prevoteMs: 200, precommitMs: 200, deltaMs: 100, rebroadcastMs: 500 };
/** Messages of other validators that wait their turn; more are dropped, rebroadcasts bring them back. */
const MAILBOX_CAPACITY = 4_096;
/** Messages for the next height that are kept until it starts. */
const EARLY_CAPACITY = 1_024;

/** Settings of an engine. */
export interface ConsensusEngineOptions {
  readonly chainId: string;
  readonly timeouts: RoundTimeouts;
  /** Least time from one commit to the next proposal of this node, ms; 0 allowed. */
  readonly minBlockIntervalMs: number;
  /** Time after the tip at which an empty block is due, ms. */
  readonly heartbeatMs: number;
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
  /** Null: this node only watches. */
  readonly signer: ValidatorSigner | null;
  readonly verify: VerifySignature;
  readonly hash: Sha256;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: EngineLog;
  /** The engine has stopped because of a failure that it cannot survive; the node should exit. */
  onFatal(error: unknown): void;
  onEvidence(evidence: Evidence): void;
}

/** What the engine is doing. `isVoting` says whether this node votes at the current height. */
export interface EngineStatus {
  readonly phase: "new" | "running" | "stopped" | "failed";
  readonly height: Height;
  readonly round: number;
  readonly step: Step;
  readonly isVoting: boolean;
}

/** The running engine. All callbacks come from the event loop, in order, never from inside a call to the engine. */
export interface ConsensusEngine {
  /** Restores the height from the log, then takes messages and work. @throws CodedError VALIDATOR_UNSAFE, STORAGE_CORRUPT. */
  start(): void;
  /** Stops at once; nothing is signed or committed afterwards. Safe to call twice. */
  stop(): void;
  /** There may be work: call after a transaction or evidence became pending. Cheap; never builds a block inside the call. */
  notifyWork(): void;
  /** Calls the listener after each durable commit; returns how to remove it. */
  onCommit(listener: (committed: CommittedBlock) => void): () => void;
  status(): EngineStatus;
}

type Item =
  | { readonly type: "message"; readonly message: ConsensusMessage }
  | { readonly type: "timeout"; readonly timeout: Timeout }
  | { readonly type: "wake" };

/** A stopped engine; `start` sets it going. */
export function createConsensusEngine(options: ConsensusEngineOptions, dependencies: ConsensusEngineDependencies): ConsensusEngine {
  return new Engine(options, dependencies);
}

class Engine implements ConsensusEngine {
  readonly #options: ConsensusEngineOptions;
  readonly #dependencies: ConsensusEngineDependencies;
  readonly #mailbox: Mailbox<Item>;
  readonly #timeouts: TimeoutSchedule;
  readonly #pacemaker: Pacemaker;
  readonly #listeners = new Set<(committed: CommittedBlock) => void>();
  #phase: EngineStatus["phase"] = "new";
  #driver: ConsensusDriver | null = null;
  #writeAheadLog: WriteAheadLog | null = null;
  #voting: VotingKey | null = null;
  #abstainThrough: Height = 0;
  #early: ConsensusMessage[] = [];
  #unsubscribe: (() => void) | null = null;

  constructor(options: ConsensusEngineOptions, dependencies: ConsensusEngineDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    const { timers, clock } = dependencies;
    this.#mailbox = new Mailbox<Item>(timers, MAILBOX_CAPACITY, {
      handle: (item): void => this.#handle(item),
      afterBatch: (): void => this.#driver?.settle(),
      fail: (error): void => this.#fail(error),
    });
    this.#timeouts = new TimeoutSchedule(timers, (timeout) => this.#mailbox.push({ type: "timeout", timeout }));
    const { minBlockIntervalMs, heartbeatMs } = options;
    this.#pacemaker = new Pacemaker({
      clock,
      timers,
      minBlockIntervalMs,
      heartbeatMs,
      wake: (): void => {
        this.#mailbox.push({ type: "wake" });
      },
    });
  }

  start(): void {
    if (this.#phase !== "new") throw new CodedError("INVARIANT", "A consensus engine starts once");
    this.#phase = "running";
    try {
      this.#restore();
    } catch (error) {
      this.#phase = "failed";
      this.#release();
      throw error;
    }
    this.#unsubscribe = this.#dependencies.network.onMessage((message) => {
      this.#mailbox.offer({ type: "message", message });
    });
    this.#pacemaker.start(this.#dependencies.application.tip().timeMs);
    this.notifyWork();
  }

  stop(): void {
    if (this.#phase !== "running") return;
    this.#phase = "stopped";
    this.#release();
  }

  notifyWork(): void {
    if (this.#phase === "running" && this.#driver?.wantsWork === true) this.#pacemaker.requestWork();
  }

  onCommit(listener: (committed: CommittedBlock) => void): () => void {
    this.#listeners.add(listener);
    return (): void => {
      this.#listeners.delete(listener);
    };
  }

  status(): EngineStatus {
    const state = this.#driver?.state;
    return {
      phase: this.#phase,
      height: state?.height ?? 0,
      round: state?.round ?? 0,
      step: state?.step ?? "idle",
      isVoting: this.#phase === "running" && state !== undefined && state.ownIndex !== null,
    };
  }

  #restore(): void {
    const { application, storage, commits, signer } = this.#dependencies;
    const tip = application.tip();
    const { log, payloads } = openWriteAheadLog(storage.openLog());
    this.#writeAheadLog = log;
    const records = payloads.map(decodeLogRecord).filter((record) => inputHeight(record.input) === tip.height + 1);
    if (signer !== null) {
      const guard = new SignGuard(storage.openGuard(), this.#options.chainId, signer);
      assertGuardIsCurrent(guard, signer, tip, commits);
      this.#abstainThrough = abstainThrough(guard, signer, tip, records);
      if (this.#abstainThrough > 0)
        this.#dependencies.log.warn({ through: this.#abstainThrough }, "not voting until this height is decided");
      this.#voting = { signer, guard };
    }
    this.#driver = this.#createDriver(log);
    this.#driver.start(records);
    this.#dependencies.log.info({ ...this.status(), restored: records.length }, "consensus engine started");
  }

  #createDriver(log: WriteAheadLog): ConsensusDriver {
    const { application, clock, network, onEvidence } = this.#dependencies;
    const { chainId, heartbeatMs, timeouts } = this.#options;
    return new ConsensusDriver(
      {
        chainId,
        heartbeatMs,
        application,
        clock,
        log,
        voting: this.#voting,
        timeouts: this.#timeouts,
        ownIndexAt: (height): number | null => this.#ownIndexAt(height),
        broadcast: (message): void => network.broadcast(message),
        onCommitted: (committed): void => this.#committed(committed),
        onEvidence: (evidence): void => onEvidence(evidence),
        warn: (details, message): void => this.#dependencies.log.warn(details, message),
      },
      initialState(timeouts),
    );
  }

  #ownIndexAt(height: Height): number | null {
    if (this.#voting === null || height <= this.#abstainThrough) return null;
    return validatorPosition(this.#dependencies.application.tip().nextValidators, this.#voting.signer);
  }

  #handle(item: Item): void {
    const { application, clock } = this.#dependencies;
    const driver = this.#driver;
    if (driver === null || this.#phase !== "running") return;
    if (item.type === "message") this.#receive(driver, item.message);
    else if (item.type === "timeout") driver.dispatch({ type: "timeoutElapsed", timeout: item.timeout }, null);
    else if (driver.wantsWork && application.hasWork(clock.nowMs())) driver.work();
  }

  #receive(driver: ConsensusDriver, message: ConsensusMessage): void {
    const { application, clock, verify, hash } = this.#dependencies;
    const height = messageHeight(message);
    if (height === driver.state.height + 1 && this.#early.length < EARLY_CAPACITY) this.#early.push(message);
    if (height !== driver.state.height || message.type === "work") return;
    const validators = application.tip().nextValidators;
    const context = { chainId: this.#options.chainId, validators, state: driver.state, nowMs: clock.nowMs(), verify, hash };
    const admitted = admitMessage(message, context);
    if (admitted !== undefined) driver.dispatch(admitted.input, admitted.block);
  }

  #committed(committed: CommittedBlock): void {
    this.#pacemaker.committed(committed.block.header.timeMs);
    const early = this.#early;
    this.#early = [];
    for (const message of early) this.#mailbox.offer({ type: "message", message });
    for (const listener of this.#listeners) listener(committed);
    const { application, clock } = this.#dependencies;
    if (application.hasWork(clock.nowMs())) this.notifyWork();
  }

  #fail(error: unknown): void {
    this.#phase = "failed";
    this.#release();
    this.#dependencies.onFatal(error);
  }

  #release(): void {
    this.#mailbox.close();
    this.#pacemaker.stop();
    this.#timeouts.cancelAll();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#writeAheadLog?.close();
    this.#writeAheadLog = null;
  }
}
