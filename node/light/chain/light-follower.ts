// Follows the chain of headers: a header that a peer claims to have is fetched and proposed to the verified chain. One peer is asked at a
// time, since all of them would send the same block; more of them when it takes too long, the next one when its block comes to nothing.
import type { PeerName } from "#node/network/peer-network.ts";
import type { Log } from "#node/observability/log.ts";
import type { Height } from "#shared/protocol/chain/header.ts";
import type { CancelTimer, Clock, Timers } from "#shared/util/clock.ts";
import type { LightPeers } from "../light-peers.ts";
import type { HeaderOutcome } from "./header-queue.ts";
import type { TrustedChain } from "./trusted-chain.ts";

/** How often peers that say that they are ahead are asked again, ms: what failed once may succeed later. */
export const RETRY_MS = 5_000;
/** How long the others wait for the peers that are asked, ms; then twice as many are asked. */
export const PATIENCE_MS = 500;
/** Outcomes after which a peer is asked for what it has announced since: the tip has got as far as its block, so this comes to an end. */
const GOES_ON: ReadonlySet<HeaderOutcome> = new Set(["advanced", "known"]);

export interface LightFollowerDependencies {
  readonly chain: Pick<TrustedChain, "tip" | "accept">;
  readonly peers: Pick<LightPeers, "peers" | "lightBlock">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers: Timers;
  readonly log: Pick<Log, "debug" | "error">;
}

/** Asks those who are ahead. */
export class LightFollower {
  readonly #dependencies: LightFollowerDependencies;
  readonly #stopping = new AbortController();
  /** Peers whose block is on its way, and since when. */
  readonly #asking = new Map<PeerName, number>();
  /** Peers that wait until the ones that are asked have answered, or have had their time. */
  readonly #waiting = new Set<PeerName>();
  #cancelRetry: CancelTimer = () => undefined;
  #cancelPatience: CancelTimer | undefined;

  constructor(dependencies: LightFollowerDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#cancelRetry = this.#dependencies.timers.setTimer(RETRY_MS, () => {
      for (const { name } of this.#dependencies.peers.peers()) this.poll(name);
      this.start();
    });
  }

  /** A peer may be ahead: asks it, once no other one is asked or has had its time. */
  poll(peer: PeerName): void {
    if (this.#stopping.signal.aborted || this.#asking.has(peer) || this.#aheadOf(peer) === undefined) return;
    const leftMs = this.#patienceMs();
    if (leftMs <= 0) void this.#follow(peer);
    else this.#wait(peer, leftMs);
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelRetry();
    this.#cancelPatience?.();
  }

  #wait(peer: PeerName, forMs: number): void {
    this.#waiting.add(peer);
    this.#cancelPatience ??= this.#dependencies.timers.setTimer(forMs, () => this.#askMore());
  }

  /** Those that are asked took too long: as many more are, so that few slow peers cost little and many of them little time. */
  #askMore(): void {
    this.#cancelPatience = undefined;
    for (const name of [...this.#waiting].slice(0, Math.max(1, this.#asking.size))) void this.#follow(name);
    for (const name of [...this.#waiting].slice(0, 1)) this.#wait(name, PATIENCE_MS);
  }

  /** How long the peer that was asked last may still take, ms. */
  #patienceMs(): number {
    return Math.max(...this.#asking.values()) + PATIENCE_MS - this.#dependencies.clock.monotonicMs();
  }

  async #follow(peer: PeerName): Promise<void> {
    const { chain, peers, clock, log } = this.#dependencies;
    const { signal } = this.#stopping;
    this.#waiting.delete(peer);
    if (this.#asking.has(peer)) return;
    try {
      let outcome: HeaderOutcome = "advanced";
      // Meanwhile the peer may have announced further blocks, also where another one was faster with this one.
      for (let height = this.#aheadOf(peer); height !== undefined && GOES_ON.has(outcome); height = this.#aheadOf(peer)) {
        this.#asking.set(peer, clock.monotonicMs());
        const { header, validators } = chain.tip();
        const block = signal.aborted
          ? undefined
          : await peers.lightBlock(peer, height, signal, { hash: header.validatorsHash, validators });
        if (block === undefined || signal.aborted) break;
        outcome = await chain.accept(block, peer);
      }
    } catch (error) {
      log.debug({ err: error, peer }, "A peer that is ahead did not serve its newest block");
    } finally {
      this.#asking.delete(peer);
    }
    this.#askNext();
  }

  /** What this peer did not have, or what came meanwhile, another one of those that wait may have. */
  #askNext(): void {
    if (this.#asking.size > 0 || this.#stopping.signal.aborted) return;
    for (const name of this.#waiting) {
      if (this.#aheadOf(name) !== undefined) {
        void this.#follow(name);
        return;
      }
      this.#waiting.delete(name);
    }
    this.#cancelPatience?.();
    this.#cancelPatience = undefined;
  }

  /** What a peer says that its height is, when that is above the tip. */
  #aheadOf(peer: PeerName): Height | undefined {
    const height = this.#dependencies.peers.peers().find(({ name }) => name === peer)?.height;
    return height !== undefined && height > this.#dependencies.chain.tip().header.height ? height : undefined;
  }
}
