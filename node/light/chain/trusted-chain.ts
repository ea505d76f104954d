// The chain as a light node knows it: from genesis, a checkpoint or the store, forward by signatures, backward by hashes. What peers
// offer is verified one at a time; a second peer confirms it. On a fork, and when the trusting period is over, it stops and says so.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { ForkEvidence, LightDatabase } from "#node/storage/light-database.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import { type Checkpoint, formatCheckpoint } from "#shared/protocol/chain/checkpoint.ts";
import { type Height, headerHash } from "#shared/protocol/chain/header.ts";
import type { LightBlock, TrustedBlock } from "#shared/protocol/chain/light-block.ts";
import { isExpired } from "#shared/protocol/light/verify-light-block.ts";
import { Deadline } from "../deadline.ts";
import type { OfferedBlock } from "../light-peers.ts";
import { LIGHT_MESSAGES, type LightStatus } from "../light-status.ts";
import { AwaitedCheckpoint } from "./awaited-checkpoint.ts";
import { BlockFinder, type BlockFinderDependencies } from "./block-finder.ts";
import { type HeaderOutcome, HeaderQueue } from "./header-queue.ts";
import { HeightClaims, STALL_MS } from "./height-claims.ts";
import { VerifiedBlocks } from "./verified-blocks.ts";
import { type SkippingResult, verifySkipping } from "./verify-skipping.ts";
import { Witnesses } from "./witnesses.ts";

export interface TrustedChainDependencies extends Pick<BlockFinderDependencies, "peers" | "rules" | "clock" | "timers"> {
  readonly genesis: TrustedBlock;
  readonly store: Pick<LightDatabase, "tip" | "at" | "below" | "above" | "insert" | "resolveForks" | "fork" | "recordFork">;
  /** Where to begin, or to continue after a fork or a long pause. */
  readonly checkpoint?: Checkpoint;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  /** Called with the fork that stops this chain, also with one of an earlier run. */
  readonly onFork?: (fork: Pick<ForkEvidence, "first" | "second">) => void;
}

/** Time for all requests that one proposed header leads to, ms; a peer that needs longer pays for it. */
export const SKIPPING_TIMEOUT_MS = 30_000;
/** The verified chain of a light node. */
export class TrustedChain {
  readonly #dependencies: TrustedChainDependencies;
  readonly #blocks: VerifiedBlocks;
  readonly #claims: HeightClaims;
  readonly #witnesses: Witnesses;
  readonly #finder: BlockFinder;
  readonly #listeners = new Set<(tip: TrustedBlock) => void>();
  readonly #stopping = new AbortController();
  readonly #proposed: HeaderQueue;
  readonly #startedMs: number;
  #tip: TrustedBlock;
  /** The checkpoint whose block is still to be fetched. */
  #awaited: AwaitedCheckpoint | undefined;
  /** The checkpoint below the tip that is still to be compared with the chain. */
  #uncompared: Checkpoint | undefined;
  /** Why the chain has stopped for good. */
  #forkReason: string | undefined;
  #isClockWrong = false;
  /** Why nothing above the tip can be verified by this program. */
  #missingReason: string | undefined;

