// Runs the pure core: feeds it inputs and executes its effects strictly in order. What may leave the machine (messages, a
// committed block) waits for one flush of log and sign guard, so a batch costs one sync of each, however much was signed in it.
//
// Why that is safe: signatures are given at most once a position in memory; nothing is sent or committed before both files
// are durable; the log goes first, so the guard is never ahead of what a restart can restore. A crash before the flush
// forgets signatures that no other node saw. With one validator a whole height (proposal, prevote, precommit) is one batch.
import type { ConsensusEffect, Evidence, OutgoingMessage, UnsignedMessage } from "#node/consensus/effects.ts";
import type { ConsensusInput, LoggedInput } from "#node/consensus/inputs.ts";
import type { ConsensusState } from "#node/consensus/state.ts";
import { step } from "#node/consensus/step.ts";
import { CodedError } from "#shared/errors/coded-error.ts";
import type { Block } from "#shared/protocol/chain/block.ts";
import type { HashHex, Height } from "#shared/protocol/chain/header.ts";
import { proposerOf } from "#shared/protocol/chain/proposers.ts";
import type { Commit } from "#shared/protocol/chain/vote.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { encodeTransaction } from "#shared/protocol/transactions/transaction-encoding.ts";
import { assertNever } from "#shared/util/assert.ts";
import type { Clock } from "#shared/util/clock.ts";
import type { ConsensusMessage } from "../consensus-network.ts";
import type { BlockApplication } from "../execution/block-application.ts";
import { CandidateStore } from "../execution/candidate-store.ts";
import type { DecidedBlock } from "../execution/decided-block.ts";
import type { BlockBudget } from "../inbound/block-budget.ts";
import { encodeLogRecord, type LogRecord } from "../log/log-record.ts";
import { isCompletedBy, isObsolete, ownSignature } from "../log/replay.ts";
import type { SignedRecord } from "../log/sign-guard.ts";
import type { WriteAheadLog } from "../log/write-ahead-log.ts";
import type { Pace } from "./pacemaker.ts";
import type { VotingKey } from "./right/remote-signer.ts";
import { requestFor, type SigningRequest, SigningRequests, signedInput } from "./right/signing-requests.ts";
import type { TimeoutSchedule } from "./timeout-schedule.ts";

export interface DriverDependencies {
  readonly chainId: string;
  readonly pace: Pick<Pace, "heartbeatMs">;
  readonly application: BlockApplication;
  readonly clock: Clock;
  readonly log: WriteAheadLog;
  readonly voting: VotingKey | null;
  readonly timeouts: TimeoutSchedule;
  readonly budget: BlockBudget;
  /** Own position at a height, null when this node does not vote at it. */
  ownIndexAt(height: Height): number | null;
  /** True while nothing is to be signed, because this node is behind. */
  isAbstaining(): boolean;
  /** True for a validator whose messages are refused at present. */
  isRefused(publicKey: PublicKeyHex): boolean;
  /** Calls {@link ConsensusDriver.prepared} once the preparation of a block has ended. */
  whenPrepared(preparation: Promise<void>, height: Height, blockHash: HashHex): void;
  /** Calls {@link ConsensusDriver.signed} once the signer has answered. */
  whenSigned(answer: Promise<Uint8Array | undefined>, request: SigningRequest): void;
  /** Calls back once what was decided is durable, and calls nothing of the driver until then but `flush`. */
  whenStored(storing: Promise<void>, stored: () => void): void;
  /** The commit of the tip with the precommits that came later; null for the stored one. */
  lastCommit(height: Height): Commit | null;
  broadcast(message: ConsensusMessage): void;
  onCommitted(decided: DecidedBlock): void;
  onEvidence(evidence: Evidence): void;
  warn(details: object, message: string): void;
}

interface QueuedInput {
  readonly input: ConsensusInput;
  readonly block: Block | null;
}

/** Owns the state of the core. Every call runs to completion. */
export class ConsensusDriver {
  readonly #dependencies: DriverDependencies;
  readonly #candidates = new CandidateStore();
  /** Blocks of the height whose preparation has begun. */
  readonly #prepared = new Set<HashHex>();
  #state: ConsensusState;
  #queue: QueuedInput[] = [];
  #outbox: OutgoingMessage[] = [];
  /** What was not signed at this height because this node abstained. */
  #withheld: UnsignedMessage[] = [];
  readonly #requests: SigningRequests | null;
  #waitsForWork = false;
  #isStoring = false;

