// Fetches the blocks below those that a node began with, the newest first, segment by segment: headers down from the lowest block that is here,
// by parent hashes; then the blocks of a segment upwards, held to their headers. Nothing is executed. Numbers of histories are counted down
// from what is above, so each segment is complete and readable once it is stored, and the next one may wait for peers as long as it takes.
import type { LightRequester } from "#node/light/peers/network-light-peers.ts";
import type { PeerName, PeerNetwork } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { ChainDatabase } from "#node/storage/chain/chain-database.ts";
import type { Retention } from "#node/storage/history/sealing/retention-border.ts";
import type { Wallets } from "#node/storage/snapshots/backfill/stored-wallets.ts";
import { CodedError, isCodedError } from "#shared/errors/coded-error.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { PublicKeyHex } from "#shared/protocol/primitives/address.ts";
import { assertInvariant } from "#shared/util/assert.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { BACKFILL_LIMITS } from "./backfill-limits.ts";
import { BackfillPace } from "./backfill-pace.ts";
import { BackfillPeers } from "./backfill-peers.ts";
import { type BackfillGoal, BackfillProgress, type ProgressView } from "./backfill-progress.ts";
import type { BackfillThread } from "./backfill-thread.ts";
import type { SegmentGoal } from "./backfill-work.ts";
import { bytesOf, type LinkedHeader, linkedHeaders } from "./filled-block.ts";
import { provenSets } from "./proven-sets.ts";
import { provenWallet } from "./proven-wallets.ts";
import { batchOf, nextSegmentBlocks, type PlannedSegment, planSegment } from "./segment-plan.ts";

export interface BackfillDependencies {
  readonly database: Pick<ChainDatabase, "blocks" | "history" | "validatorSets">;
  readonly thread: BackfillThread;
  readonly network: Pick<PeerNetwork, "peers" | "requestBlocks" | "requestSnapshot" | "report">;
  /** Asks within the budgets that reads of old blocks and repairs share. */
  readonly requester: Pick<LightRequester, "ask" | "report" | "lightBlock">;
  /** True while the node has something better to do: it catches up, or too many blocks wait for their files. */
  readonly isBusy: () => boolean;
  /** Runs work on the files of old blocks while no other thread does. */
  readonly exclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /** What is kept; undefined: all. */
  readonly retain: Retention | undefined;
  /** Blocks that what finds old ones may cover in one file. */
  readonly maxRunBlocks: () => number | undefined;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "info" | "warn" | "error">;
}

/** `waiting`: no connected node has the blocks; `paused`: the node has something better to do, or its disk is full. */
export type BackfillState = "running" | "waiting" | "paused" | "done";

/** How far it is. */
export interface BackfillView extends ProgressView {
  readonly state: BackfillState;
  /** Why it does not go on. */
  readonly reason: string | undefined;
}

/** What became of it since the start, for metrics. */
export interface BackfillFigures {
  readonly state: BackfillState;
  /** Bytes that peers have sent. */
  readonly bytes: number;
  /** Segments that were stored, for which peers served too little, or at which the storage or the program failed. */
  readonly segments: Readonly<Record<BackfillOutcome, number>>;
}

/** What becomes of a segment. */
export type BackfillOutcome = "stored" | "unserved" | "failed";

/** Both ends included. */
interface PlannedHeights {
  readonly first: Height;
  readonly last: Height;
}

const DAY_MS = 86_400_000;
const NO_PEERS = "No connected node serves older blocks";
const CATCHING_UP = "The node catches up with its network first";
const INSIDE = "Something is wrong inside the program: the log says what; it is tried again";

/** Fills the blocks of one node. */
export class Backfill {
  readonly #dependencies: BackfillDependencies;
  readonly #peers: BackfillPeers;
  readonly #progress: BackfillProgress;
  readonly #pace: BackfillPace;
  readonly #ending = new AbortController();
  #state: BackfillState = "running";
  #reason: string | undefined;
  #failures = 0;
  readonly #segments: Record<BackfillOutcome, number> = { stored: 0, unserved: 0, failed: 0 };
  /** Blocks of the next segment at most: those of before may have had too many bytes. */
  #segmentBlocks: number = BACKFILL_LIMITS.segmentBlocks;
  /** Segments in a row for which peers served too little. */
  #unserved = 0;
  /** It was said that there is no peer, and no segment has come since. */
  #hasSaidWaiting = false;
  #hasFilled = false;
  /** Files that an earlier run left were removed. */
  #isTidy = false;
  #running: Promise<void> = Promise.resolve();
  /** The work of the thread, which is rested from. */
  readonly #call: BackfillThread["call"] = (method, ...input) => this.#pace.worked(() => this.#dependencies.thread.call(method, ...input));