  /** @throws CodedError of the storage */
  constructor(dependencies: TrustedChainDependencies) {
    const { genesis, store, peers, rules, clock, timers } = dependencies;
    this.#dependencies = dependencies;
    this.#blocks = new VerifiedBlocks(genesis, store);
    this.#claims = new HeightClaims(clock);
    this.#startedMs = clock.monotonicMs();
    this.#tip = store.tip() ?? genesis;
    const { signal } = this.#stopping;
    this.#finder = new BlockFinder({
      blocks: this.#blocks,
      peers,
      rules,
      clock,
      timers,
      signal,
      onContradiction: (trusted, other, reason): void => this.#onFork(trusted, other, reason),
    });
    this.#witnesses = new Witnesses({
      peers,
      timers,
      signal,
      hash: rules.hash,
      examine: (block, other, witness): Promise<boolean> => this.#examine(block, other, witness),
      onError: (error): void => dependencies.log.error({ err: error }, "A witness could not be reached"),
    });
    this.#proposed = new HeaderQueue({
      verify: (block, peer): Promise<HeaderOutcome> => this.#verify(block, peer).catch((error: unknown) => this.#onError(error)),
      afterAll: (): void => void this.#compareCheckpoint(),
    });
    this.#begin();
  }

  /** The newest verified block. */
  tip(): TrustedBlock {
    return this.#tip;
  }

  /** Calls back after each change of the tip; returns the way to stop that. */
  onTip(listener: (tip: TrustedBlock) => void): () => void {
    this.#listeners.add(listener);
    return (): void => void this.#listeners.delete(listener);
  }

  /** Verifies a block that a peer offers, with the help of other blocks of that peer, and follows it when it is higher. */
  accept(block: LightBlock, peer: PeerName): Promise<HeaderOutcome> {
    return this.#proposed.push(block, headerHash(block.header, this.#dependencies.rules.hash), peer);
  }

  /**
   * The verified block of a height; undefined above the tip.
   * @throws CodedError UPSTREAM_FAILED when no peer proves it, UNAVAILABLE when it is out of reach, the chain is forked, or it is above
   * the tip of a chain that does not continue
   */
  async blockAt(height: Height, offered?: OfferedBlock): Promise<TrustedBlock | undefined> {
    if (!Number.isSafeInteger(height) || height < 0) return undefined;
    const isAbove = height > this.#tip.header.height;
    const reason = this.#forkReason ?? (isAbove ? this.#blockedReason() : undefined);
    if (reason !== undefined && height > 0) throw new CodedError("UNAVAILABLE", reason);
    if (isAbove) return undefined;
    return height === this.#tip.header.height ? this.#tip : await this.#finder.find(height, offered);
  }

  /** How far this node is. */
  status(): LightStatus {
    const { peers } = this.#dependencies;
    const height = this.#tip.header.height;
    const connected = peers.peers();
    const { target, isBehind, isUnproven } = this.#claims.compare(connected, height);
    const base = { height, targetHeight: Math.max(target, this.#awaited?.height ?? 0), witnessedHeight: this.#witnesses.height };
    if (this.#forkReason !== undefined) return { ...base, state: "forked", reason: this.#forkReason };
    const blockedReason = this.#blockedReason();
    if (blockedReason !== undefined) return { ...base, state: this.#blockedState(), reason: blockedReason };
    if (connected.length === 0) return { ...base, state: this.#isNew() ? "syncing" : "stalled", reason: LIGHT_MESSAGES.noPeers };
    if (this.#isClockWrong) return { ...base, state: "stalled", reason: LIGHT_MESSAGES.clock };
    if (isUnproven) return { ...base, state: "stalled", reason: LIGHT_MESSAGES.noProof };
    const state = isBehind ? "syncing" : "live";
    return connected.length === 1 ? { ...base, state, reason: LIGHT_MESSAGES.noWitness } : { ...base, state };
  }

  /** Ends all requests; nothing is followed afterwards. */
  stop(): void {
    this.#stopping.abort();
    this.#witnesses.stop();
    this.#proposed.close();
  }

  /** Sees what the store and the checkpoint say to each other. */
  #begin(): void {
    const { store, checkpoint, genesis, log } = this.#dependencies;
    const fork = store.fork();
    const isNewer = checkpoint !== undefined && checkpoint.height > this.#tip.header.height;
    if (fork !== undefined && !resolves(checkpoint, fork)) {
      this.#forkReason = describeFork(fork);
      this.#dependencies.onFork?.(fork);
    } else if (checkpoint !== undefined && (isNewer || fork !== undefined)) {
      // After a fork, what was verified on either side counts no more.
      if (fork !== undefined) this.#tip = genesis;
      this.#awaited = this.#await(checkpoint);
    } else this.#uncompared = checkpoint;
    log.info({ height: this.#tip.header.height }, "Verified headers so far");
  }

  #blockedState(): LightStatus["state"] {
    if (this.#missingReason !== undefined) return "stalled";
    if (this.#awaited === undefined || this.#awaited.problem?.isFinal === true) return "expired";
    return this.#isNew() && this.#awaited.problem === undefined ? "syncing" : "stalled";
  }

  /** Why nothing above the tip can be verified, beside a fork. */
  #blockedReason(): string | undefined {
    const { peers, clock, rules } = this.#dependencies;
    if (this.#missingReason !== undefined) return this.#missingReason;
    if (this.#awaited !== undefined) {
      const reason = peers.peers().length === 0 ? LIGHT_MESSAGES.noPeers : LIGHT_MESSAGES.noCheckpointBlock;
      return this.#awaited.problem?.reason ?? reason;
    }
    const { header } = this.#tip;
    return isExpired(header, clock.nowMs(), rules) ? LIGHT_MESSAGES.expired(header.height, rules.trustingPeriodMs) : undefined;
  }

  #isNew(): boolean {
    return this.#dependencies.clock.monotonicMs() - this.#startedMs < STALL_MS;
  }

  /** Holds a checkpoint that is already behind against the chain, once a peer serves its block. */
  async #compareCheckpoint(): Promise<void> {
    const checkpoint = this.#uncompared;
    if (checkpoint === undefined || this.#forkReason !== undefined || this.#stopping.signal.aborted) return;
    this.#uncompared = undefined;
    try {
      const block = await this.#finder.find(checkpoint.height);
      if (block.hash === checkpoint.hash) return;
      this.#forkReason = LIGHT_MESSAGES.otherThanCheckpoint(checkpoint.height);
      this.#dependencies.log.error({ height: checkpoint.height, hash: block.hash }, this.#forkReason);
    } catch (error) {
      if (isCodedError(error, "UPSTREAM_FAILED")) this.#uncompared = checkpoint;
      else this.#onError(error);
    }
  }

  #onError(error: unknown): HeaderOutcome {
    if (!this.#stopping.signal.aborted) this.#dependencies.log.error({ err: error }, "A block announced by a peer could not be validated");
    return this.#stopping.signal.aborted ? "stopped" : "unproven";
  }

  async #verify(proposed: LightBlock, peer: PeerName): Promise<HeaderOutcome> {
    if (this.#forkReason === undefined && this.#awaited !== undefined) await this.#beginWith(this.#awaited, peer);
    if (this.#stopping.signal.aborted) return "stopped";
    if (this.#forkReason !== undefined) return "forked";
    if (this.#awaited !== undefined) return this.#awaited.problem?.isFinal === true ? "expired" : "waiting";
    if (proposed.header.height <= this.#tip.header.height) return await this.#compare(proposed, peer);
    if (this.#missingReason !== undefined) return "waiting";
    const passed: TrustedBlock[] = [];
    const result = await this.#verifySkipping(this.#tip, proposed, peer, (block) => passed.push(block));
    if (this.#stopping.signal.aborted) return "stopped";
    // Also what a walk reached that did not come to its end is verified.
    if (passed.length > 0) await this.#moveTo(result.reached, peer, passed);
    if (this.#stopping.signal.aborted) return "stopped";
    return this.#forkReason === undefined ? this.#conclude(result, peer) : "forked";
  }

  async #verifySkipping(
    start: TrustedBlock,
    goal: LightBlock,
    peer: PeerName,
    onVerified: (block: TrustedBlock) => void,
  ): Promise<SkippingResult> {
    const { peers, rules, clock, timers } = this.#dependencies;
    const deadline = new Deadline(timers, SKIPPING_TIMEOUT_MS, this.#stopping.signal);
    const ask = (height: Height): Promise<LightBlock | undefined> => deadline.within((signal) => peers.lightBlock(peer, height, signal));
    const result = await verifySkipping(start, goal, { rules, nowMs: clock.nowMs(), ask, onVerified });
    deadline.end();
    if (deadline.isPassed) peers.report(peer, "unresponsive");
    return result;
  }

  #conclude({ reached, end }: SkippingResult, peer: PeerName): HeaderOutcome {
    this.#isClockWrong = end.outcome === "early";
    switch (end.outcome) {
      case "verified":
        this.#dependencies.peers.noteProven(peer);
        return "advanced";
      case "contradiction":
        this.#onFork(reached, end.block, end.reason);
        return "forked";
      case "invalid":
        this.#dependencies.log.warn({ peer, reason: end.reason }, "A peer announced a block that does not verify");
        this.#dependencies.peers.report(peer, "invalid");
        this.#claims.disbelieve(peer);
        return "invalid";
      case "missingVersion":
        this.#missingReason = LIGHT_MESSAGES.missingVersion(end.version, end.height);
        this.#dependencies.log.warn({ version: end.version, height: end.height }, this.#missingReason);
        return "waiting";
      case "unproven":
        this.#claims.disbelieve(peer);
        return "unproven";
      default:
        return end.outcome;
    }
  }

  /** Follows a verified block once another peer has been asked for its opinion, unless that shows a fork. */
  async #moveTo(block: TrustedBlock, source: PeerName, passed: readonly TrustedBlock[]): Promise<void> {
    const response = await this.#witnesses.ask(block, source);
    if (this.#forkReason !== undefined || this.#stopping.signal.aborted) return;
    this.#dependencies.store.insert(block);
    for (const verified of passed) this.#blocks.remember(verified);
    if (response === "absent") this.#witnesses.askLater(block, source);
    this.#setTip(block);
  }

  #setTip(block: TrustedBlock): void {
    this.#tip = block;
    for (const listener of this.#listeners) listener(block);
  }

  /** An offer at a height that has been passed: it confirms what is known, or contradicts it. */
  async #compare(proposed: LightBlock, peer: PeerName): Promise<HeaderOutcome> {
    const known = this.#blocks.at(proposed.header.height);
    if (known === undefined) return "known";
    const hash = headerHash(proposed.header, this.#dependencies.rules.hash);
    if (hash === known.hash) {
      this.#dependencies.peers.noteProven(peer);
      this.#witnesses.onProposed(known.header.height, hash, peer);
      return "known";
    }
    return (await this.#examine(known, proposed, peer)) ? "forked" : "invalid";
  }

  /** Looks at another block of the height of a verified one. @returns true when validators signed both: a fork */
  async #examine(known: TrustedBlock, other: LightBlock, peer: PeerName): Promise<boolean> {
    const { height } = known.header;
    if (height === 0 || other.header.height !== height) {
      this.#dependencies.peers.report(peer, "malformed");
      return false;
    }
    const { reached, end } = await this.#verifySkipping(this.#blocks.below(height), other, peer, () => undefined);
    if (this.#stopping.signal.aborted) return false;
    if (end.outcome === "verified") this.#onFork(known, end.block, "two blocks of one height");
    if (end.outcome === "contradiction") this.#onFork(reached, end.block, end.reason);
    if (end.outcome === "invalid") {
      this.#dependencies.log.warn({ peer, height, reason: end.reason }, "A peer has another block that does not verify");
      this.#dependencies.peers.report(peer, "invalid");
      this.#claims.disbelieve(peer);
    }
    return this.#forkReason !== undefined;
  }

  #onFork(first: TrustedBlock, second: TrustedBlock, reason: string): void {
    if (this.#forkReason !== undefined) return;
    const { store, checkpoint, clock, log } = this.#dependencies;
    const inForce = checkpoint === undefined ? "" : formatCheckpoint(checkpoint);
    const fork: ForkEvidence = { first, second, reason, checkpoint: inForce, seenAtMs: clock.nowMs() };
    this.#forkReason = describeFork(fork);
    this.#witnesses.stop();
    log.error({ first: first.hash, second: second.hash, height: second.header.height, reason }, this.#forkReason);
    try {
      store.recordFork(fork);
    } catch (error) {
      log.error({ err: error }, "The two blocks of the fork could not be stored");
    }
    this.#dependencies.onFork?.(fork);
  }

  /** Begins with the block of the checkpoint, when the peer has it. */
  async #beginWith(awaited: AwaitedCheckpoint, peer: PeerName): Promise<void> {
    const block = await awaited.fetch(peer);
    if (block === undefined || this.#stopping.signal.aborted) return;
    const { store } = this.#dependencies;
    if (store.fork() === undefined) store.insert(block);
    else store.resolveForks(block);
    this.#blocks.forget();
    this.#awaited = undefined;
    this.#setTip(block);
  }

  #await(checkpoint: Checkpoint): AwaitedCheckpoint {
    const { peers, rules, clock, timers } = this.#dependencies;
    return new AwaitedCheckpoint({ checkpoint, peers, rules, clock, timers, signal: this.#stopping.signal });
  }
}

/** A checkpoint settles a fork below it when it was given after the fork was found. */
function resolves(checkpoint: Checkpoint | undefined, fork: ForkEvidence): boolean {
  if (checkpoint === undefined || formatCheckpoint(checkpoint) === fork.checkpoint) return false;
  return checkpoint.height >= Math.max(fork.first.header.height, fork.second.header.height);
}

function describeFork({ first, second, reason }: Pick<ForkEvidence, "first" | "second" | "reason">): string {
  return LIGHT_MESSAGES.forked(Math.max(first.header.height, second.header.height), reason);
}