  constructor(dependencies: DriverDependencies, state: ConsensusState) {
    this.#dependencies = dependencies;
    this.#state = state;
    const remote = dependencies.voting?.remote ?? null;
    this.#requests = remote === null ? null : new SigningRequests(remote, (request, answer) => dependencies.whenSigned(answer, request));
  }

  /** State of the core. */
  get state(): ConsensusState {
    return this.#state;
  }

  /** True while decided blocks are made durable: nothing is to be handed in. */
  get isStoring(): boolean {
    return this.#isStoring;
  }

  /** True when work would let this node act: height or round wait for it, or it is the proposer and had nothing to propose. */
  get wantsWork(): boolean {
    return this.#state.step === "idle" || this.#state.isIdleRound || (this.#waitsForWork && this.#state.isBuilding);
  }

  /** Starts the height after the tip and restores what the log holds of it. Only the sign guard decides what is signed again. */
  start(records: readonly LogRecord[]): void {
    this.#startHeight();
    const open: ConsensusEffect[] = [];
    for (const record of records) open.push(...this.#replay(record, open));
    // Timeouts first: what another effect schedules now must not be cancelled by a round of the log that is over.
    for (const effect of [...open.filter(isAboutTimeouts), ...open.filter((effect) => !isAboutTimeouts(effect))]) {
      if (isObsolete(effect, this.#state)) continue;
      this.#execute(effect, null);
      this.#drain();
    }
    this.flush();
  }

  /** Feeds an input, with the block that came with it. */
  dispatch(input: ConsensusInput, block: Block | null): void {
    this.#queue.push({ input, block });
    this.#drain();
  }

  /** There is work: starts the idle height, ends an idle round, and builds the proposal that is waited for. */
  work(): void {
    const { step: current, isIdleRound, height } = this.#state;
    if (current === "idle" || isIdleRound) this.dispatch({ type: "workAvailable", height }, null);
    if (!this.#waitsForWork || !this.#state.isBuilding) return;
    this.#build(height, this.#state.round);
    this.#drain();
  }

  /** This node abstains no longer: signs what the round still waits for, which nothing else would bring about again. */
  resume(): void {
    const withheld = this.#withheld;
    this.#withheld = [];
    for (const message of withheld) if (!isObsolete({ type: "sign", message }, this.#state)) this.#sign(message);
    this.#drain();
  }

  /** The signer has answered a request, or has not: then it is asked again once it is there. What comes too late is dropped. */
  signed({ message, position, signBytes }: SigningRequest, signature: Uint8Array | undefined): void {
    if (position.height !== this.#state.height || isObsolete({ type: "sign", message }, this.#state)) return;
    if (signature === undefined) {
      this.#withheld.push(message);
      return;
    }
    this.#dependencies.voting?.guard.adopt({ position, signBytes, signature });
    this.#queue.push({ input: signedInput(message, signature), block: null });
    this.#drain();
  }

  /** True for a signature that this node asked its signer for at this height. */
  explains(record: SignedRecord): boolean {
    return this.#requests?.explains(record) === true;
  }

  /** A block is prepared: executes it, unless its height is over. */
  prepared(height: Height, blockHash: HashHex): void {
    if (height !== this.#state.height || this.#state.step === "decided") return;
    this.#execute({ type: "validateBlock", height, blockHash }, null);
    this.#drain();
  }

  /**
   * Takes in the next blocks, which others have decided, and calls back once they are durable. What this node has signed at the height
   * stays in the sign guard, and its log records end with the height.
   */
  follow(batch: readonly DecidedBlock[], followed: () => void): void {
    this.#dependencies.timeouts.cancelAll();
    this.flush();
    this.#apply(batch, followed);
  }

  /** Makes durable what was promised, then lets messages out and starts timeouts. */
  flush(): void {
    this.#dependencies.log.flush();
    this.#dependencies.voting?.guard.flush();
    const outgoing = this.#outbox;
    this.#outbox = [];
    for (const message of outgoing) this.#dependencies.broadcast(this.#withBlock(message));
    this.#requests?.flush();
    this.#dependencies.timeouts.arm();
  }

  #replay({ input, block }: LogRecord, open: ConsensusEffect[]): readonly ConsensusEffect[] {
    const result = step(this.#state, input);
    this.#state = result.state;
    for (const effect of result.effects)
      if (effect.type === "sign") this.#requests?.note(requestFor(this.#dependencies.chainId, effect.message));
    const hash = blockHashOf(input);
    if (block !== null && hash !== undefined) this.#candidates.add(hash, block);
    const own = ownSignature(input, this.#state.ownIndex, this.#dependencies.chainId);
    if (own !== undefined) this.#dependencies.voting?.guard.adopt(own);
    const completed = open.filter((effect) => isCompletedBy(effect, input));
    for (const effect of completed) open.splice(open.indexOf(effect), 1);
    // What was sent will be sent again by the rebroadcast timeout, what was logged is logged.
    return result.effects.filter((effect) => effect.type !== "persist" && effect.type !== "broadcast");
  }

  #drain(): void {
    while (!this.#isStoring) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      const { state, effects } = step(this.#state, next.input);
      this.#state = state;
      for (const effect of effects) this.#execute(effect, next.block);
    }
  }

  #execute(effect: ConsensusEffect, block: Block | null): void {
    switch (effect.type) {
      case "persist":
        this.#persist(effect.input, block, effect.isSync);
        return;
      case "sign":
        this.#sign(effect.message);
        return;
      case "broadcast":
        this.#outbox.push(effect.message);
        return;
      case "scheduleTimeout":
        this.#schedule(effect);
        return;
      case "cancelTimeouts":
        this.#dependencies.timeouts.cancelAll();
        return;
      case "buildBlock":
        this.#build(effect.height, effect.round);
        return;
      case "awaitWork":
        if (this.#hasWork()) this.#queue.push({ input: { type: "workAvailable", height: effect.height }, block: null });
        return;
      case "validateBlock":
        this.#validate(effect.height, effect.blockHash);
        return;
      case "decide":
        this.#commit(effect.blockHash, effect.commit);
        return;
      case "reportEvidence":
        this.#dependencies.onEvidence(effect.evidence);
        return;
      case "halt":
        throw new CodedError("INVARIANT", effect.reason);
      default:
        assertNever(effect);
    }
  }

  /** Nothing is waited for in the round of a proposer that is refused: its block would not come, and a round without one decides nothing. */
  #schedule({ timeout, durationMs }: Extract<ConsensusEffect, { type: "scheduleTimeout" }>): void {
    const { application, timeouts, isRefused } = this.#dependencies;
    const proposer = application.tip().nextValidators[proposerOf(this.#state.proposers, timeout.round)]?.publicKey;
    const isVain = (timeout.kind === "propose" || timeout.kind === "precommit") && proposer !== undefined && isRefused(proposer);
    timeouts.schedule({ timeout, durationMs: isVain ? 0 : durationMs });
  }

  #persist(input: LoggedInput, block: Block | null, isSync: boolean): void {
    const hash = blockHashOf(input);
    const isNewBlock = block !== null && hash !== undefined && this.#candidates.add(hash, block);
    this.#dependencies.log.append(encodeLogRecord({ input, block: isNewBlock ? block : null }), isSync);
  }

  #sign(message: UnsignedMessage): void {
    const { chainId, voting } = this.#dependencies;
    if (voting === null) return;
    const request = requestFor(chainId, message);
    this.#requests?.note(request);
    if (this.#dependencies.isAbstaining()) {
      this.#withheld.push(message);
      return;
    }
    const { position, signBytes } = request;
    const signature = this.#requests === null ? voting.guard.sign(position, signBytes) : voting.guard.given(position, signBytes);
    if (signature === undefined)
      this.#dependencies.warn({ ...position, last: voting.guard.last?.position }, "the sign guard refused a signature");
    else if (signature === "new") this.#requests?.add(request);
    else this.#queue.push({ input: signedInput(message, signature), block: null });
  }

  #build(height: Height, round: number): void {
    const { application, clock, pace, voting, budget } = this.#dependencies;
    const nowMs = clock.nowMs();
    this.#waitsForWork = true;
    if (voting === null) return;
    if (!this.#hasWork()) {
      this.#queue.push({ input: { type: "nothingToPropose", height, round }, block: null });
      return;
    }
    const tip = application.tip();
    const { block, hash } = application.buildBlock({
      timeMs: Math.max(nowMs, tip.timeMs + 1),
      proposer: voting.signer.publicKey,
      ...this.#lastCommit(tip.height),
      maxBytes: budget.bytes,
    });
    const isEmpty = block.transactions.length === 0 && block.evidence.length === 0;
    if (isEmpty && block.header.timeMs < tip.timeMs + pace.heartbeatMs) return;
    this.#waitsForWork = false;
    const bytes = block.transactions.reduce((sum, tx) => sum + encodeTransaction(tx).length, 0);
    budget.proposed({ height, blockHash: hash, bytes, sentMs: clock.monotonicMs() });
    this.#queue.push({ input: { type: "proposalBuilt", height, round, blockHash: hash }, block });
  }

  #lastCommit(height: Height): { readonly lastCommit?: Commit } {
    const lastCommit = this.#dependencies.lastCommit(height);
    return lastCommit === null ? {} : { lastCommit };
  }

  #hasWork(): boolean {
    return !this.#dependencies.isAbstaining() && this.#dependencies.application.hasWork(this.#dependencies.clock.nowMs());
  }

  #validate(height: Height, blockHash: HashHex): void {
    const preparation = this.#prepared.has(blockHash) ? null : this.#dependencies.application.prepareBlock(this.#candidates.get(blockHash));
    this.#prepared.add(blockHash);
    if (preparation !== null) {
      this.#dependencies.whenPrepared(preparation, height, blockHash);
      return;
    }
    const validation = this.#dependencies.application.validateBlock(this.#candidates.get(blockHash));
    if (!validation.isValid) this.#dependencies.warn({ height, blockHash, reason: validation.reason }, "a proposed block is invalid");
    this.#queue.push({ input: { type: "blockValidated", height, blockHash, isValid: validation.isValid }, block: null });
  }

  #commit(hash: HashHex, commit: Commit): void {
    this.flush();
    this.#apply([{ block: this.#candidates.get(hash), commit }]);
  }

  #apply(batch: readonly DecidedBlock[], applied: () => void = (): void => undefined): void {
    this.#isStoring = true;
    this.#dependencies.whenStored(this.#dependencies.application.apply(batch), () => {
      this.#isStoring = false;
      this.#nextHeight(batch);
      applied();
      this.#drain();
      this.flush();
    });
  }

  #nextHeight(batch: readonly DecidedBlock[]): void {
    this.#candidates.clear();
    this.#prepared.clear();
    this.#dependencies.log.endHeight();
    this.#startHeight();
    const { budget, clock, onCommitted } = this.#dependencies;
    for (const decided of batch) {
      budget.decided(decided.commit, clock.monotonicMs());
      onCommitted(decided);
    }
  }

  #startHeight(): void {
    const tip = this.#dependencies.application.tip();
    const height = tip.height + 1;
    const start = {
      type: "startHeight",
      height,
      validatorCount: tip.nextValidators.length,
      ownIndex: this.#dependencies.ownIndexAt(height),
      proposers: tip.proposers,
    } as const;
    this.#waitsForWork = false;
    this.#withheld = [];
    this.#requests?.clear();
    this.#state = step(this.#state, start).state;
  }

  #withBlock(message: OutgoingMessage): ConsensusMessage {
    return message.type === "proposal" ? { ...message, block: this.#candidates.get(message.proposal.blockHash) } : message;
  }
}

function isAboutTimeouts({ type }: ConsensusEffect): boolean {
  return type === "scheduleTimeout" || type === "cancelTimeouts";
}

function blockHashOf(input: LoggedInput): HashHex | undefined {
  if (input.type === "proposal") return input.proposal.blockHash;
  if (input.type === "commit") return input.commit.blockHash;
  return input.type === "proposalBuilt" ? input.blockHash : undefined;
}
