// Keeps the chain up with the network: notices that peers are ahead, fetches the missing blocks from several of them at once, passes
// them to the engine in order, and reports honestly how far it is. What peers claim is worth a request until they fail to prove it.

import type { DecidedBlock, FollowOutcome } from "#node/engine/execution/decided-block.ts";
import type { ChainStatus, PeerName, PeerNetwork, ReceivedBlock, ValidationResult } from "#node/network/peer-network.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import { Abstention } from "./abstention.ts";
import { type AskedRange, BlockWindow, type HeightRange, type WaitingBlock } from "./block-window.ts";
import { ClaimCredit } from "./claim-credit.ts";
import { type GossipChain, GossipedBlocks } from "./gossiped-blocks.ts";
import { SyncPeers } from "./sync-peers.ts";
import { SyncProgress } from "./sync-progress.ts";
import { proveWaiting } from "./waiting-proof.ts";

/** One block behind is the normal course of a network; for longer than this it is not, ms. */
export const LAG_GRACE_MS = 1_000;
/** After this time without a response another peer is asked for the same blocks as well, ms. */
export const SLOW_REQUEST_MS = 2_000;
/** After this time a response is not waited for any longer, ms. */
export const REQUEST_TIMEOUT_MS = 15_000;
/** Without a new block for this long while behind, the node is stalled, ms. */
export const STALL_MS = 10_000;
/** How long a machine that woke up waits for statuses before it votes again, ms. */
export const AWAKE_MS = 3_000;
/** Shortest time until peers that could not be asked are tried again, ms. */
const RETRY_MS = 250;
/** Longest time that a machine that woke up waits for proof of what peers report, ms. */
export const AWAKE_PROOF_MS = 10_000;
/** Responses that contradict a claim after which it counts as a lie. Useful ones in between change nothing. */
const CONTRADICTIONS_OF_A_LIE = 3;
/** A response with as many new blocks is of use, though it has fewer than the peer reported: the peer may save its bandwidth. */
const USEFUL_BLOCKS = 4;
/** Transactions whose signatures are checked ahead of the tip. */
const PREPARED_TXS = 4_096;
/** Blocks that are handed in at once, and become durable together. */
const BATCH_BLOCKS = 64;
/** Transactions of them, but for a larger block, which goes alone: other work waits while they are executed. */
const BATCH_TXS = 1_024;

/** The chain as synchronisation sees it. */
export interface SyncChain extends GossipChain {
  setAbstaining(isAbstaining: boolean): void;
}

/** What synchronisation is made of. */
export interface BlockSyncDependencies {
  readonly chain: SyncChain;
  readonly network: Pick<PeerNetwork, "requestBlocks" | "report">;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
}

/** Blocks that were handed to the engine. */
interface SentBatch {
  readonly first: WaitingBlock;
  readonly last: Height;
  readonly outcome: Promise<FollowOutcome>;
}

/** How far this node is. */
export interface SyncStatus {
  /** `claimed`: peers report blocks above the tip, and nothing proves it yet. */
  readonly state: "live" | "claimed" | "syncing" | "stalled";
  readonly targetHeight: Height;
  /** Why the node is stalled. */
  readonly reason: string | null;
  /** Blocks a second; null when not syncing. */
  readonly blocksPerSecond: number | null;
  /** Null when unknown. */
  readonly etaSeconds: number | null;
}

/** Synchronisation of one chain. Its methods are what the network calls. */
export class BlockSync {
  readonly #dependencies: BlockSyncDependencies;
  readonly #peers: SyncPeers;
  readonly #window = new BlockWindow();
  readonly #progress: SyncProgress;
  readonly #abstention: Abstention;
  readonly #credit: ClaimCredit;
  readonly #gossiped: GossipedBlocks;
  readonly #aborts = new Set<AbortController>();
  readonly #timers = new Map<"lag" | "retry" | "stall" | "awake", CancelTimer>();
  #isSyncing = false;
  #isStalled = false;
  #isApplying = false;
  #isStopped = false;