  constructor(dependencies: BackfillDependencies) {
    this.#dependencies = dependencies;
    this.#peers = new BackfillPeers(dependencies);
    this.#progress = new BackfillProgress(dependencies.clock);
    this.#pace = new BackfillPace(dependencies.clock);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends it; a segment that is not whole is given up. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.#dependencies.thread.stop();
  }

  /** Undefined once there is nothing to do. */
  view(): BackfillView | undefined {
    if (this.#state === "done") return undefined;
    return { state: this.#state, reason: this.#reason, ...this.#progress.view(this.#goal()) };
  }

  /** Of the moment; the sums stay once there is nothing to do. */
  figures(): BackfillFigures {
    return { state: this.#state, bytes: this.#progress.bytes, segments: { ...this.#segments } };
  }

  async #run(): Promise<void> {
    while (!this.#ending.signal.aborted && this.#state !== "done") {
      try {
        await this.#continue();
      } catch (error) {
        if (!this.#ending.signal.aborted) await this.#failed(error);
      }
    }
  }

  /** One segment, a pause, or the end. */
  async #continue(): Promise<void> {
    const { thread, log } = this.#dependencies;
    const plan = this.#plan();
    if (plan === "done") {
      await thread.stop();
      if (this.#hasFilled) log.info({ from_height: this.#first }, "All older blocks that the node keeps are here");
      this.#state = "done";
    } else if (typeof plan === "string") {
      await this.#pause(plan === NO_PEERS ? "waiting" : "paused", plan, BACKFILL_LIMITS.lookMs);
    } else {
      if (!this.#isTidy) await this.#exclusive(() => this.#call("tidy"));
      this.#isTidy = true;
      this.#become("running", undefined);
      await this.#fill(plan);
      [this.#failures, this.#unserved] = [0, 0];
      await this.#rest();
    }
  }

  /** What to fetch next; a text says why nothing now. */
  #plan(): PlannedHeights | "done" | typeof NO_PEERS | typeof CATCHING_UP {
    const { database, isBusy } = this.#dependencies;
    const last = this.#first - 1;
    // Who dropped blocks once counts them in totals: they do not come back.
    if (last < 0 || database.history.droppedTo() !== undefined || !this.#isWanted()) return "done";
    if (isBusy()) return CATCHING_UP;
    const lowest = this.#peers.lowest(last);
    if (lowest === undefined) return NO_PEERS;
    // The header below is needed too, and a peer that dropped blocks may lack it.
    const first = Math.max(lowest === 0 ? 0 : lowest + 1, last - this.#segmentBlocks + 1);
    return first > last ? NO_PEERS : { first, last };
  }

  async #fill({ first, last }: PlannedHeights): Promise<void> {
    const { maxRunBlocks, log } = this.#dependencies;
    const { signal } = this.#ending;
    const headers = await this.#headers(first, last);
    let plan = await this.#prepare(planSegment(headers, first));
    await this.#call("begin", plan);
    for (let next = Math.max(1, plan.first); next <= last; ) {
      const batch = await this.#peers.blocks(next, batchOf(plan.headers, next), signal);
      if (batch === undefined) throw new CodedError("UPSTREAM_FAILED", `No connected node has served block ${next}`);
      const bytes = bytesOf(batch.value);
      this.#progress.received(bytes);
      this.#pace.received(bytes);
      const added = await this.#call("add", batch.value);
      if (added.kind === "false") this.#peers.lied(batch.peer, added.reason);
      else if (added.kind === "added") {
        this.#peers.proved(batch.peer);
        next += batch.value.length;
      } else {
        if (added.kind === "full") this.#segmentBlocks = last - added.from + 1;
        plan = await this.#prepare(planSegment(headers, added.from));
        await this.#call("begin", plan);
        next = plan.first;
      }
      await this.#rest();
    }
    const bytes = await this.#call("finish");
    if (!(await this.#exclusive(() => this.#call("publish", maxRunBlocks())))) return;
    this.#segmentBlocks = nextSegmentBlocks(this.#segmentBlocks, bytes);
    this.#segments.stored += 1;
    this.#progress.mark(this.#goal());
    [this.#hasFilled, this.#hasSaidWaiting] = [true, false];
    log.info({ from_height: plan.first, to_height: last }, "Older blocks were fetched");
  }

  /** While no other thread works on the files; undefined where that took until the end of the node. */
  async #exclusive<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { signal } = this.#ending;
    const { promise: ending, resolve } = Promise.withResolvers<undefined>();
    const end = (): void => resolve(undefined);
    signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([this.#dependencies.exclusive(async () => (signal.aborted ? undefined : await work())), ending]);
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  /** From one below the segment, whose time charts need, up to its last one. */
  async #headers(first: Height, last: Height): Promise<readonly LinkedHeader[]> {
    const { database } = this.#dependencies;
    const above = database.blocks.header(last + 1);
    assertInvariant(above !== undefined, `Block ${last + 1} is the lowest one, and has no header`);
    const from = Math.max(0, first - 1);
    const count = last - from + 1;
    const headers = await this.#peers.headers(
      from,
      count,
      (sent) =>
        (sent.length === count ? linkedHeaders(sent, above.parentHash) : undefined) ?? "its headers do not lead to the lowest block here",
      this.#ending.signal,
    );
    if (headers === undefined)
      throw new CodedError("UPSTREAM_FAILED", `No connected node has served the headers of the blocks ${from} to ${last}`);
    return headers;
  }

  /** Adds who signed the blocks and to whom their rewards went. */
  async #prepare(segment: PlannedSegment): Promise<SegmentGoal> {
    const sets = await provenSets({ ...this.#dependencies, having: (height) => this.#peers.having(height) }, segment, this.#ending.signal);
    return { ...segment, ...sets, wallets: await this.#wallets(segment) };
  }

  async #wallets({ headers }: PlannedSegment): Promise<Wallets> {
    const having = (height: Height): readonly PeerName[] => this.#peers.having(height);
    const thread = { call: this.#call };
    const dependencies = { ...this.#dependencies, thread, having };
    const known = await thread.call("wallets");
    const found: Record<PublicKeyHex, PublicKeyHex> = {};
    for (const { header } of headers.toReversed()) {
      const { proposer, height, txCount } = header;
      if (txCount === 0 || found[proposer] !== undefined) continue;
      found[proposer] =
        known[proposer] ??
        (await thread.call("unchangedWallet", proposer)) ??
        (await provenWallet(dependencies, { proposer, height }, this.#ending.signal));
    }
    return found;
  }

  async #rest(): Promise<void> {
    await this.#sleep(this.#pace.rest());
    while (this.#dependencies.isBusy() && !this.#ending.signal.aborted) await this.#pause("paused", CATCHING_UP, BACKFILL_LIMITS.lookMs);
    this.#ending.signal.throwIfAborted();
    this.#become("running", undefined);
  }

  async #failed(error: unknown): Promise<void> {
    const { thread, log } = this.#dependencies;
    await thread.call("abandon").catch(() => undefined);
    if (isCodedError(error, "UPSTREAM_FAILED", "BUSY")) {
      const unservedMs = Math.min(BACKFILL_LIMITS.lastPauseMs, BACKFILL_LIMITS.lookMs * 2 ** this.#unserved);
      this.#unserved += 1;
      this.#segments.unserved += 1;
      await this.#pause("waiting", error.message, unservedMs);
      return;
    }
    const pauseMs = Math.min(BACKFILL_LIMITS.lastStoragePauseMs, BACKFILL_LIMITS.storagePauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#segments.failed += 1;
    const [words, reason] = isCodedError(error) ? [{ error: error.message }, error.message] : [{ err: error }, INSIDE];
    log.error({ ...words, retry_ms: pauseMs }, "Older blocks could not be stored: it is tried again");
    await this.#pause("paused", reason, pauseMs);
  }

  /** Says once that there is no peer. */
  async #pause(state: BackfillState, reason: string, pauseMs: number): Promise<void> {
    this.#become(state, reason);
    if (state === "waiting" && !this.#hasSaidWaiting) {
      this.#hasSaidWaiting = true;
      this.#dependencies.log.info({ below_height: this.#first, reason }, "Older blocks are fetched once other nodes serve them");
    }
    await this.#sleep(pauseMs);
  }

  #become(state: BackfillState, reason: string | undefined): void {
    [this.#state, this.#reason] = [state, reason];
  }

  get #first(): Height {
    return this.#dependencies.database.blocks.firstHeight();
  }

  /** Down to which height, or time, blocks are kept. */
  #goal(): BackfillGoal {
    const { retain, database } = this.#dependencies;
    const tip = database.blocks.tipHeight() ?? 0;
    if (retain === undefined) return { first: this.#first, toHeight: 0 };
    if ("blocks" in retain) return { first: this.#first, toHeight: Math.max(0, tip - retain.blocks + 1) };
    return { first: this.#first, toMs: this.#timeMs(tip) - retain.days * DAY_MS, firstMs: this.#timeMs(this.#first) };
  }

  #isWanted(): boolean {
    const goal = this.#goal();
    return "toHeight" in goal ? goal.first > goal.toHeight : goal.firstMs > goal.toMs;
  }

  #timeMs(height: Height): number {
    return this.#dependencies.database.blocks.summary(height)?.timeMs ?? 0;
  }

  #sleep(delayMs: number): Promise<void> {
    const { signal } = this.#ending;
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      let cancel: CancelTimer = () => undefined;
      const end = (): void => {
        cancel();
        signal.removeEventListener("abort", end);
        resolve();
      };
      cancel = this.#dependencies.timers.setTimer(delayMs, end);
      signal.addEventListener("abort", end, { once: true });
    });
  }
}
