// The consensus engine: lifecycle, mailbox and wake-up around the driver. One instance per node and data folder.
import type { Timeout } from "#node/consensus/inputs.ts";
import { initialState } from "#node/consensus/state.ts";
import { votersOf } from "#node/consensus/votes.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { isMoreThanThird, type ValidatorSet } from "#shared/protocol/chain/validators.ts";
import type { Commit, Proposal } from "#shared/protocol/chain/vote.ts";
import { assertNever } from "#shared/util/assert.ts";
import type { SenderQueueLimits } from "#shared/util/sender-queues.ts";
import { type MessageSender, UNKNOWN_SENDER } from "./consensus-network.ts";
import type { ConsensusEngineDependencies, ConsensusEngineOptions } from "./engine-dependencies.ts";
import type { ConsensusEngine, EngineStatus, ProposalUse } from "./engine-interface.ts";
import type { ChainTip } from "./execution/block-application.ts";
import type { DecidedBlock, FollowOutcome } from "./execution/decided-block.ts";
import { BlockBudget } from "./inbound/block-budget.ts";
import { INBOUND_LIMITS } from "./inbound/inbound-limits.ts";
import { proposalUse } from "./inbound/proposal-use.ts";
import { RefusedValidators } from "./inbound/refused-validators.ts";
import { decodeLogRecord, inputHeight } from "./log/log-record.ts";
import { openWriteAheadLog, type WriteAheadLog } from "./log/write-ahead-log.ts";
import { missingVersionWords } from "./missing-version.ts";
import { ConsensusDriver } from "./voting/consensus-driver.ts";
import type { ReceivedMessage } from "./voting/early-messages.ts";
import { Mailbox } from "./voting/mailbox.ts";
import { MessageReception } from "./voting/message-reception.ts";
import { Pacemaker } from "./voting/pacemaker.ts";
import { PendingBatches } from "./voting/pending-batches.ts";
import type { SigningRequest } from "./voting/right/signing-requests.ts";
import { VotingRight } from "./voting/right/voting-right.ts";
import { SleepWatch } from "./voting/sleep-watch.ts";
import { TimeoutSchedule } from "./voting/timeout-schedule.ts";

const MAILBOX_LIMITS: SenderQueueLimits = {
  messages: INBOUND_LIMITS.senderMessages,
  bytes: INBOUND_LIMITS.senderBytes,
  totalBytes: INBOUND_LIMITS.totalBytes,
};