  constructor(dependencies: BlockSyncDependencies) {
    this.#dependencies = dependencies;
    this.#peers = new SyncPeers(dependencies.clock);
    this.#progress = new SyncProgress(dependencies.clock);
    const { chain } = dependencies;
    this.#abstention = new Abstention({
      height: (): Height => chain.height(),
      setAbstaining: (isAbstaining): void => chain.setAbstaining(isAbstaining),
      timers: dependencies.timers,
    });
    this.#credit = new ClaimCredit(dependencies.clock);
    this.#gossiped = new GossipedBlocks({
      chain,
      window: this.#window,
      onProven: (height): void => {
        if (!this.#isStopped) this.#abstention.prove(height);
      },
      onHeight: (peer, height): void => {
        this.#peers.raise(peer, height);
        this.#consider();
      },
    });
  }

  /** True while this node is proven to be behind: a claim alone must not keep it from its work. */
  get isBehind(): boolean {
    return this.#abstention.isBehind;
  }

  /** A peer sent its status. */
  onStatus(status: ChainStatus, peer: PeerName): void {
    this.#peers.update(peer, status);
    this.#consider();
  }

  /** A peer is gone. */
  onDisconnected(peer: PeerName): void {
    this.#peers.remove(peer);
    this.#credit.withdraw(peer);
    this.#consider();
  }

  /** A block arrives by gossip. */
  onBlock(received: ReceivedBlock, peer: PeerName): Promise<ValidationResult> {
    return this.#gossiped.validate(received, peer);
  }

  /** The chain has a new block, wherever it came from. */
  onCommitted(): void {
    const height = this.#dependencies.chain.height();
    this.#abstention.onCommitted();
    if (this.#isSyncing) {
      this.#progress.reached(height);
      this.#isStalled = false;
      this.#armStall();
    } else this.#credit.settle();
    void this.#apply();
  }

  /** The machine slept: the engine abstains until it is clear whether the network continued. */
  onAwake(): void {
    this.#abstention.wake();
    this.#arm("awake", AWAKE_MS, () => {
      if (this.#isSyncing) this.#arm("awake", AWAKE_PROOF_MS - AWAKE_MS, () => this.#abstention.settle());
      else this.#abstention.settle();
    });
  }

  /** How far this node is. */
  status(): SyncStatus {
    const height = this.#dependencies.chain.height();
    const targetHeight = Math.max(height, this.#peers.target());
    if (!this.#isSyncing) return { state: "live", targetHeight, reason: null, blocksPerSecond: null, etaSeconds: null };
    const blocksPerSecond = this.#progress.blocksPerSecond(height);
    const etaSeconds = blocksPerSecond > 0 ? Math.ceil((targetHeight - height) / blocksPerSecond) : null;
    const isProven = this.#abstention.isFarBehind || this.#credit.isFresh || this.#peers.target((peer) => this.#credit.has(peer)) > height;
    if (!this.#isStalled) return { state: isProven ? "syncing" : "claimed", targetHeight, reason: null, blocksPerSecond, etaSeconds };
    const reason = this.#peers.droppedWords(height + 1) ?? `No peer serves block ${height + 1}, though some report having it`;
    return { state: isProven ? "stalled" : "claimed", targetHeight, reason, blocksPerSecond: 0, etaSeconds: null };
  }

  /** Ends all requests; nothing is followed afterwards. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    this.#abstention.stop();
    for (const abort of this.#aborts) abort.abort();
  }

  #distance(): number {
    return this.#peers.target() - this.#dependencies.chain.height();
  }

  #consider(): void {
    if (this.#isStopped) return;
    const distance = this.#distance();
    if (this.#isSyncing) this.#continue();
    else if (distance > 1) this.#begin();
    else if (distance === 1 && !this.#timers.has("lag")) {
      const height = this.#dependencies.chain.height();
      this.#arm("lag", LAG_GRACE_MS, () => {
        if (this.#isSyncing || this.#distance() < 1) return;
        if (this.#dependencies.chain.height() === height) this.#begin();
        else this.#consider();
      });
    }
  }

  #begin(): void {
    const { chain, log } = this.#dependencies;
    this.#isSyncing = true;
    this.#isStalled = false;
    this.#credit.begin();
    this.#progress.begin(chain.height());
    log.info({ height: chain.height(), target_height: this.#peers.target() }, "Peers report blocks above the tip: fetching them");
    this.#armStall();
    this.#continue();
  }

  /** Asks for what is missing, or ends when nothing is. */
  #continue(): void {
    if (this.#isStopped || !this.#isSyncing) return;
    if (this.#distance() <= 0) this.#finish();
    else this.#fill();
  }

  #finish(): void {
    const { chain, log } = this.#dependencies;
    this.#isSyncing = false;
    this.#isStalled = false;
    this.#credit.settle();
    this.#disarm("stall");
    this.#disarm("retry");
    this.#disarm("awake");
    this.#abstention.settle();
    log.info({ height: chain.height() }, "Caught up with the network");
  }

  #fill(): void {
    const { chain } = this.#dependencies;
    const target = this.#peers.target();
    for (;;) {
      const range = this.#window.nextRange(chain.height(), target);
      if (range === undefined) return;
      const peer = this.#peers.choose(range.from, this.#window.askedFor(range.from));
      if (peer === undefined) {
        this.#retryLater();
        return;
      }
      void this.#request(range, peer);
    }
  }

  #retryLater(): void {
    const pauseMs = this.#peers.untilNextMs();
    if (pauseMs !== undefined && !this.#timers.has("retry")) this.#arm("retry", Math.max(RETRY_MS, pauseMs), () => this.#continue());
  }

  async #request(range: HeightRange, peer: PeerName): Promise<void> {
    const { network, timers } = this.#dependencies;
    const asked = this.#window.ask(range, peer, this.#peers.owed(peer, range));
    this.#peers.begin(peer);
    const abort = new AbortController();
    this.#aborts.add(abort);
    const cancels = [
      timers.setTimer(SLOW_REQUEST_MS, () => {
        asked.isSlow = true;
        this.#continue();
      }),
      timers.setTimer(REQUEST_TIMEOUT_MS, () => {
        network.report(peer, "unresponsive");
        abort.abort();
      }),
    ];
    const blocks = await network.requestBlocks(peer, range.from, range.count, abort.signal).catch(() => null);
    for (const cancel of cancels) cancel();
    this.#aborts.delete(abort);
    this.#window.removeRequest(asked);
    if (!this.#isStopped) this.#handleResponse(asked, blocks);
  }

  #handleResponse({ peer, from, count, owed }: AskedRange, blocks: readonly ReceivedBlock[] | null): void {
    const { chain, network } = this.#dependencies;
    const isInOrder = blocks?.every(({ header }, index) => header.height === from + index) === true && blocks.length <= count;
    if (blocks !== null && !isInOrder) network.report(peer, "malformed");
    const fresh = isInOrder && blocks !== null ? blocks.filter(({ header }) => header.height > chain.height()) : [];
    const isContradiction = isInOrder && blocks !== null && blocks.length < owed && fresh.length < USEFUL_BLOCKS;
    this.#peers.end(peer, isInOrder && !isContradiction);
    if (isContradiction && this.#peers.contradict(peer) >= CONTRADICTIONS_OF_A_LIE) {
      network.report(peer, "lie");
      this.#peers.disprove(peer, from + blocks.length);
      this.#credit.withdraw(peer);
    }
    const added = fresh.filter((received) => this.#window.add(received, peer, { tip: chain.height() }));
    const last = added[USEFUL_BLOCKS - 1];
    if (last !== undefined) this.#credit.deliver(peer, last.header.height);
    void this.#apply();
    this.#continue();
  }

  /** Hands the waiting blocks to the engine, in order, a batch at a time: other work gets its turn between them. */
  async #apply(): Promise<void> {
    if (this.#isApplying) return;
    this.#isApplying = true;
    const { chain } = this.#dependencies;
    try {
      let sent = await this.#send(chain.height());
      while (sent !== undefined && !this.#isStopped) {
        // The next batch is executed while this one is made durable.
        const next = await this.#send(sent.last);
        this.#handleOutcome(sent, await sent.outcome);
        this.#continue();
        if (chain.height() >= sent.last && next !== undefined) sent = next;
        else {
          await next?.outcome;
          sent = await this.#send(chain.height());
        }
      }
    } finally {
      this.#isApplying = false;
    }
    this.#consider();
    // What came in while the last pass ended would wait for the next event otherwise.
    if (!this.#isStopped && this.#window.get(chain.height() + 1) !== undefined) void this.#apply();
  }

  /** Hands in the batch after a height, as far as it is there and proven. */
  async #send(after: Height): Promise<SentBatch | undefined> {
    const { chain } = this.#dependencies;
    this.#window.removeThrough(chain.height());
    const here = this.#window.batch(after + 1, BATCH_BLOCKS, BATCH_TXS);
    const [first] = here;
    if (first === undefined || this.#isStopped) return undefined;
    this.#prepareFrom(after + 1);
    const batch: DecidedBlock[] = [];
    for (const waiting of here) {
      await waiting.preparation;
      if (!waiting.isProven || "read" in waiting.body) break;
      batch.push({ block: waiting.body, commit: waiting.commit });
    }
    if (batch.length === 0 || this.#isStopped) return undefined;
    return { first, last: after + batch.length, outcome: chain.applyBatch(batch) };
  }

  #handleOutcome({ first }: SentBatch, outcome: FollowOutcome): void {
    if (outcome === "invalid") this.#refuse(first);
    this.#credit.reached(this.#dependencies.chain.height());
    if (outcome === "ahead") this.#window.remove(first.header.height);
    if (outcome === "stopped") this.#isStopped = true;
  }

  /** A block is none that the validators decided, or not whole. */
  #refuse(waiting: WaitingBlock): void {
    const { peer, header } = waiting;
    this.#dependencies.network.report(peer, "invalid");
    // A proven one may have taken its place meanwhile.
    if (this.#window.get(header.height) === waiting) this.#window.remove(header.height);
    this.#window.removeOf(peer);
    this.#peers.disprove(peer, header.height);
    this.#credit.withdraw(peer);
  }

  #prepareFrom(first: Height): void {
    let budget = PREPARED_TXS;
    for (let height = first; budget > 0; height += 1) {
      const waiting = this.#window.get(height);
      if (waiting === undefined) return;
      waiting.preparation ??= this.#prepare(waiting);
      budget -= Math.max(1, waiting.header.txCount);
    }
  }

  async #prepare(waiting: WaitingBlock): Promise<void> {
    const ifRunning = (action: () => void): void => {
      if (!this.#isStopped) action();
    };
    const isSettled = await proveWaiting(waiting, {
      chain: this.#dependencies.chain,
      window: this.#window,
      onDecided: (height) => ifRunning(() => this.#abstention.prove(height)),
      onFalse: (each) => ifRunning(() => this.#refuse(each)),
    });
    if (!isSettled) waiting.preparation = null;
  }

  #armStall(): void {
    this.#arm("stall", STALL_MS, () => {
      const { chain, log } = this.#dependencies;
      const words = this.#isStalled ? undefined : this.#peers.droppedWords(chain.height() + 1);
      if (words !== undefined) log.warn({ height: chain.height() }, words);
      this.#isStalled = true;
      this.#continue();
      if (this.#isSyncing) this.#armStall();
    });
  }

  #arm(name: "lag" | "retry" | "stall" | "awake", delayMs: number, callback: () => void): void {
    this.#disarm(name);
    const cancel = this.#dependencies.timers.setTimer(delayMs, () => {
      this.#timers.delete(name);
      callback();
    });
    this.#timers.set(name, cancel);
  }

  #disarm(name: "lag" | "retry" | "stall" | "awake"): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
  }
}