type Item =
  | { readonly type: "message"; readonly received: ReceivedMessage }
  | { readonly type: "timeout"; readonly timeout: Timeout }
  | { readonly type: "batch"; readonly batch: readonly DecidedBlock[] }
  | { readonly type: "prepared"; readonly height: Height; readonly blockHash: HashHex }
  | { readonly type: "signed"; readonly request: SigningRequest; readonly signature: Uint8Array | undefined }
  | { readonly type: "resume" }
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
  readonly #listeners = new Set<(decided: DecidedBlock) => void>();
  #phase: EngineStatus["phase"] = "new";
  #driver: ConsensusDriver | null = null;
  #writeAheadLog: WriteAheadLog | null = null;
  readonly #reception: MessageReception;
  readonly #sleep: SleepWatch;
  readonly #batches: PendingBatches;
  readonly #refused: RefusedValidators;
  #isAbstaining = false;
  readonly #right: VotingRight;
  #unsubscribe: (() => void) | null = null;

  constructor(options: ConsensusEngineOptions, dependencies: ConsensusEngineDependencies) {
    this.#options = options;
    this.#dependencies = dependencies;
    const { timers, clock } = dependencies;
    this.#reception = new MessageReception({
      ...dependencies,
      chainId: options.chainId,
      patienceMs: options.timeouts.rebroadcastMs,
      onWork: (transactions, sender): void => dependencies.onWork?.(transactions, sender),
      onDishonest: (sender): void => this.#blame(sender),
    });
    this.#sleep = new SleepWatch(clock);
    this.#refused = new RefusedValidators(clock);
    this.#right = new VotingRight({ ...dependencies, chainId: options.chainId, onChange: (): void => this.#resume() });
    this.#mailbox = new Mailbox<Item>(timers, MAILBOX_LIMITS, {
      handle: (item): void => this.#handle(item),
      afterBatch: (): void => this.#driver?.flush(),
      fail: (error): void => this.#fail(error),
    });
    this.#batches = new PendingBatches({
      application: dependencies.application,
      timers,
      isStoring: (): boolean => this.#phase === "running" && this.#driver?.isStoring === true,
      fail: (error): void => this.#fail(error),
    });
    this.#timeouts = new TimeoutSchedule(timers, (timeout) => this.#mailbox.pushPatiently({ type: "timeout", timeout }));
    this.#pacemaker = new Pacemaker({
      clock,
      timers,
      pace: options,
      wake: (): void => {
        this.#mailbox.push({ type: "wake" });
      },
    });
  }

  start(): void {
    if (this.#phase !== "new") throw new CodedError("INVARIANT", "A consensus engine starts once");
    this.#phase = "running";
    if (this.#stopsForVersion()) return;
    try {
      this.#restore();
    } catch (error) {
      this.#phase = "failed";
      this.#release();
      throw error;
    }
    this.#unsubscribe = this.#dependencies.network.onMessage((message, sender = UNKNOWN_SENDER, bytes = 0) =>
      this.#queue({ message, sender, bytes }),
    );
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

  applyBatch(received: readonly DecidedBlock[]): Promise<FollowOutcome> {
    if (this.#phase !== "running") return Promise.resolve("stopped");
    const { application } = this.#dependencies;
    const batch = received.map(({ block, commit }) => ({ block: application.reusePooledTransactions(block), commit }));
    this.#mailbox.push({ type: "batch", batch });
    return this.#batches.add(batch);
  }

  proposalUse(proposal: Proposal): ProposalUse {
    if (this.#phase !== "running" || this.#driver === null) return "none";
    return proposalUse(this.#driver.state, proposal, (proposer) => this.#dependencies.application.proposersAfter(proposer));
  }

  setAbstaining(isAbstaining: boolean): void {
    if (isAbstaining === this.#isAbstaining) return;
    this.#isAbstaining = isAbstaining;
    if (!isAbstaining) this.#resume();
  }

  onCommit(listener: (decided: DecidedBlock) => void): () => void {
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
      isVoting: this.#phase === "running" && state !== undefined && state.ownIndex !== null && !this.#isSilent,
    };
  }

  /** True while nothing is signed. */
  get #isSilent(): boolean {
    if (this.#dependencies.application.missingVersion?.() !== undefined) return true;
    return this.#isAbstaining || this.#right.isHeldBack(this.#dependencies.application.tip().height + 1);
  }

  #resume(): void {
    if (this.#phase !== "running") return;
    this.#mailbox.push({ type: "resume" });
    this.notifyWork();
  }

  #queue(received: ReceivedMessage): void {
    this.#mailbox.pushMessage(received.sender.name, { type: "message", received }, received.bytes);
  }

  /** What else the sender of a dishonest message has sent is not looked at. */
  #blame(sender: MessageSender): void {
    sender.reject();
    this.#refused.refuse(sender.publicKey);
    if (sender.publicKey !== null) this.#mailbox.dropMessages(sender.name);
  }

  #restore(): void {
    const { application, storage, signer, hasNewKey } = this.#dependencies;
    const tip = application.tip();
    const { log, payloads } = openWriteAheadLog(storage.openLog());
    this.#writeAheadLog = log;
    const records = payloads.map(decodeLogRecord).filter((record) => inputHeight(record.input) === tip.height + 1);
    if (signer !== null) this.#right.restore({ signer, file: storage.openGuard(), hasNewKey: hasNewKey === true }, tip, records);
    this.#driver = this.#createDriver(log);
    this.#driver.start(records);
    this.#right.begin((record) => this.#driver?.explains(record) === true);
    this.#dependencies.log.info({ ...this.status(), restored: records.length }, "consensus engine started");
  }

  #createDriver(log: WriteAheadLog): ConsensusDriver {
    const { application, clock, network, onEvidence } = this.#dependencies;
    const { chainId, timeouts } = this.#options;
    return new ConsensusDriver(
      {
        chainId,
        pace: this.#options,
        application,
        clock,
        log,
        voting: this.#right.voting,
        timeouts: this.#timeouts,
        budget: new BlockBudget(timeouts.proposeMs, () => this.#options.maxBlockBytes),
        ownIndexAt: (height): number | null => this.#ownIndexAt(height),
        isAbstaining: (): boolean => this.#isSilent,
        isRefused: (publicKey): boolean => this.#refused.isRefused(publicKey),
        whenPrepared: (preparation, height, blockHash): void => {
          preparation.then(
            () => this.#mailbox.push({ type: "prepared", height, blockHash }),
            (error: unknown) => this.#phase === "running" && this.#fail(error),
          );
        },
        whenSigned: (answer, request): void => {
          void answer.then((signature) => this.#mailbox.push({ type: "signed", request, signature }));
        },
        whenStored: (storing, stored): void => this.#whenStored(storing, stored),
        lastCommit: (height): Commit | null => this.#reception.commitOf(height),
        broadcast: (message): void => network.broadcast(message),
        onCommitted: (decided): void => this.#committed(decided),
        onEvidence: (evidence): void => onEvidence(evidence),
        warn: (details, message): void => this.#dependencies.log.warn(details, message),
      },
      initialState(timeouts),
    );
  }

  #ownIndexAt(height: Height): number | null {
    const tip = this.#dependencies.application.tip();
    return this.#right.ownIndexAt(height, tip, () => this.#sawFirstHeight(tip));
  }

  /** True when a new network decided its first block while this node was there: others voted on it meanwhile. */
  #sawFirstHeight({ height }: ChainTip): boolean {
    const state = this.#driver?.state;
    if (!this.#right.isNewNetwork || height !== 1 || state?.height !== 1) return false;
    return isMoreThanThird(votersOf(state).size, state.validatorCount);
  }

  #handle(item: Item): void {
    const driver = this.#driver;
    if (driver === null || this.#phase !== "running") return;
    this.#noticeSleep();
    switch (item.type) {
      case "message":
        this.#receive(driver, item.received);
        return;
      case "timeout":
        driver.dispatch({ type: "timeoutElapsed", timeout: item.timeout }, null);
        return;
      case "prepared":
        driver.prepared(item.height, item.blockHash);
        return;
      case "batch":
        this.#follow(driver, item.batch);
        return;
      case "signed":
        driver.signed(item.request, item.signature);
        return;
      case "resume":
        if (!this.#isSilent) driver.resume();
        return;
      case "wake":
        if (!driver.wantsWork) return;
        if (this.#hasWork()) driver.work();
        else this.#awaitWork();
        return;
      default:
        assertNever(item);
    }
  }

  // The network continued without this node: what its timers and its picture of the height say is old. Votes wait until that is clear.
  #noticeSleep(): void {
    const jumpMs = this.#sleep.jumpMs();
    const { onAwake, log } = this.#dependencies;
    if (jumpMs === 0) return;
    log.warn({ jump_ms: jumpMs }, "The clock jumped: the machine slept, or its time was set");
    if (onAwake === undefined) return;
    this.#isAbstaining = true;
    onAwake(jumpMs);
  }

  #receive(driver: ConsensusDriver, received: ReceivedMessage): void {
    const record = this.#reception.receive(received, driver.state);
    if (record === undefined) return;
    if (record.input.type === "commit") this.#noticeForgotten(record.input.commit);
    driver.dispatch(record.input, record.block);
  }

  #follow(driver: ConsensusDriver, batch: readonly DecidedBlock[]): void {
    this.#batches.take(batch);
    const proven = this.#provenPart(batch, driver.state.height);
    if (typeof proven === "string") this.#batches.end(batch, proven);
    else driver.follow(proven, () => this.#batches.end(batch, "committed"));
  }

  /** The blocks of a batch from a height on that their commits prove, or what became of a batch without any. */
  #provenPart(batch: readonly DecidedBlock[], height: Height): readonly DecidedBlock[] | FollowOutcome {
    const fresh = batch.filter(({ commit }) => commit.height >= height);
    const [first] = fresh;
    if (first === undefined) return "known";
    if (first.commit.height > height) return "ahead";
    const sets = this.#dependencies.application.executeSpeculatively(fresh);
    const proven = fresh.slice(0, sets.length);
    for (const [index, { block, commit }] of proven.entries()) {
      this.#noticeForgotten(commit, sets[index]);
      if (block.lastCommit !== null && index > 0) this.#noticeForgotten(block.lastCommit, sets[index - 1]);
    }
    return proven.length === 0 ? "invalid" : proven;
  }

  /** Everything waits until the blocks are durable: the mailbox holds what comes, and transactions are taken in meanwhile. */
  #whenStored(storing: Promise<void>, stored: () => void): void {
    this.#mailbox.hold();
    this.#batches.executeSoon();
    storing
      .then(() => {
        if (this.#phase !== "running") return;
        stored();
        if (this.#stopsForVersion()) return;
        if (this.#driver?.isStoring !== true) this.#mailbox.release();
      })
      .catch((error: unknown) => this.#phase === "running" && this.#fail(error));
  }

  /** Stops where the next height has rules that this program lacks: all below is durable, and another program continues from there. */
  #stopsForVersion(): boolean {
    const { application, log } = this.#dependencies;
    const version = application.missingVersion?.();
    if (version === undefined) return false;
    const height = application.tip().height + 1;
    log.warn({ height, version }, missingVersionWords(version, height));
    this.stop();
    return true;
  }

  #noticeForgotten(commit: Commit, validators: ValidatorSet = this.#dependencies.application.tip().nextValidators): void {
    this.#right.noticeForgotten(commit, validators);
  }

  #hasWork(): boolean {
    const { application, clock } = this.#dependencies;
    return !this.#isSilent && application.hasWork(clock.nowMs());
  }

  #committed(decided: DecidedBlock): void {
    this.#pacemaker.committed(decided.block.header.timeMs);
    for (const received of this.#reception.committed(decided)) this.#queue(received);
    for (const listener of this.#listeners) listener(decided);
    if (this.#hasWork()) this.notifyWork();
    else this.#awaitWork();
  }

  /** Wakes again when what waits for its time may be in a block. */
  #awaitWork(): void {
    const { application, clock } = this.#dependencies;
    const waitMs = application.waitMs(clock.nowMs());
    if (waitMs !== null) this.#pacemaker.requestWork(waitMs);
  }

  #fail(error: unknown): void {
    this.#phase = "failed";
    this.#release();
    this.#dependencies.onFatal(error);
  }

  #release(): void {
    this.#mailbox.close();
    this.#right.close();
    this.#batches.endAll("stopped");
    this.#pacemaker.stop();
    this.#timeouts.cancelAll();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#writeAheadLog?.close();
    this.#writeAheadLog = null;
  }
}
